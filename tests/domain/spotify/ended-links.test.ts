import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { spotifyLinks } from '~/db/schema/spotify';
import { HOURS, later } from '~/server/base/time';
import { tellUnlinked } from '~/server/domain/spotify/unlink-account';
import { unlinkUser } from '~/server/queue/jobs/spotify';
import { cast } from '../../support/cast';
import { runJobs } from '../../support/run-jobs';
import { spotifyStage } from '../../support/spotify';
import '../../support/matchers';

const staged = await cast();
const { runtime, make, clock, pauseAt } = staged;
const { sandbox, agree, link } = await spotifyStage(staged);

const linkOf = async (userId: number) => {
  const [row] = await runtime.db.select().from(spotifyLinks).where(eq(spotifyLinks.userId, userId));
  return row;
};
const runUnlinking = () => runJobs(runtime, unlinkUser.name, (payload, ctx) => tellUnlinked(ctx, payload));

test.each([null, { status: 403 }])(
  'a link that is ended while Spotify registers it stays ended (%o)',
  async (fault) => {
    const nora = await make.person();
    await link(nora, `nora-before-${fault?.status}`);
    const { partnerUserId } = (await linkOf(nora.id))!;
    const answer = await agree((await nora.api.spotify.link()).url, `nora-during-${fault?.status}`);
    const pause = pauseAt('spotify.register');
    const linking = nora.api.spotify.finish(answer);
    await pause.reachedBy(linking);
    await nora.api.spotify.unlink();
    sandbox.setFault('register-user', fault);
    pause.goOn();

    await expect(linking).toFailWith(fault ? 'spotify.access_denied' : 'spotify.linking_expired');

    sandbox.setFault('register-user', null);
    expect(await linkOf(nora.id)).toMatchObject({ state: 'unlinked', accountKey: null });
    clock.now = later(clock.now, HOURS(1));
    await runUnlinking();
    expect(await sandbox.store.entitlementsOf(partnerUserId)).toBeNull();
    const free = await make.person();
    await link(free, `nora-during-${fault?.status}`);
    expect(await linkOf(free.id)).toMatchObject({ state: 'linked' });
  },
);

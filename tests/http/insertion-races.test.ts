import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { insertionCampaigns } from '~/db/schema/insertions';
import { renditionDownloads } from '~/db/schema/renditions';
import { HOURS, later } from '~/server/base/time';
import { releaseReservations } from '~/server/domain/insertions/release-reservations';
import { systemCtx } from '~/server/runtime/runtime';
import { audioPath, insertionDoor } from '../support/insertion-door';
import { lockWaits } from '../support/lock-waits';

const stage = await insertionDoor();
const { runtime, clock, noon, pauseAt, ask, play, newListener, restart, counted, sponsored, campaignRow } = stage;
const { db } = runtime;

const releaseAt = (at: Date) => {
  clock.now = at;
  return releaseReservations(systemCtx(runtime, 'insertions.release-reservations'));
};
const downloadsOf = (episode: { id: number }) =>
  db.$count(renditionDownloads, eq(renditionDownloads.episodeId, episode.id));

test('two first requests of a listener, in two processes, reserve one impression and lead to the same bytes', async () => {
  const { episode, campaign } = await sponsored({ cap: 5 });
  const address = newListener();
  const pause = pauseAt('download.kept');
  const first = ask(audioPath(episode), { address });
  await pause.reachedBy(first);
  restart();
  const second = ask(audioPath(episode), { address });
  await lockWaits(db);

  pause.goOn();
  const [one, other] = await Promise.all([first, second]);

  expect([one.status, other.headers.location]).toEqual([302, one.headers.location]);
  expect(await campaignRow(campaign.id)).toMatchObject({ reserved: 1 });
});

test('a machine gets the clip of a campaign with a cap, and leaves its room to listeners', async () => {
  const { episode, spot, campaign } = await sponsored({ cap: 1 });

  const machine = await play(audioPath(episode), { address: newListener(), agent: 'curl/8.5.0' });
  await counted();

  expect(machine.body.includes(spot.body)).toBe(true);
  expect(await campaignRow(campaign.id)).toMatchObject({ impressions: 0, reserved: 0 });
  const listener = await play(audioPath(episode), { address: newListener() });
  expect(listener.body.includes(spot.body)).toBe(true);
  await counted();
  expect(await campaignRow(campaign.id)).toMatchObject({ impressions: 1, reserved: 0 });
});

test('a listener whose room is taken before it is reserved gets the file itself, and keeps no row', async () => {
  const { episode, campaign } = await sponsored({ cap: 1 });
  const pause = pauseAt('download.kept');
  const late = play(audioPath(episode), { address: newListener() });
  await pause.reachedBy(late);
  const early = await play(audioPath(episode), { address: newListener() });

  pause.goOn();

  expect((await late).body.equals(episode.body)).toBe(true);
  expect(early.body.length).toBeGreaterThan(episode.body.length);
  expect(await downloadsOf(episode)).toBe(1);
  await counted();
  expect(await campaignRow(campaign.id)).toMatchObject({ impressions: 1, reserved: 0 });
});

test('a campaign that is deleted before room is reserved keeps the listener’s bytes, and its cap', async () => {
  const { episode, campaign } = await sponsored({ cap: 1 });
  const pause = pauseAt('download.kept');
  const asked = play(audioPath(episode), { address: newListener() });
  await pause.reachedBy(asked);
  await db.update(insertionCampaigns).set({ deletedAt: noon, cap: 0 }).where(eq(insertionCampaigns.id, campaign.id));

  pause.goOn();

  expect((await asked).body.equals(episode.body)).toBe(true);
  expect(await campaignRow(campaign.id)).toMatchObject({ reserved: 0 });
});

test('room that is returned while a clip is counted is returned once, and the impression counts', async () => {
  clock.now = noon;
  const { episode, campaign } = await sponsored({ cap: 1 });
  const pause = pauseAt('impressions.locked');
  await play(audioPath(episode), { address: newListener() });
  const counting = counted();
  await pause.reachedBy(counting);

  await releaseAt(later(noon, HOURS(25)));
  expect(await campaignRow(campaign.id)).toMatchObject({ impressions: 0, reserved: 1 });
  pause.goOn();
  await counting;
  await releaseAt(later(noon, HOURS(25)));
  clock.now = noon;

  expect(await campaignRow(campaign.id)).toMatchObject({ impressions: 1, reserved: 0 });
  expect(await downloadsOf(episode)).toBe(0);
});

test('an impression counts for a campaign that is paused, ended or lowered while it is counted', async () => {
  const { episode, campaign } = await sponsored({ cap: 3 });
  const pause = pauseAt('impressions.locked');
  await play(audioPath(episode), { address: newListener() });
  const counting = counted();
  await pause.reachedBy(counting);

  const change = { isActive: false, endedAt: noon, cap: 1 };
  await db.update(insertionCampaigns).set(change).where(eq(insertionCampaigns.id, campaign.id));
  pause.goOn();
  await counting;

  expect(await campaignRow(campaign.id)).toMatchObject({ impressions: 1, reserved: 0, cap: 1 });
  expect(await stage.impressionsOf(campaign.id)).toMatchObject([{ impressions: 1 }]);
});

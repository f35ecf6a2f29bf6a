import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { promos } from '~/db/schema/episode-parts';
import { clips, insertionCampaigns } from '~/db/schema/insertions';
import { removeUnused } from '~/server/domain/media/erase-objects';
import { CAMPAIGN_LIMITS, CLIP_LIMITS } from '~/server/limits/insertions';
import { removeObjects } from '~/server/queue/jobs/media';
import { type Publisher, recommendationStage } from '../domain/recommendations/stage';
import { campaignRow, insertClip } from '../support/campaigns';
import '../support/matchers';
import { mp3 } from '../support/mp3';
import { runJobs } from '../support/run-jobs';

const { runtime, db, clock, make, publisher, pauseAt, ask, agree, addPromo, rowOf, campaignsOf } =
  await recommendationStage();

let number = 0;
let ana: Publisher;
let ben: Publisher;
beforeEach(async () => {
  number += 1;
  [ana, ben] = await Promise.all([publisher(`Anchors ${number}`), publisher(`Bells ${number}`)]);
});

async function replacePromo(by: Publisher, episodeId = by.episodeIds[0]!) {
  await db.delete(promos).where(eq(promos.episodeId, episodeId));
  await addPromo(by, episodeId);
}

test('a promo that was replaced after the request plays nowhere', async () => {
  const { id } = await ask(ana, ben);

  await replacePromo(ben);

  await expect(ben.api.recommendations.accept({ id })).toFailWith('recommendation.promo_changed');
  expect([await campaignsOf(ana), (await rowOf(id)).status]).toEqual([[], 'requested']);
});

test('the promo of another episode is no substitute for the one that was asked for', async () => {
  const { id } = await ask(ana, ben, { episodeId: ben.episodeIds[0]! });
  await addPromo(ben, ben.episodeIds[1]!);
  await db.delete(promos).where(eq(promos.episodeId, ben.episodeIds[0]!));

  await expect(ben.api.recommendations.accept({ id })).toFailWith('recommendation.promo_changed');
});

test('of a swap, neither side can replace its promo after the request', async () => {
  const { id } = await ask(ana, ben, { isSwap: true });

  await replacePromo(ana);

  await expect(ben.api.recommendations.accept({ id })).toFailWith('recommendation.promo_changed');
  expect([await campaignsOf(ana), await campaignsOf(ben)]).toEqual([[], []]);
});

test('another show’s promo is no clip of one’s own campaigns, episodes or list', async () => {
  await agree(ana, ben);
  const [{ clip }] = (await campaignsOf(ana)) as [Awaited<ReturnType<typeof campaignsOf>>[number]];
  const values = { productId: ana.show.id, name: 'Mine', clipIds: [clip.id], place: 'post', firstDay: '2030-01-01' };

  await expect(ana.api.campaigns.create(values as never)).toFailWith('campaign.clip_unusable');
  expect((await ana.api.clips.list({})).items).toEqual([]);
  await expect(ana.api.clips.rename({ id: clip.id, name: 'Mine' })).toFailWith('clip.not_found');
});

test('promos leave room for campaigns', async () => {
  const row = campaignRow({ creatorId: ana.creatorId, productId: ana.show.id }, { kind: 'promo', endedAt: clock.now });
  await db.insert(insertionCampaigns).values(Array.from({ length: CAMPAIGN_LIMITS.perShow }, () => row));
  const clipId = await insertClip(db, ana.creatorId);

  await ana.api.campaigns.create({
    ...{ productId: ana.show.id, name: 'Mine', clipIds: [clipId], place: 'post', firstDay: '2030-01-01' },
  });
});

const filesOf = async ({ creatorId }: Publisher) =>
  (await runtime.ports.storage.list(`audio/${creatorId}/clips/`, 100)).map(({ key }) => key);
const removeNow = () =>
  runJobs(runtime, removeObjects.name, ({ keys }: { keys: string[] }, ctx) => removeUnused(ctx, { keys, folders: [] }));

test('a killed process leaves no file of a clip or a promo without a row, and those with a row stay', async () => {
  const { id } = await ask(ana, ben);
  const clipKey = await make.upload(ana, 'insertion_audio', mp3(3));
  const pauses = [pauseAt('recommendation.promo_copied'), pauseAt('clip.stored')];
  const accepted = ben.api.recommendations.accept({ id });
  const added = ana.api.clips.create({ name: 'Killed', clipKey });
  await pauses[0]!.reachedBy(accepted);
  await pauses[1]!.reachedBy(added);
  // what a killed process leaves behind
  expect(await filesOf(ana)).toHaveLength(2);

  await removeNow();

  expect(await filesOf(ana)).toEqual([]);
  for (const pause of pauses) pause.goOn();
  await Promise.all([accepted, added]);
  await agree(ana, await publisher(`Chimes ${number}`));
  await ana.api.clips.create({ name: 'Kept', clipKey: await make.upload(ana, 'insertion_audio', mp3(3)) });
  const kept = await filesOf(ana);
  await removeNow();
  expect(kept).toHaveLength(2);
  expect(await filesOf(ana)).toEqual(kept);
});

test('clips that can’t be added leave no file', async () => {
  const files = async () => (await filesOf(ana)).length;
  const clipKey = await make.upload(ana, 'insertion_audio', mp3(3));
  const adding = [1, 2, 3].map(() => ana.api.clips.create({ name: 'Once', clipKey }));
  expect((await Promise.allSettled(adding)).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await removeNow();
  expect(await files()).toBe(1);

  const row = { creatorId: ana.creatorId, name: 'x', origin: 'upload', status: 'ready' } as const;
  await db.insert(clips).values(Array.from({ length: CLIP_LIMITS.perCreator - 1 }, () => row));
  const another = await make.upload(ana, 'insertion_audio', mp3(3));
  await expect(ana.api.clips.create({ name: 'More', clipKey: another })).toFailWith('clip.limit_reached');
  await removeNow();
  expect(await files()).toBe(1);
});

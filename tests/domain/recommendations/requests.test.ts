import { buffer } from 'node:stream/consumers';
import { and, eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { notificationOptOuts } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { promos } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { campaignEpisodes, clipVersions } from '~/db/schema/insertions';
import { creatorPlans } from '~/db/schema/plans';
import { products } from '~/db/schema/products';
import { recommendations } from '~/db/schema/recommendations';
import { DAYS, later, utcDay } from '~/server/base/time';
import { removeUnused } from '~/server/domain/media/erase-objects';
import { SHOW_RECOMMENDATION_LIMITS } from '~/server/limits/recommendations';
import { refreshServed } from '~/server/queue/jobs/insertions';
import { removeObjects } from '~/server/queue/jobs/media';
import '../../support/matchers';
import { runJobs } from '../../support/run-jobs';
import { type Publisher, recommendationStage } from './stage';

const stage = await recommendationStage();
const { runtime, db, clock, pauseAt, publisher, ask, agree, rowOf, campaignsOf, emailsTo, sound } = stage;

let number = 0;
let ana: Publisher;
let ben: Publisher;
beforeEach(async () => {
  number += 1;
  [ana, ben] = await Promise.all([publisher(`Anchors ${number}`), publisher(`Bells ${number}`)]);
});

const listOf = async ({ api }: Publisher, of: { productId?: number } = {}) =>
  (await api.recommendations.list(of)).items;
const statusOf = async (id: number) => (await rowOf(id)).status;
const free = ({ creatorId }: Publisher) =>
  db
    .insert(creatorPlans)
    .values({ creatorId, plan: 'FREE', since: clock.now })
    .onConflictDoUpdate({ target: creatorPlans.creatorId, set: { plan: 'FREE' } });

test('a request that is accepted makes a copy of the promo play in the chosen place on the chosen days', async () => {
  const lastDay = utcDay(later(clock.now, DAYS(9)));
  const { id } = await ask(ana, ben, { isAtEnd: true, selection: 'new', lastDay });
  expect(await campaignsOf(ana)).toEqual([]);

  await ben.api.recommendations.accept({ id });

  const [playing, ...others] = await campaignsOf(ana);
  expect(others).toEqual([]);
  const firstDay = utcDay(clock.now);
  expect(playing!.campaign).toMatchObject({
    ...{ creatorId: ana.creatorId, kind: 'promo', name: ben.show.name, isComplete: true, isActive: true },
    ...{ place: 'post', selection: 'new', selectionDay: firstDay, firstDay, lastDay, endedAt: null },
    ...{ inPublicFeed: true, inPrivateFeeds: false, inWebPlayer: true },
  });
  expect(playing!.clip).toMatchObject({ origin: 'promo', creatorId: ana.creatorId, durationMs: 10_000 });
  await db.delete(promos).where(eq(promos.creatorId, ben.creatorId));
  const stored = await runtime.ports.storage.read(playing!.clip.audioKey!);
  expect((await buffer(stored)).equals(sound)).toBe(true);
  expect(await rowOf(id)).toMatchObject({ status: 'accepted', campaignId: playing!.campaign.id });
});

test('accepting has the promo converted for the episodes in which it plays, and their lengths computed again', async () => {
  const format = { sampleRate: 44_100, channels: 2, bitrate: 128_000, loudnessTenths: -160, soundTriedAt: clock.now };
  await db.update(episodes).set(format).where(eq(episodes.productId, ana.show.id));
  await runJobs(runtime, refreshServed.name, async () => {});

  const id = await agree(ana, ben);

  const [{ clip }] = (await campaignsOf(ana)) as [Awaited<ReturnType<typeof campaignsOf>>[number]];
  const versions = await db
    .select()
    .from(clipVersions)
    .where(eq(clipVersions.clipId, clip.id))
    .orderBy(clipVersions.id);
  expect(versions).toMatchObject([{ encoding: '1/44100/2/128000', loudness: -16, status: 'in_progress' }]);
  const refreshed: number[] = [];
  const collect = () =>
    runJobs(
      runtime,
      refreshServed.name,
      async ({ productId }: { productId: number }) => void refreshed.push(productId),
    );
  await collect();
  await ben.api.recommendations.end({ id });
  await collect();
  expect(refreshed).toEqual([ana.show.id, ana.show.id]);
});

test('a promo that cannot be converted has failed in both lists, on either side', async () => {
  const format = { sampleRate: 44_100, channels: 2, bitrate: 128_000, loudnessTenths: -160, soundTriedAt: clock.now };
  await db.update(episodes).set(format).where(eq(episodes.productId, ana.show.id));
  const id = await agree(ana, ben);
  const [{ clip }] = (await campaignsOf(ana)) as [Awaited<ReturnType<typeof campaignsOf>>[number]];
  const hasFailed = async ({ api }: Publisher) =>
    (await api.recommendations.list({})).items.find((item) => item.id === id)!.hasFailed;

  expect(await Promise.all([ana, ben].map(hasFailed))).toEqual([false, false]);
  await db.update(clipVersions).set({ status: 'failed' }).where(eq(clipVersions.clipId, clip.id));

  expect((await ana.api.campaigns.list({ productId: ana.show.id })).items).toMatchObject([{ state: 'failed' }]);
  expect(await Promise.all([ana, ben].map(hasFailed))).toEqual([true, true]);
  await ben.api.recommendations.end({ id });
  expect(await Promise.all([ana, ben].map(hasFailed))).toEqual([false, false]);
});

test('chosen episodes are those of the own show', async () => {
  const episodeIds = [ana.episodeIds[1]!, ben.episodeIds[0]!];

  const id = await agree(ana, ben, { selection: 'chosen', episodeIds });

  const { campaignId } = await rowOf(id);
  const isIts = eq(campaignEpisodes.campaignId, campaignId!);
  const rows = await db.select().from(campaignEpisodes).where(isIts).orderBy(campaignEpisodes.episodeId);
  expect(rows).toEqual([{ campaignId, episodeId: ana.episodeIds[1] }]);
  await expect(ask(ana, ben, { selection: 'chosen', episodeIds: [ben.episodeIds[0]] })).rejects.toThrow();
  await expect(ask(ana, ben, { selection: 'chosen' })).rejects.toThrow();
});

test('the other creator is told of a request, the asking one of the answer, unless they have turned it off', async () => {
  const { id } = await ask(ana, ben);

  const subjectsTo = async (person: Publisher) => (await emailsTo(person)).map(({ subject }) => subject);
  expect(await subjectsTo(ben)).toContain(`${ana.show.name} would like to recommend ${ben.show.name}`);
  await ben.api.recommendations.decline({ id });
  const told = await emailsTo(ana);
  expect(await subjectsTo(ana)).toContain(`Bells ${number} Writer has declined: ${ana.show.name} and ${ben.show.name}`);
  await db.insert(notificationOptOuts).values({ userId: ana.id, topic: 'recommendation', createdAt: clock.now });
  await agree(ana, ben);
  expect(await emailsTo(ana)).toHaveLength(told.length);
});

test('a swap is accepted and ended on both sides, and both rows name the other show', async () => {
  const { id } = await ask(ana, ben, { isSwap: true, selection: 'chosen', episodeIds: [ana.episodeIds[0]] });
  await ben.api.recommendations.accept({ id });

  const [given, received] = await Promise.all([listOf(ana), listOf(ben, { productId: ben.show.id })]);
  expect(given.map(({ isGiven, status, isSwap }) => [isGiven, status, isSwap])).toEqual([
    [false, 'accepted', true],
    [true, 'accepted', true],
  ]);
  expect(received.map(({ other }) => other.name)).toEqual([ana.show.name, ana.show.name]);
  const swaps = [...given, ...received].map(({ swapId }) => swapId);
  expect(swaps[0]).not.toBeNull();
  expect(new Set(swaps).size).toBe(1);
  expect((await campaignsOf(ana)).map(({ campaign }) => campaign.selection)).toEqual(['chosen']);
  expect((await campaignsOf(ben)).map(({ campaign }) => campaign.selection)).toEqual(['all']);
  await ana.api.recommendations.end({ id: received[0]!.id });
  expect((await listOf(ana)).map(({ status }) => status)).toEqual(['ended', 'ended']);
  const ended = [...(await campaignsOf(ana)), ...(await campaignsOf(ben))];
  expect(ended.map(({ campaign, clip }) => [campaign.endedAt, clip.deletedAt])).toEqual([
    [clock.now, clock.now],
    [clock.now, clock.now],
  ]);
});

test('a swap needs a promo and a plan on both sides', async () => {
  const silent = await publisher(`Silence ${number}`, { hasPromo: false });
  await expect(ask(silent, ben, { isSwap: true })).toFailWith('recommendation.own_promo_required');
  const { id } = await ask(ana, ben, { isSwap: true });
  await free(ben);

  await expect(ben.api.recommendations.accept({ id })).toFailWith('plan.recommendations_required');

  expect((await listOf(ana)).map(({ status }) => status)).toEqual(['requested', 'requested']);
  expect([...(await campaignsOf(ana)), ...(await campaignsOf(ben))]).toEqual([]);
});

test('a plan without recommendations cannot ask, but can be recommended', async () => {
  await free(ana);
  await expect(ask(ana, ben)).toFailWith('plan.recommendations_required');

  expect(await statusOf(await agree(ben, ana))).toBe('accepted');
});

const REFUSED: [why: string, change: () => Promise<unknown>, code: string][] = [
  ['is archived', () => changeShow({ archivedAt: clock.now }), 'recommendation.not_recommendable'],
  ['is taken down', () => changeShow({ takenDownAt: clock.now }), 'recommendation.not_recommendable'],
  ['is deleted', () => changeShow({ retiredAt: clock.now }), 'recommendation.not_recommendable'],
  [
    'has a creator who may not publish',
    () => changeBen({ publishingStoppedAt: clock.now }),
    'recommendation.not_recommendable',
  ],
  ['has a creator who left', () => changeBen({ closedAt: clock.now }), 'recommendation.not_recommendable'],
  ['has no promo', () => db.delete(promos).where(eq(promos.creatorId, ben.creatorId)), 'recommendation.no_promo'],
  ['has a creator who wants no requests', () => ben.api.recommendations.block({}), 'recommendation.not_recommendable'],
  [
    'has a creator who blocked this one',
    () => ben.api.recommendations.block({ creatorId: ana.creatorId }),
    'recommendation.not_recommendable',
  ],
];
const changeShow = (change: Partial<typeof products.$inferInsert>) =>
  db.update(products).set(change).where(eq(products.id, ben.show.id));
const changeBen = (change: Partial<typeof creators.$inferInsert>) =>
  db.update(creators).set(change).where(eq(creators.id, ben.creatorId));

test.each(REFUSED)('a show that %s is neither found nor asked for', async (_, change, code) => {
  const found = async () =>
    (await ana.api.recommendations.findShows({ productId: ana.show.id })).items.map(({ id }) => id);
  await db.execute(`update product_search set popularity = 1000000 where product_id = ${ben.show.id}`);
  expect(await found()).toContain(ben.show.id);

  await change();

  expect(await found()).not.toContain(ben.show.id);
  await expect(ask(ana, ben)).toFailWith(code);
});

test('a search finds by words, language, category and the step of the audience', async () => {
  await db.execute(`update product_search set popularity = 1500 where product_id = ${ben.show.id}`);
  const find = async (over: object) =>
    (await ana.api.recommendations.findShows({ productId: ana.show.id, ...over } as never)).items.filter(
      ({ id }) => id === ben.show.id,
    );

  const [show] = await find({ search: `bells ${number}`, language: 'en', category: 1501, size: 'large' });
  expect(show).toMatchObject({ name: ben.show.name, audience: 'large', promo: { durationSeconds: 10 } });
  expect(JSON.stringify(show)).not.toContain('1500');
  expect(await find({ search: `Bells ${number} Wri` })).toHaveLength(1);
  for (const other of [{ search: 'zzz' }, { language: 'es' }, { category: 1602 }, { size: 'huge' }, { size: 'small' }])
    expect(await find(other)).toEqual([]);
  expect(await find({ search: '', language: '', category: '', size: '' })).toHaveLength(1);
});

test('nobody recommends an own show, or asks twice', async () => {
  const second = await stage.make.product(ana, { name: 'Second' });
  await expect(
    ana.api.recommendations.request({
      ...{ productId: ana.show.id, recommendedId: second.id, firstDay: utcDay(clock.now) },
    }),
  ).toFailWith('recommendation.own_show');
  const { id } = await ask(ana, ben);

  await expect(ask(ana, ben)).toFailWith('recommendation.already_recommended');

  await ana.api.recommendations.withdraw({ id });
  expect(await statusOf((await ask(ana, ben)).id)).toBe('requested');
});

test('another creator can do nothing with it, and nobody answers for the other side', async () => {
  const stranger = await publisher(`Strangers ${number}`);
  const { id } = await ask(ana, ben);

  for (const step of ['accept', 'decline', 'withdraw', 'end'] as const)
    await expect(stranger.api.recommendations[step]({ id })).toFailWith('recommendation.not_found');
  await expect(ana.api.recommendations.accept({ id })).toFailWith('recommendation.not_found');
  await expect(ben.api.recommendations.withdraw({ id })).toFailWith('recommendation.not_found');
  await expect(ana.api.recommendations.end({ id })).toFailWith('recommendation.already_settled');
  await expect(ask({ ...stranger, show: ana.show }, ben)).toFailWith('product.not_found');
  expect(await statusOf(id)).toBe('requested');
});

test('either side ends it, and it can be agreed on again', async () => {
  for (const side of [ana, ben]) {
    const id = await agree(ana, ben);
    await side.api.recommendations.end({ id });
    expect(await statusOf(id)).toBe('ended');
    await expect(side.api.recommendations.end({ id })).toFailWith('recommendation.already_settled');
  }
});

test('blocking a creator declines requests and ends recommendations in both directions', async () => {
  const other = await publisher(`Others ${number}`);
  const [given, received, unrelated] = [await agree(ana, ben), await agree(ben, ana), await agree(other, ben)];

  await ben.api.recommendations.block({ creatorId: ana.creatorId });

  expect(await Promise.all([given, received, unrelated].map(statusOf))).toEqual(['ended', 'ended', 'accepted']);
  expect(await ben.api.recommendations.blocks()).toEqual({
    isClosed: false,
    blocked: [{ creatorId: ana.creatorId, name: `Anchors ${number} Writer` }],
  });
  await ben.api.recommendations.unblock({ creatorId: ana.creatorId });
  expect(await statusOf((await ask(ana, ben)).id)).toBe('requested');
});

test('refusing all requests declines those that wait, and leaves what was agreed and what one has asked for', async () => {
  const other = await publisher(`Others ${number}`);
  const agreed = await agree(other, ben);
  const { id: waiting } = await ask(ana, ben);
  const { id: asked } = await ask(ben, ana, { isSwap: false });

  await ben.api.recommendations.block({});

  expect(await Promise.all([agreed, waiting, asked].map(statusOf))).toEqual(['accepted', 'declined', 'requested']);
  await ben.api.recommendations.unblock({});
  expect(await ben.api.recommendations.blocks()).toEqual({ isClosed: false, blocked: [] });
});

test('a creator asks for so many a day, and nobody gets more than can be read', async () => {
  const { asked, waiting } = SHOW_RECOMMENDATION_LIMITS;
  const shows = await Promise.all(Array.from({ length: asked }, (_, i) => stage.make.product(ben, { name: `B${i}` })));
  const row = (recommendedId: number) => ({
    ...{ productId: ana.show.id, creatorId: ana.creatorId, recommendedId, recommendedCreatorId: ben.creatorId },
    ...{ status: 'withdrawn' as const, firstDay: utcDay(clock.now), isAtEnd: false, createdAt: clock.now },
  });
  await db.insert(recommendations).values(shows.map(({ id }) => row(id)));
  await expect(ask(ana, ben)).toFailWith('recommendation.too_many_requests');
  clock.now = later(clock.now, DAYS(1) + 1);
  expect(await statusOf((await ask(ana, ben)).id)).toBe('requested');

  const crowd = await stage.make.creator();
  const many = await Promise.all(
    Array.from({ length: waiting }, (_, i) => stage.make.product(crowd, { name: `Crowd ${i}` })),
  );
  const flood = many.map(({ id }) => ({
    ...row(ben.show.id),
    ...{ productId: id, creatorId: crowd.creatorId, status: 'requested' as const },
  }));
  await db.insert(recommendations).values(flood);
  const other = await publisher(`Others ${number}`);
  await expect(ask(other, ben)).toFailWith('recommendation.too_many_waiting');
});

test('of two answers at the same moment, one counts', async () => {
  const { id } = await ask(ana, ben);
  const pause = pauseAt('recommendation.promo_copied', 2);
  const both = Promise.allSettled([ben.api.recommendations.accept({ id }), ben.api.recommendations.accept({ id })]);
  await pause.reachedBy(both);
  pause.goOn();

  expect((await both).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await campaignsOf(ana)).toHaveLength(1);
});

test.each([
  ['blocked', () => ben.api.recommendations.block({ creatorId: ana.creatorId }), 'declined'],
  ['withdrawn', (id: number) => ana.api.recommendations.withdraw({ id }), 'withdrawn'],
  ['declined in another tab', (id: number) => ben.api.recommendations.decline({ id }), 'declined'],
] as const)('a request that is %s while it is accepted does not begin', async (_, other, expected) => {
  const { id } = await ask(ana, ben);
  const pause = pauseAt('recommendation.promo_copied');
  const accepting = ben.api.recommendations.accept({ id });
  await pause.reachedBy(accepting);
  await other(id);
  pause.goOn();

  await expect(accepting).toFailWith('recommendation.already_settled');
  expect(await statusOf(id)).toBe(expected);
  expect(await campaignsOf(ana)).toEqual([]);
  await runJobs(runtime, removeObjects.name, ({ keys }: { keys: string[] }, ctx) =>
    removeUnused(ctx, { keys, folders: [] }),
  );
  expect(await runtime.ports.storage.list(`audio/${ana.creatorId}/clips/`, 10)).toEqual([]);
});

test('a show that is taken down while its request is accepted does not begin', async () => {
  const { id } = await ask(ana, ben);
  const pause = pauseAt('recommendation.promo_copied');
  const accepting = ben.api.recommendations.accept({ id });
  await pause.reachedBy(accepting);
  await changeShow({ takenDownAt: clock.now });
  pause.goOn();

  await expect(accepting).toFailWith('recommendation.not_recommendable');
  expect(await statusOf(id)).toBe('requested');
});

test('a recommendation that the other side ends at the same moment ends once', async () => {
  const id = await agree(ana, ben);
  const pause = pauseAt('recommendation.read', 2);
  const both = Promise.allSettled([ana.api.recommendations.end({ id }), ben.api.recommendations.end({ id })]);
  await pause.reachedBy(both);
  pause.goOn();

  expect((await both).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const isEnd = and(eq(recommendations.id, id), eq(recommendations.status, 'ended'));
  expect(await db.$count(recommendations, isEnd)).toBe(1);
});

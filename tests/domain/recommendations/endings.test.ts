import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { creatorPlans } from '~/db/schema/plans';
import { recommendationBlocks, recommendations } from '~/db/schema/recommendations';
import { DAYS, later, utcDay } from '~/server/base/time';
import { markTakenDown, stopPublishing } from '~/server/domain/creators/suspend-publishing';
import { choosePlan } from '~/server/domain/plans/choose-plan';
import { takeDownProduct } from '~/server/domain/products/take-down-product';
import { eraseRecommendations } from '~/server/domain/recommendations/erase-recommendations';
import { reviewAll, reviewRecommendations } from '~/server/domain/recommendations/review-recommendations';
import { reviewRecommendations as reviewJob } from '~/server/queue/jobs/recommendations';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { runJobs } from '../../support/run-jobs';
import { type Publisher, recommendationStage } from './stage';

const { runtime, db, clock, publisher, agree, ask, rowOf, campaignsOf } = await recommendationStage();
const ctx = () => ({ ...systemCtx(runtime, reviewJob.name), now: () => clock.now });
const runReviews = () => runJobs(runtime, reviewJob.name, (payload: object) => reviewRecommendations(ctx(), payload));

let number = 0;
let ana: Publisher;
let ben: Publisher;
beforeEach(async () => {
  number += 1;
  [ana, ben] = await Promise.all([publisher(`Anchors ${number}`), publisher(`Bells ${number}`)]);
});

const firstOf = async ({ api }: Publisher) => (await api.recommendations.list({})).items[0]!;
const statusOf = async (id: number) => (await rowOf(id)).status;
const kind = 'podcast' as const;
const TAKE_DOWN = { ground: 'terms', reason: 'A reason', isWhole: false } as never;

const ENDS: [why: string, change: (person: Publisher) => Promise<unknown>][] = [
  ['archived', ({ api, show }) => api.products.archive({ id: show.id, kind })],
  ['deleted', ({ api, show }) => api.products.retire({ id: show.id, kind })],
  ['taken down', ({ show }) => transact(ctx(), (tx) => takeDownProduct(tx, show.id, TAKE_DOWN))],
  ['kept from publishing', ({ creatorId }) => transact(ctx(), (tx) => stopPublishing(tx, creatorId, 'A reason'))],
  ['taken down as a whole', ({ creatorId }) => transact(ctx(), (tx) => markTakenDown(tx, creatorId))],
];

test.each(ENDS)('recommendations and requests of a show that is %s end on either side', async (_, change) => {
  const other = await publisher(`Others ${number}`);
  const [given, received] = [await agree(ana, ben), await agree(other, ana)];
  const { id: asked } = await ask(ana, other);
  const unrelated = await agree(other, ben);

  await change(ana);
  await runReviews();

  expect(await Promise.all([given, received, asked, unrelated].map(statusOf))).toEqual([
    'ended',
    'ended',
    'ended',
    'accepted',
  ]);
  expect((await campaignsOf(ana)).map(({ campaign }) => campaign.endedAt)).toEqual([clock.now]);
});

test('the end of a plan ends what its creator recommends, with the other side of a swap, not what others recommend', async () => {
  const other = await publisher(`Others ${number}`);
  for (const { creatorId } of [ana, ben, other])
    await transact(ctx(), (tx) => choosePlan(tx, { creatorId, plan: 'BASIC', since: clock.now }));
  const given = await agree(ana, ben);
  const received = await agree(other, ana);
  const { id: swap } = await other.api.recommendations.request({
    ...{ productId: other.show.id, recommendedId: ben.show.id, firstDay: utcDay(clock.now), isSwap: true },
  });
  await ben.api.recommendations.accept({ id: swap });

  await transact(ctx(), (tx) => choosePlan(tx, { creatorId: ana.creatorId, plan: null, since: clock.now }));
  await runReviews();
  expect(await Promise.all([given, received, swap].map(statusOf))).toEqual(['ended', 'accepted', 'accepted']);

  await db
    .update(creatorPlans)
    .set({ endsAt: later(clock.now, DAYS(2)) })
    .where(eq(creatorPlans.creatorId, ben.creatorId));
  await reviewAll(ctx(), {});
  expect(await statusOf(swap)).toBe('accepted');
  clock.now = later(clock.now, DAYS(2));
  await reviewAll(ctx(), {});
  const states = (await ben.api.recommendations.list({})).items.map(({ isSwap, status }) => isSwap && status);
  expect(states.filter(Boolean)).toEqual(['ended', 'ended']);
  expect(await statusOf(swap)).toBe('ended');
});

test('a recommendation ends after its last day in the recommending creator’s time zone', async () => {
  const today = utcDay(clock.now);
  const id = await agree(ana, ben, { lastDay: today });
  const open = await agree(ben, ana);

  await reviewAll(ctx(), {});
  expect(await statusOf(id)).toBe('accepted');
  clock.now = later(clock.now, DAYS(2));
  expect((await ana.api.recommendations.list({})).items.find((item) => item.id === id)).toMatchObject({
    ...{ status: 'ended', endedBecause: 'last_day', endedDay: today },
    steps: [],
  });
  await reviewAll(ctx(), {});
  expect((await rowOf(id)).endReason).toBe('last_day');

  expect(await Promise.all([id, open].map(statusOf))).toEqual(['ended', 'accepted']);
});

test('a recommendation that has not begun says so, and one that has ended says on which day', async () => {
  const firstDay = utcDay(later(clock.now, DAYS(3)));
  const id = await agree(ana, ben, { firstDay });
  const view = async () => (await ana.api.recommendations.list({})).items.find((item) => item.id === id)!;

  expect(await view()).toMatchObject({ isUpcoming: true, endedDay: null });
  clock.now = later(clock.now, DAYS(3));
  expect(await view()).toMatchObject({ isUpcoming: false, endedDay: null });
  await ben.api.recommendations.end({ id });
  clock.now = later(clock.now, DAYS(2));
  expect(await view()).toMatchObject({ endedDay: firstDay, endedBecause: 'them' });
});

test('both sides see why a recommendation has ended, and neither sees a block or the plan of the other', async () => {
  const reasons = async ({ api }: Publisher) =>
    (await api.recommendations.list({})).items.map(({ isGiven, endedBecause }) => [isGiven, endedBecause]);
  const swap = async () => {
    const { id } = await ask(ana, ben, { isSwap: true });
    await ben.api.recommendations.accept({ id });
    return id;
  };
  const both = async (end: () => Promise<unknown>) => {
    await db.delete(recommendations);
    await swap();
    await end();
    await runReviews();
    await reviewAll(ctx(), {});
    const [own, other] = [await reasons(ana), await reasons(ben)];
    // a swap is two rows, which end for the same reason
    expect([own.length, other.length]).toEqual([2, 2]);
    expect(new Set([...own, ...other].map(([isGiven]) => isGiven)).size).toBe(2);
    return [[...new Set(own.map(([, reason]) => reason))], [...new Set(other.map(([, reason]) => reason))]];
  };

  expect(await both(async () => ana.api.recommendations.end({ id: (await firstOf(ana)).id }))).toEqual([
    ['you'],
    ['them'],
  ]);
  expect(await both(() => ben.api.recommendations.block({ creatorId: ana.creatorId }))).toEqual([['them'], ['you']]);
  await ben.api.recommendations.unblock({ creatorId: ana.creatorId });
  expect(
    await both(() =>
      transact(ctx(), (tx) => choosePlan(tx, { creatorId: ana.creatorId, plan: null, since: clock.now })),
    ),
  ).toEqual([['your_plan'], [null]]);
  await transact(ctx(), (tx) => choosePlan(tx, { creatorId: ana.creatorId, plan: 'BASIC', since: clock.now }));
  expect(await both(() => ben.api.products.archive({ id: ben.show.id, kind }))).toEqual([
    ['their_show'],
    ['your_show'],
  ]);
});

test('a deleted account leaves nothing behind, and its promo no longer plays elsewhere', async () => {
  const [given, received] = [await agree(ana, ben), await agree(ben, ana)];
  const other = await publisher(`Others ${number}`);
  await other.api.recommendations.block({ creatorId: ben.creatorId });
  await ben.api.recommendations.block({});

  await eraseRecommendations(ctx(), { userId: ben.id });
  await eraseRecommendations(ctx(), { userId: ben.id });

  const rows = await db.select().from(recommendations).orderBy(recommendations.id);
  expect(rows.filter(({ id }) => id === given || id === received)).toEqual([]);
  expect(await db.$count(recommendationBlocks, eq(recommendationBlocks.creatorId, ben.creatorId))).toBe(0);
  expect(await db.$count(recommendationBlocks, eq(recommendationBlocks.creatorId, other.creatorId))).toBe(0);
  expect((await campaignsOf(ana)).map(({ campaign }) => campaign.endedAt)).toEqual([clock.now]);
});

import { and, asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { DAYS, earlier, later } from '~/server/base/time';
import { endAccess, grantAccess } from '~/server/domain/access/grant-access';
import { dripReaches, dripSteps, isDripped, stepsOfDrip } from '~/server/policy/drip';
import { actorInQuery, availableAt, isHeard, whereHeard } from '~/server/policy/visibility';
import { transact } from '~/server/runtime/ctx';
import { cast } from '../support/cast';
import { BASE_TIME } from '../support/runtime';

const { runtime, clock, make, visitorCtx } = await cast({ empty: true });
const { db } = runtime;
const now = BASE_TIME;
const owner = await make.creator();
const at = (days: number) => later(now, DAYS(days));

test.each([
  ['the first episode is there at once', { joined: 0, dripDays: 7, place: 0 }, 0],
  ['the next one comes after the days', { joined: 0, dripDays: 7, place: 1 }, 7],
  ['the fifth one after four times the days', { joined: -10, dripDays: 3, place: 4 }, 2],
])('%s', (_, { joined, dripDays, place }, day) => {
  expect(dripReaches({ joinedAt: at(joined), dripDays, place })).toEqual(at(day));
});

test.each([
  [0, 0],
  [-DAYS(7) + 1, 0],
  [-DAYS(7), 1],
  [-DAYS(70) + 1, 9],
  [-DAYS(70), 10],
])('a subscriber who joined %i ms ago has %i episodes after the first', (ms, steps) => {
  const joinedAt = later(now, ms);
  const drip = { joinedAt, dripDays: 7 };

  expect(dripSteps(drip, now)).toBe(steps);
  expect(dripReaches({ ...drip, place: steps }) <= now).toBe(true);
  expect(dripReaches({ ...drip, place: steps + 1 }) > now).toBe(true);
});

/** Two private episodes are released at once; other episodes of the show don't count. */
const SHAPE = [
  { type: 'private', releaseAt: at(-20) },
  { type: 'public', releaseAt: at(-19) },
  { type: 'private', releaseAt: at(-18) },
  { type: 'private', releaseAt: at(-18) },
  { type: 'private', releaseAt: at(-17), deletedAt: now },
  { type: 'private', releaseAt: at(-16), status: 'on_hold' },
  { type: 'trailer', releaseAt: at(-15) },
  { type: 'private', releaseAt: at(-14) },
] as const;
const SHOWS = [
  { priceMinor: 500, dripDays: 7 },
  { priceMinor: 500, dripDays: 0 },
  { priceMinor: null, dripDays: 7 },
];
const JOINED = [0, -1, 1, -DAYS(7) + 1, -DAYS(7), -DAYS(14), -DAYS(90)];
for (const [i, terms] of SHOWS.entries()) {
  const show = await make.product(owner, { slug: `show-${i}`, ...terms });
  await make.episodes(show, SHAPE.length, (n) => SHAPE[n]!);
}
const rows = await db
  .select({ episode: episodes, product: products })
  .from(episodes)
  .innerJoin(products, eq(products.id, episodes.productId))
  .orderBy(asc(episodes.id));

/** Counts the days naively, as the expected result. */
function expectedFor({ episode, product }: (typeof rows)[number], joinedAt: Date): Date | null {
  if (!isDripped(episode, product)) return null;
  const dripped = rows.filter(
    (row) => row.product.id === product.id && row.episode.type === 'private' && row.episode.status === 'published',
  );
  const place = dripped.filter(
    ({ episode: other }) =>
      other.deletedAt === null &&
      (other.releaseAt! < episode.releaseAt! ||
        (other.releaseAt!.getTime() === episode.releaseAt!.getTime() && other.id < episode.id)),
  ).length;
  const reached = dripReaches({ joinedAt, dripDays: product.dripDays, place });
  return reached > now ? reached : null;
}

test.each(JOINED)('queries agree with the rule for a subscriber who joined %i ms ago', async (ms) => {
  const joinedAt = later(now, ms);
  const listener = await make.person();
  const shows = await db.select().from(products).orderBy(products.id);
  const grant = { userId: listener.id, source: 'gift' as const, startsAt: earlier(now, 1), dripsFrom: joinedAt };
  await db.insert(grants).values(shows.map(({ id }) => ({ ...grant, productId: id })));
  const actor = actorInQuery({
    actor: { type: 'user', userId: listener.id, creatorId: null, role: 'owner', sessionId: 's' },
    now: () => now,
  });

  const found = await db
    .select({ id: episodes.id, at: availableAt(actor), isHeard: whereHeard(actor) })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .orderBy(asc(episodes.id));
  const steps = await db
    .select({ steps: stepsOfDrip(grants.dripsFrom.getSQL(), now.toISOString()) })
    .from(grants)
    .innerJoin(products, eq(products.id, grants.productId))
    .where(and(eq(grants.userId, listener.id), eq(products.dripDays, 7)))
    .orderBy(grants.id);

  const expected = rows.map((row) => ({ id: row.episode.id, at: expectedFor(row, joinedAt) }));
  expect(found.map(({ id, at: found }) => ({ id, at: found && new Date(found) }))).toEqual(expected);
  expect(found.map((row) => row.isHeard)).toEqual(
    expected.map((row) => isHeard({ hasGrant: true, availableAt: row.at?.toISOString() ?? null })),
  );
  expect(steps.map((row) => row.steps && Number(row.steps)).sort()).toEqual(
    [dripSteps({ joinedAt, dripDays: 7 }, now), null].sort(),
  );
});

test('the drip continues where it was: after a pause, and from a gift to a subscription', async () => {
  const listener = await make.person();
  const show = await make.product(owner, { slug: 'goes-on', priceMinor: 500, dripDays: 7 });
  const key = { userId: listener.id, productId: show.id };
  const give = (source: 'gift' | 'subscription' | 'follow', endsAt?: Date) =>
    transact(visitorCtx(), (tx) => grantAccess(tx, { ...key, source, endsAt }));
  const heldDays = async (source: 'gift' | 'subscription') => {
    const own = and(eq(grants.userId, listener.id), eq(grants.productId, show.id), eq(grants.source, source));
    const [grant] = await db.select().from(grants).where(own);
    return (clock.now.getTime() - grant!.dripsFrom.getTime()) / DAYS(1);
  };
  await give('follow');
  clock.now = at(5);
  await give('gift', at(15));
  const first = await heldDays('gift');
  clock.now = at(12);
  await give('gift', at(15));
  await give('subscription');
  const [repeated, passedOn] = [await heldDays('gift'), await heldDays('subscription')];
  clock.now = at(20);
  await transact(visitorCtx(), (tx) => endAccess(tx, { ...key, source: 'subscription' }));
  clock.now = at(50);
  await give('subscription');

  expect([first, repeated, passedOn]).toEqual([0, 7, 7]);
  expect(await heldDays('subscription')).toBe(15);
  clock.now = BASE_TIME;
});

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { grants } from '~/db/schema/access';
import { products } from '~/db/schema/products';
import { DAYS, earlier, later } from '~/server/base/time';
import * as visibility from '~/server/policy/visibility';
import { cast } from '../support/cast';
import { BASE_TIME } from '../support/runtime';

const { runtime, make } = await cast({ empty: true });
const { db } = runtime;
const owner = await make.creator();
const [holder, other] = [await make.person(), await make.person()];

const SOURCES = ['follow', 'subscription', 'purchase', 'gift'] as const;
const now = BASE_TIME;
const TIMES = [
  { startsAt: now, endsAt: null },
  { startsAt: earlier(now, DAYS(1)), endsAt: later(now, 1) },
  { startsAt: earlier(now, DAYS(1)), endsAt: now },
  { startsAt: later(now, 1), endsAt: null },
];
const combinations = [null, 500].flatMap((priceMinor) =>
  SOURCES.flatMap((source) => TIMES.map((times) => ({ priceMinor, source, ...times }))),
);
for (const [i, { priceMinor, ...grant }] of combinations.entries()) {
  const { id } = await make.product(owner, { priceMinor, slug: `show-${i}` });
  await db.insert(grants).values({ ...grant, userId: holder.id, productId: id });
}
const rows = await db
  .select({ grant: grants, product: products })
  .from(grants)
  .innerJoin(products, eq(products.id, grants.productId))
  .orderBy(grants.id);
type Row = (typeof rows)[number];

const idsOf = (found: Row[]) => found.map(({ product }) => product.id).sort((a, b) => a - b);
const select = (where: SQL) =>
  db
    .select({ id: products.id })
    .from(products)
    .innerJoin(grants, eq(grants.productId, products.id))
    .where(where)
    .orderBy(products.id);
const actor = (userId: number) =>
  visibility.actorInQuery({
    actor: { type: 'user', userId, creatorId: null, role: 'owner', sessionId: 's' },
    now: () => now,
  });

test.each<[string, (row: Row) => boolean, SQL]>([
  ['whereLiveGrant', ({ grant }) => visibility.isLiveGrant(grant, now), visibility.whereLiveGrant(now.toISOString())],
  ['wherePaidGrant', ({ grant }) => visibility.isPaidGrant(grant), visibility.wherePaidGrant()],
  [
    'whereOpeningGrant',
    ({ grant, product }) => visibility.isOpeningGrant(grant, product, now),
    visibility.whereOpeningGrant(now.toISOString()),
  ],
  [
    'whereGranted',
    ({ grant, product }) => visibility.isOpeningGrant(grant, product, now),
    visibility.whereGranted(actor(holder.id)),
  ],
  [
    'wherePaidFor',
    ({ grant }) => visibility.isPaidGrant(grant) && visibility.isLiveGrant(grant, now),
    visibility.wherePaidFor(now),
  ],
])('%s selects what its predicate allows, for every source, price and time', async (_, allows, where) => {
  const selected = await select(where);

  const allowed = idsOf(rows.filter(allows));
  expect(allowed.length).toBeGreaterThan(0);
  expect(selected.map(({ id }) => id)).toEqual(allowed);
});

test('only the person with the grant has it', async () => {
  const visitor = visibility.actorInQuery({ actor: { type: 'visitor' }, now: () => now });

  expect(await select(visibility.whereGranted(actor(other.id)))).toEqual([]);
  expect(await select(visibility.whereGranted(visitor))).toEqual([]);
});

test('a prepared query asks again for each person and each moment', async () => {
  type Values = { userId: number; now: string };
  const granted = preparedSelect((from, values: Inputs<Values>) =>
    from
      .select({ id: products.id })
      .from(products)
      .where(and(visibility.whereGranted({ type: 'user', creatorId: null, ...values }), sql`true`))
      .orderBy(products.id),
  );
  const countAt = async (userId: number, at: Date) => (await granted(db, { userId, now: at.toISOString() })).length;

  const counts = [await countAt(holder.id, now), await countAt(other.id, now), await countAt(holder.id, later(now, 1))];

  const expected = (at: Date) => rows.filter(({ grant, product }) => visibility.isOpeningGrant(grant, product, at));
  expect(counts).toEqual([expected(now).length, 0, expected(later(now, 1)).length]);
});

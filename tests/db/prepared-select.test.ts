import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { equalIfGiven, type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { sessions, users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { lookupCreatorByDomain } from '~/server/domain/creators/queries';
import { listEpisodeRows } from '~/server/domain/episodes/queries';
import { findProductRecord, lookupProductAtAddress, lookupProductBySlug } from '~/server/domain/products/queries';
import type { Ctx } from '~/server/runtime/ctx';
import { cast } from '../support/cast';

const { runtime, lucia, tom, podcast, ctxOf, visitorCtx } = await cast();
const { db } = runtime;
const show = await findProductRecord(ctxOf(lucia), podcast.id);
const list = { ordering: '-release_date', page: 1, pageSize: 3 } as const;

type Reader = Record<string, (ctx: Ctx) => Promise<unknown>>;
const QUERIES: Reader = {
  'a product by its id': (ctx) => findProductRecord(ctx, podcast.id),
  'a product by its id and kind': (ctx) => findProductRecord(ctx, podcast.id, 'podcast'),
  'a product by its slug': (ctx) => lookupProductBySlug(ctx, lucia.creatorId, podcast.slug),
  'a product at its address': (ctx) => lookupProductAtAddress(ctx, { domain: 'lucia', slug: podcast.slug }),
  'a creator by the domain': (ctx) => lookupCreatorByDomain(ctx, 'lucia'),
  'listed episodes': (ctx) => listEpisodeRows(ctx, show, list, 'listed'),
  'seen episodes by name': (ctx) => listEpisodeRows(ctx, show, { ...list, ordering: 'name', type: 'public' }, 'seen'),
  'found episodes': (ctx) => listEpisodeRows(ctx, show, { ...list, search: 'e', status: 'published' }, 'seen'),
};
const ACTORS: Record<string, () => Ctx> = {
  'the owner': () => ctxOf(lucia),
  'a listener': () => ctxOf(tom),
  'a visitor': () => visitorCtx(),
};

const cases = Object.keys(QUERIES).flatMap((query) => Object.keys(ACTORS).map((actor) => ({ query, actor })));
test.each(cases)('$query, for $actor: equals what Drizzle reads in a transaction', async ({ query, actor }) => {
  const ctx = ACTORS[actor]!();
  const read = QUERIES[query]!;

  const [first, again] = [await read(ctx), await read(ctx)];
  const plain = await db.transaction((tx) => read({ ...ctx, db: tx }));

  expect(plain).toBeTruthy();
  expect(first).toEqual(plain);
  expect(again).toEqual(plain);
});

const selectUsers = preparedSelect((from, { id, name }: Inputs<{ id?: number; name?: string }>) =>
  from
    .select({ id: users.id })
    .from(users)
    .where(equalIfGiven(users.id, id) ?? equalIfGiven(users.name, name))
    .orderBy(users.id),
);

test('a value that is given selects another text than one that is not', async () => {
  const byId = await selectUsers(db, { id: tom.id });
  const byName = await selectUsers(db, { id: undefined, name: 'nobody' });

  expect(byId).toEqual([{ id: tom.id }]);
  expect(byName).toEqual([]);
});

test('null is a value that nothing equals, also after a call without the value', async () => {
  const select = preparedSelect((from, { name }: Inputs<{ name?: string | null }>) =>
    from.select({ id: users.id }).from(users).where(equalIfGiven(users.name, name)).orderBy(users.id),
  );

  const everybody = await select(db, {});
  const nobody = await select(db, { name: null });

  expect(everybody.length).toBeGreaterThan(1);
  expect(nobody).toEqual([]);
});

test('an outer join is rejected', async () => {
  const joined = preparedSelect((from, { id }: Inputs<{ id: number }>) =>
    from
      .select({ user: users, session: sessions })
      .from(users)
      .leftJoin(sessions, eq(sessions.userId, users.id))
      .where(eq(users.id, id)),
  );

  await expect(joined(db, { id: tom.id })).rejects.toThrow('inner joins only');
});

test('a failed statement has the driver error as its cause', async () => {
  const failing = preparedSelect((from, { id }: Inputs<{ id: number }>) =>
    from
      .select({ title: episodes.name, product: { slug: products.slug }, creator: creators, wrong: sql`1 / 0` })
      .from(episodes)
      .innerJoin(products, eq(products.id, episodes.productId))
      .innerJoin(creators, eq(creators.id, episodes.creatorId))
      .where(eq(products.id, id)),
  );

  await expect(failing(db, { id: podcast.id })).rejects.toMatchObject({ cause: { code: '22012' } });
});

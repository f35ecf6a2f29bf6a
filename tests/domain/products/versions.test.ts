import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { HOURS, later } from '~/server/base/time';
import { markCreatorChanged } from '~/server/domain/creators/mark-creator-changed';
import { markProductChanged } from '~/server/domain/products/mark-product-changed';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

const { runtime, clock, client, lucia, podcast } = await cast();
const ctx = systemCtx(runtime, 'test');

const productRow = async () => (await runtime.db.select().from(products).where(eq(products.id, podcast.id)))[0]!;
const creatorRow = async () => (await runtime.db.select().from(creators).where(eq(creators.id, lucia.creatorId)))[0]!;

test('a change of a product increases its version and stores the time of the change', async () => {
  const before = await productRow();
  clock.now = later(clock.now, HOURS(1));

  await transact(ctx, (tx) => markProductChanged(tx, podcast.id));

  expect(await productRow()).toMatchObject({ version: before.version + 1, changedAt: clock.now });
  expect(before.changedAt).not.toEqual(clock.now);
});

test('a change of a creator increases the version', async () => {
  const before = await creatorRow();

  await transact(ctx, (tx) => markCreatorChanged(tx, lucia.creatorId));

  expect((await creatorRow()).version).toBe(before.version + 1);
});

test('a change is announced at its commit, and a rolled-back change is not', async () => {
  const changedTags: string[] = [];
  const { unlisten } = await client.listen('changed', (tag) => changedTags.push(tag));

  await transact(ctx, async (tx) => {
    await markCreatorChanged(tx, 999_999);
    throw new Error('rolled back');
  }).catch(() => {});
  await transact(ctx, async (tx) => {
    await markProductChanged(tx, podcast.id);
    await markCreatorChanged(tx, lucia.creatorId);
  });

  await expect.poll(() => changedTags).toEqual([`product:${podcast.id}`, `creator:${lucia.creatorId}`]);
  await unlisten();
});

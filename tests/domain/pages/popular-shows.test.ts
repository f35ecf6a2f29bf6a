import { expect, test } from 'vitest';
import { listeningDays } from '~/db/schema/listening';
import { DAYS, earlier, utcDay } from '~/server/base/time';
import { discoverPage } from '~/server/domain/pages/discover-page';
import { popularShows } from '~/server/domain/pages/popular-shows';
import { refreshPopularity } from '~/server/domain/products/discover-products';
import { POPULAR_LIMITS } from '~/server/limits/products';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

const { runtime, make, visitorCtx } = await cast({ empty: true });
const creator = await make.creator({ domain: 'casa' });

async function show(slug: string, plays: [daysAgo: number, listens: number][], over = {}) {
  const product = await make.product(creator, { slug, category: 700, ...over });
  await make.episodes(product, 1, () => ({ type: 'public' }));
  const rows = plays.map(([ago, listens]) => ({
    ...{ productId: product.id, creatorId: creator.creatorId!, listens, downloads: 1 },
    day: utcDay(earlier(runtime.now(), DAYS(ago))),
  }));
  if (rows.length > 0) await runtime.db.insert(listeningDays).values(rows);
  return product;
}
await show('classic', [
  [20, 90],
  [1, 1],
]);
await show('rising', [
  [2, 10],
  [3, 10],
]);
await show('paid', [[1, 8]], { priceMinor: 500, category: 101 });
await show('former', [[9, 50]]);
await show('explicit', [[1, 70]], { explicit: true, category: 300 });
await show('unheard', [], { category: 1101 });
await show('unlisted', [[1, 60]], { isListed: false });
await refreshPopularity(systemCtx(runtime, 'popularity'));

test('the most played shows of the last seven days come first, free and paid, but not explicit or unlisted', async () => {
  const { trending } = await popularShows(visitorCtx());

  expect(trending.map(({ slug, isFree }) => [slug, isFree])).toEqual([
    ['rising', true],
    ['paid', false],
    ['classic', true],
  ]);
  expect(trending.length).toBeLessThanOrEqual(POPULAR_LIMITS.trending);
});

test('each main category has the cover of its most popular show, and leads to its shows', async () => {
  const ctx = visitorCtx();
  const { categories } = await popularShows(ctx);

  expect(categories.map(({ category: { slug, parentId } }) => [slug, parentId])).toEqual([
    ['history', null],
    ['arts', null],
    ['music', null],
  ]);
});

test('Discover shows them at its start, and where nothing matches', async () => {
  const ctx = visitorCtx();
  const popularOf = async (input: Partial<Parameters<typeof discoverPage>[1]>) =>
    (await discoverPage(ctx, { page: 1, pageSize: 20, ...input })).popular;
  const others = [{ search: 'ruido' }, { category: 700 }, { page: 2 }, { ordering: 'name' as const }];

  expect((await popularOf({}))!.trending).not.toEqual([]);
  expect((await popularOf({ search: 'zzzz' }))!.trending).not.toEqual([]);
  for (const other of others) expect(await popularOf(other)).toBeNull();
});

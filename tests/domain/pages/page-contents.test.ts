import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { feedRedirects } from '~/db/schema/moving';
import { earlier, HOURS } from '~/server/base/time';
import { creatorPage } from '~/server/domain/pages/creator-page';
import { episodePage } from '~/server/domain/pages/episode-page';
import { productPage } from '~/server/domain/pages/product-page';
import { PAGE_LIMITS } from '~/server/limits/paging';
import { cast } from '../../support/cast';

const { runtime, make, visitorCtx } = await cast();
const { db } = runtime;
const ctx = visitorCtx();

test('a creator page lists the newest product first, and the five latest episodes', async () => {
  const creator = await make.creator();
  const { domain } = creator;
  const older = await make.product(creator, { slug: 'older', createdAt: earlier(runtime.now(), HOURS(1)) });
  await make.product(creator, { slug: 'newer', createdAt: runtime.now() });
  await make.episodes(older, 6);

  const page = await creatorPage(ctx, { domain });

  expect(page).toMatchObject({
    products: [{ slug: 'newer' }, { slug: 'older' }],
    latest: [6, 5, 4, 3, 2].map((number) => ({ slug: `episodio-${number}` })),
  });
  expect(page).toHaveProperty('latest.length', 5);
});

test.each([
  { kind: 'podcast' as const, episodes: 3 },
  { kind: 'audio_series' as const, episodes: 3 },
  { kind: 'podcast' as const, episodes: PAGE_LIMITS.size + 2 },
])('the page of a $kind with $episodes episodes has its newest trailer at the top', async ({ kind, episodes }) => {
  const creator = await make.creator();
  const announced = await make.product(creator, { kind });
  await make.episodes(announced, episodes, (i) => (i < 2 ? { type: 'trailer' } : {}));

  const page = await productPage(ctx, { domain: creator.domain, slug: announced.slug, page: 1 });

  expect(page).toMatchObject({ trailer: { slug: 'episodio-2' } });
});

test('a product page without a trailer has none', async () => {
  const creator = await make.creator();
  const product = await make.product(creator);
  await make.episodes(product, 1);

  expect(await productPage(ctx, { domain: creator.domain, slug: product.slug, page: 1 })).toMatchObject({
    trailer: null,
  });
});

test('the pages of a show have the address of its feed only while the feed has episodes or redirects', async () => {
  const creator = await make.creator();
  const { domain } = creator;
  const show = await make.product(creator, { priceMinor: 500 });
  const [locked] = await make.episodes(show, 2, (i) => ({ type: i ? 'trailer' : 'private', deletedAt: runtime.now() }));
  await db.update(episodes).set({ deletedAt: null }).where(eq(episodes.id, locked!.id));
  const feedUrls = async () => [
    await productPage(ctx, { domain, slug: show.slug, page: 1 }),
    await episodePage(ctx, { domain, slug: show.slug, episodeSlug: locked!.slug }),
  ];
  const url = runtime.urls.feed(domain, show.slug);

  expect(await feedUrls()).toMatchObject([{ feedUrl: null }, { feedUrl: null }]);
  await db.update(episodes).set({ deletedAt: null }).where(eq(episodes.productId, show.id));
  expect(await feedUrls()).toMatchObject([{ feedUrl: url }, { feedUrl: url }]);

  await db.update(episodes).set({ type: 'private' }).where(eq(episodes.productId, show.id));
  await db
    .insert(feedRedirects)
    .values({ productId: show.id, url: 'https://elsewhere.example/feed.xml', createdAt: runtime.now() });
  expect(await feedUrls()).toMatchObject([{ feedUrl: url }, { feedUrl: url }]);
});

test('an episode has its own cover, or else that of its product', async () => {
  const creator = await make.creator();
  const { domain } = creator;
  const product = await make.product(creator, { coverKey: 'images/1/show' });
  await make.episodes(product, 2, (i) => (i ? { coverKey: 'images/1/episode' } : {}));

  const page = await productPage(ctx, { domain, slug: product.slug, page: 1 });

  expect(page).toMatchObject({
    episodes: {
      items: [
        { cover: { jpg: '/media/images/1/episode/full.jpg' } },
        { cover: { jpg: '/media/images/1/show/full.jpg' } },
      ],
    },
  });
});

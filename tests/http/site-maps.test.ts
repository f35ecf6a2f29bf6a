import { gunzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { listSiteMap } from '~/server/domain/pages/site-map';
import { siteMapsDoor } from '~/server/doors/site-maps';
import { SITE_MAP_LIMITS } from '~/server/limits/paging';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast({ empty: true });
const { db } = runtime;
const APP = env.urls.appUrl;
const app = pagesApp(runtime, env.urls, { doors: [siteMapsDoor(runtime)] });
const lucia = await make.creator({ domain: 'lucia' });
const show = await make.product(lucia, { slug: 'ruido', name: '</loc><script>' });
const states = [
  { slug: 'open' },
  { slug: 'hidden', type: 'private' },
  { slug: 'scheduled', status: 'scheduled' },
  { slug: 'draft', status: 'on_hold' },
  { slug: 'deleted', deletedAt: runtime.now() },
] as const;
await make.episodes(show, states.length, (i) => states[i]!);
const archived = await make.product(lucia, { slug: 'old', archivedAt: runtime.now() });
const retired = await make.product(lucia, { slug: 'gone', retiredAt: runtime.now() });
const unlisted = await make.product(lucia, { slug: 'unlisted', isListed: false });
for (const product of [archived, retired, unlisted])
  await make.episodes(product, 1, () => ({ slug: `of-${product.slug}` }));
const HOST = 'http://staging-lucia.altavoz.localhost:3000';

async function read(url: string, at = app) {
  const response = await at.request(url);
  const text = await response.text();
  const { status, headers } = response;
  return {
    status,
    text,
    type: headers.get('content-type'),
    locs: [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) => loc!),
  };
}

test("a creator's sitemap has the public pages in each language, and no other", async () => {
  const index = await read(`${HOST}/sitemap.xml`);
  const pages = await Promise.all(index.locs.map((url) => read(url)));

  expect([index.status, index.type]).toEqual([200, 'application/xml; charset=utf-8']);
  expect(index.locs).toEqual(['creators', 'shows', 'episodes'].map((kind) => `${HOST}/sitemap-${kind}-1.xml`));
  const paths = ['', '/p/ruido', '/p/unlisted', '/p/ruido/open', '/p/unlisted/of-unlisted'];
  expect(pages.flatMap(({ locs }) => locs)).toEqual(
    paths.flatMap((path) => [`${HOST}/en${path}`, `${HOST}/es${path}`]),
  );
  for (const { text } of pages) expect(text).toMatch(/^<\?xml[^>]*>\n<urlset[^>]*>\n(<url>.*<\/url>\n)*<\/urlset>\n$/);
});

test("the app's sitemap has the pages of the site, and creators' pages if they have no hosts", async () => {
  const site = await read(`${APP}/sitemap-site-1.xml`);
  const inPaths = { ...runtime, urls: { ...runtime.urls, settings: { ...env.urls, creatorUrls: 'path' as const } } };
  const pathApp = pagesApp(inPaths, { ...env.urls, creatorUrls: 'path' }, { doors: [siteMapsDoor(inPaths)] });

  expect((await read(`${APP}/sitemap.xml`)).locs).toEqual([`${APP}/sitemap-site-1.xml`]);
  expect(site.locs).toContain(`${APP}/es/descubrir`);
  expect(site.locs).toContain(`${APP}/en/discover`);
  expect((await read(`${APP}/sitemap.xml`, pathApp)).locs).toEqual(
    ['site', 'creators', 'shows', 'episodes'].map((kind) => `${APP}/sitemap-${kind}-1.xml`),
  );
});

test.each([
  `${HOST}/sitemap-shows-2.xml`,
  `${HOST}/sitemap-site-1.xml`,
  `${APP}/sitemap-shows-1.xml`,
  `${HOST}/sitemap-users-1.xml`,
  'http://staging-nobody.altavoz.localhost:3000/sitemap.xml',
])('%s does not exist', async (url) => {
  expect((await read(url)).status).toBe(404);
});

test("a former domain's sitemap redirects, and a closed page has none", async () => {
  await lucia.api.creators.update({ domain: 'lucia-new' });
  const moved = await app.request(`${HOST}/sitemap.xml`);
  const closed = await make.creator({ domain: 'closed' });
  await db.update(creators).set({ closedAt: runtime.now() }).where(eq(creators.id, closed.creatorId));

  expect([moved.status, moved.headers.get('location')]).toEqual([
    301,
    'http://staging-lucia-new.altavoz.localhost:3000/sitemap.xml',
  ]);
  expect((await read('http://staging-closed.altavoz.localhost:3000/sitemap.xml')).status).toBe(404);
});

test('pages are counted once in ten minutes, and no file is looked for beyond them', async () => {
  const fresh = pagesApp(runtime, env.urls, { doors: [siteMapsDoor(runtime)] });
  const select = vi.spyOn(db, 'select');
  const reads = (name: string) => select.mock.calls.filter(([columns]) => Object.keys(columns ?? {}).includes(name));
  const host = HOST.replace('lucia', 'lucia-new');
  for (const file of ['sitemap', 'sitemap', 'sitemap-episodes-999999', 'sitemap-shows-2'])
    await read(`${host}/${file}.xml`, fresh);
  const found = [reads('total').length, reads('changedAt').length];
  select.mockRestore();

  expect(found).toEqual([3, 0]);
});

test('a file is made once for all who ask for it, and sent compressed to those who accept that', async () => {
  const fresh = pagesApp(runtime, env.urls, { doors: [siteMapsDoor(runtime)] });
  const url = `${HOST.replace('lucia', 'lucia-new')}/sitemap-shows-1.xml`;
  const select = vi.spyOn(db, 'select');
  const reads = () => select.mock.calls.filter(([columns]) => Object.keys(columns ?? {}).includes('changedAt')).length;
  const ask = (encoding?: string) => fresh.request(url, encoding ? { headers: { 'accept-encoding': encoding } } : {});
  const [plain, ...zipped] = await Promise.all([ask(), ask('gzip'), ask('br, gzip;q=0.5')]);
  const readOnce = reads();
  for await (const _ of listSiteMap(runtime, { kind: 'shows', creatorId: lucia.creatorId, part: 1 }));
  const again = reads() - readOnce;
  select.mockRestore();
  const text = await plain!.text();

  expect(readOnce).toBe(again);
  expect(text).toContain('/en/p/ruido</loc>');
  for (const { headers } of zipped)
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding']);
  const unzipped = await Promise.all(zipped.map(async (one) => gunzipSync(await one.arrayBuffer()).toString()));
  expect(unzipped).toEqual([text, text]);
});

test('a file ends at its limit, and the next one continues there', async () => {
  const ids: string[][] = [];
  const limits = SITE_MAP_LIMITS as { pages: number; batch: number };
  const before = { ...limits };
  Object.assign(limits, { pages: 3, batch: 2 });
  const big = await make.product(lucia, { slug: 'big' });
  await make.episodes(big, 5);
  for (const part of [1, 2, 3, 4]) {
    const slugs: string[] = [];
    for await (const pages of listSiteMap(runtime, { kind: 'episodes', creatorId: lucia.creatorId, part }))
      slugs.push(...pages.map(({ episodeSlug }) => episodeSlug!));
    ids.push(slugs);
  }
  Object.assign(limits, before);
  await db.update(products).set({ archivedAt: runtime.now() }).where(eq(products.id, big.id));

  expect(ids).toEqual([
    ['open', 'of-unlisted', 'episodio-1'],
    ['episodio-2', 'episodio-3', 'episodio-4'],
    ['episodio-5'],
    [],
  ]);
});

test('robots.txt names the sitemap of its host, and the paths that crawlers should skip', async () => {
  const [site, creator] = await Promise.all([read(`${APP}/robots.txt`), read(`${HOST}/robots.txt`)]);

  expect(site.text).toContain(`\nSitemap: ${APP}/sitemap.xml\n`);
  const closed = ['/dashboard', '/es/dashboard', '/podcasts', '/api', '/follow', '/es/donation', '/register', '/trpc'];
  for (const path of [...closed, '/es/@*/preview/']) expect(site.text).toContain(`\nDisallow: ${path}\n`);
  expect(site.text).not.toMatch(/^Disallow: \/(?:p|@|discover|contact|embed|oembed|)$/m);
  expect(creator.text).toBe(
    `User-agent: *\nDisallow: /preview/\nDisallow: /en/preview/\nDisallow: /es/preview/\n\nSitemap: ${HOST}/sitemap.xml\n`,
  );
  expect((await read('http://elsewhere.example/robots.txt')).status).toBe(404);
});

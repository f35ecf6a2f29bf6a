import { eq } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { creators, domains } from '~/db/schema/creators';
import { episodes, formerEpisodeSlugs } from '~/db/schema/episodes';
import { formerProductSlugs, products } from '~/db/schema/products';
import { PAGE_LIMITS } from '~/server/limits/paging';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast({ empty: true, settings: { CREATOR_URLS: 'path' } });
const { db } = runtime;
const APP = env.urls.appUrl;
const app = pagesApp(runtime, env.urls);
const hostsApp = pagesApp(runtime, { ...env.urls, creatorUrls: 'host' });

/** White text on this yellow has a contrast of 1.4:1. */
const brand = { buttonColor: '#FFD400', textColor: '#FFFFFF' };
const lucia = await make.creator({ domain: 'lucia' });
await db.update(creators).set(brand).where(eq(creators.id, lucia.creatorId));
const free = await make.product(lucia, { slug: 'ruido' });
const [open, hidden] = await make.episodes(free, 2, (i) => (i ? { type: 'private', name: 'Ensayo' } : {}));
const paid = await make.product(lucia, { slug: 'club', name: 'Club', priceMinor: 500 });
const [locked] = await make.episodes(paid, 1, () => ({ type: 'private', name: 'Para socios' }));

async function read(path: string, cookie = '') {
  const response = await app.request(`${APP}${path}`, { headers: { cookie } });
  const html = await response.text();
  const { status, headers } = response;
  const tags = headers.get('x-cache-tags')?.split(' ').sort();
  return { status, location: headers.get('location'), caching: headers.get('cache-control'), tags, html };
}

/** The `href` of each link of this kind in the head, by language. */
function linksOf(html: string, rel: string): Record<string, string> {
  const links = html.match(new RegExp(`<link rel="${rel}"[^>]*>`, 'g')) ?? [];
  const attribute = (link: string, name: string) => new RegExp(`${name}="([^"]*)"`, 'i').exec(link)?.[1] ?? '';
  return Object.fromEntries(links.map((link) => [attribute(link, 'hreflang'), attribute(link, 'href')]));
}

const structuredData = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? 'null');

test.each([
  ['/@lucia', [`creator:${lucia.creatorId}`, `product:${free.id}`, `product:${paid.id}`]],
  ['/@lucia/p/ruido', [`creator:${lucia.creatorId}`, `product:${free.id}`]],
  ['/@lucia/p/ruido/episodio-1', [`creator:${lucia.creatorId}`, `product:${free.id}`]],
])('%s has a cache tag for its creator and each product on it', async (path, tags) => {
  expect(await read(path)).toMatchObject({ status: 200, tags });
});

test.each(['/@lucia', '/@lucia/p/ruido', '/@lucia/p/ruido/episodio-1'])(
  'the SQL of %s is built once, not for each visitor',
  async (path) => {
    await read(`${path}?fresh=1`);
    const build = vi.spyOn(PgDialect.prototype, 'sqlToQuery');
    onTestFinished(() => build.mockRestore());

    await read(`${path}?fresh=2`);

    expect(build.mock.results.map(({ value }) => value.sql)).toEqual([]);
  },
);

test.each(['/@lucia', '/@lucia/p/ruido', '/@lucia/p/ruido/episodio-1'])(
  'text on the brand colour of %s is readable',
  async (path) => {
    const { html } = await read(path);

    expect(html).toContain('--action:#FFD400;--on-action:#15131D');
  },
);

test.each(['/@lucia', '/@lucia/p/ruido', '/@lucia/p/ruido/episodio-1'])(
  '%s names its canonical URL and its translations',
  async (path) => {
    const [english, spanish] = [await read(`/en${path}?utm_source=mail`), await read(path)];

    const [en, es] = [`${APP}/en${path}`, `${APP}/es${path}`];
    const translations = { en, es, 'x-default': `${APP}${path}` };
    expect(linksOf(english.html, 'canonical')).toEqual({ '': en });
    expect(linksOf(spanish.html, 'canonical')).toEqual({ '': es });
    expect(linksOf(english.html, 'alternate')).toMatchObject(translations);
    expect(linksOf(spanish.html, 'alternate')).toMatchObject(translations);
  },
);

test.each([
  ['the browser prefers', { 'accept-language': 'en' }, 'en'],
  ['the show has, for a browser with none of ours', { 'accept-language': 'fr' }, 'es'],
  ['the show has, for a client without a preference', {}, 'es'],
  ['the visitor chose', { 'accept-language': 'es', cookie: 'language=en' }, 'en'],
])("a creator's pages are in the language that %s", async (_, headers: Record<string, string>, language) => {
  const paths = ['/@lucia', '/@lucia/p/ruido', '/@lucia/p/ruido/episodio-1'];

  const pages = await Promise.all(paths.map(async (path) => (await app.request(`${APP}${path}`, { headers })).text()));

  for (const html of pages) {
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toMatch(/<h[13] lang="es" dir="auto">/);
  }
});

test('structured data names the URLs of the page, the feed and the audio', async () => {
  const [product, episode] = [await read('/@lucia/p/ruido'), await read('/@lucia/p/ruido/episodio-1')];

  const url = `${APP}/@lucia/p/ruido`;
  const series = { '@type': 'PodcastSeries', url, webFeed: `${url}/feed.xml`, author: { url: `${APP}/@lucia` } };
  const contentUrl = `${APP}/audio/${open!.id}/episodio-1.mp3`;
  const about = { '@type': 'PodcastEpisode', url: `${url}/episodio-1`, associatedMedia: { contentUrl } };
  expect(structuredData(product.html)).toMatchObject({ ...series, episode: [about] });
  expect(structuredData(episode.html)).toMatchObject({ ...about, partOfSeries: series });
  expect(product.html.match(/PodcastSeries/g), 'not in the loader data again').toHaveLength(1);
});

test('pages of a show without a public episode do not link to a feed', async () => {
  const pages = [await read('/@lucia/p/club'), await read('/@lucia/p/club/episodio-1')];

  for (const { html, status } of pages) {
    expect(status).toBe(200);
    expect(html).not.toContain('/p/club/feed.xml');
    expect(html).not.toContain('id="in-app"');
  }
  expect((await read('/@lucia/p/ruido')).html).toMatch(/type="application\/rss\+xml".*id="in-app"/s);
});

test('Discover describes the shows that it lists with whole addresses', async () => {
  const { html } = await read('/en/discover');
  const list = structuredData(html)['@graph'].find((each: { '@type': string }) => each['@type'] === 'ItemList');
  const [series] = list.itemListElement;

  expect(list.itemListElement).toHaveLength(2);
  expect(series).toMatchObject({ position: 1, url: expect.stringMatching(`^${APP}/@lucia/p/(?:ruido|club)$`) });
});

test('structured data says which shows are free, and the price of the others', async () => {
  const [ofFree, ofPaid] = [await read('/@lucia/p/ruido'), await read('/@lucia/p/club')];
  const url = `${APP}/@lucia/p/club`;

  expect(structuredData(ofFree.html)).toMatchObject({
    isAccessibleForFree: true,
    episode: [{ isAccessibleForFree: true }],
  });
  expect(structuredData(ofFree.html)).not.toHaveProperty('offers');
  expect(structuredData(ofPaid.html)).toMatchObject({
    isAccessibleForFree: false,
    offers: [
      { '@type': 'Offer', url, price: '5.00', priceCurrency: 'EUR', priceSpecification: { billingDuration: 'P1M' } },
    ],
    episode: [{ name: 'Para socios', isAccessibleForFree: false }],
  });
});

test('a hostile text stays a text in the head and in the structured data', async () => {
  const name = '</script><script>alert(1)</script>"><img src=x>';
  const hostile = await make.product(lucia, { slug: 'hostile', name, description: name });
  await make.episodes(hostile, 1, () => ({ name: name.repeat(10), description: '<p>x</p>' }));

  for (const path of ['/@lucia/p/hostile', '/@lucia/p/hostile/episodio-1']) {
    const { html } = await read(path);
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('"><img src=x>');
    expect(JSON.stringify(structuredData(html))).toContain('alert(1)');
  }
  await db.delete(episodes).where(eq(episodes.productId, hostile.id));
  await db.delete(products).where(eq(products.id, hostile.id));
});

test('a private episode of a paid product is listed without its audio', async () => {
  const pages = [await read('/@lucia/p/club'), await read('/@lucia/p/club/episodio-1')];

  for (const { status, html } of pages) {
    expect(status).toBe(200);
    expect(html).toContain('Para socios');
    expect(html).not.toContain(`/audio/${locked!.id}/`);
  }
});

test('a private episode of a free product is on no list, not even for its owner', async () => {
  const cookie = `token=${lucia.token}; podcaster=${lucia.creatorId}`;

  const visitor = [await read('/@lucia'), await read('/@lucia/p/ruido')];
  const owner = [await read('/@lucia', cookie), await read('/@lucia/p/ruido', cookie)];

  for (const { html } of [...visitor, ...owner]) {
    expect(html).toContain('Episodio 1');
    expect(html).not.toContain('Ensayo');
  }
  expect((await read(`/@lucia/p/ruido/${hidden!.slug}`)).status).toBe(404);
  expect((await read(`/@lucia/p/ruido/${hidden!.slug}`, cookie)).status).toBe(200);
});

test('a former address redirects to the current one in the same language', async () => {
  await db.insert(formerProductSlugs).values({ scopeId: lucia.creatorId, slug: 'viejo', ownerId: free.id });
  await db.insert(formerEpisodeSlugs).values({ scopeId: free.id, slug: 'primero', ownerId: open!.id });

  expect(await read('/@lucia/p/viejo')).toMatchObject({ status: 301, location: '/@lucia/p/ruido' });
  expect(await read('/es/@lucia/p/viejo')).toMatchObject({ status: 301, location: '/es/@lucia/p/ruido' });
  expect(await read('/es/@lucia/p/viejo/primero')).toMatchObject({
    status: 301,
    location: '/es/@lucia/p/ruido/episodio-1',
  });
});

test('a former address of a private episode does not reveal its current one', async () => {
  await db.insert(formerEpisodeSlugs).values({ scopeId: free.id, slug: 'ensayo', ownerId: hidden!.id });

  expect(await read('/@lucia/p/ruido/ensayo')).toMatchObject({ status: 404, location: null });
});

test('the pages for a hidden and a missing episode are equal, as are the studio pages of a foreign and a missing show', async () => {
  const other = await make.creator();
  const cookie = `token=${other.token}; podcaster=${other.creatorId}`;
  const bodyOf = async (path: string) => {
    const { status, html } = await read(path, cookie);
    return { status, html: html.replaceAll(path, 'PATH').replaceAll(/nonce="[^"]*"/g, '') };
  };

  const [hiddenPage, missingPage] = [
    await bodyOf(`/@lucia/p/ruido/${hidden!.slug}`),
    await bodyOf('/@lucia/p/ruido/missing'),
  ];
  const [foreign, missing] = [await bodyOf(`/podcasts/${free.id}`), await bodyOf('/podcasts/999999')];

  expect(hiddenPage).toEqual(missingPage);
  expect(foreign).toEqual(missing);
  expect([hiddenPage.status, foreign.status]).toEqual([404, 404]);
});

test.each([
  ['/en/@lucia/p/missing', 'Error 404. Page not found. · Altavoz'],
  ['/es/@lucia/p/ruido/missing', 'Error 404. Página no encontrada. · Altavoz'],
  ['/en/@lucia/p/ruido?page=99', 'Error 404. Page not found. · Altavoz'],
  ['/en/@lucia/nowhere', 'Error 404. Page not found. · Altavoz'],
  ['/es/@lucia/a/b/c', 'Error 404. Página no encontrada. · Altavoz'],
])("a missing page of a creator, %s, has a title and the creator's own header", async (path, title) => {
  const { status, html } = await read(path);

  expect(status).toBe(404);
  expect(html).toContain(`<title>${title}</title>`);
  expect(html).toContain('--action:#FFD400');
  expect(html).toMatch(/<a class="wordmark"[^>]*href="[^"]*\/@lucia"[^>]*>Lucía/);
});

test.each(['/en/nope', '/en/a/b/c/d', '/en/404', '/en/p/missing'])(
  "on a creator's own host a missing page, %s, has the creator's own header",
  async (path) => {
    const response = await hostsApp.request(`http://staging-lucia.altavoz.localhost:3000${path}`);

    const html = await response.text();
    expect(response.status).toBe(404);
    expect(html).toContain('--action:#FFD400');
    expect(html).toMatch(/<a class="wordmark"[^>]*href="\/en"[^>]*>Lucía/);
  },
);

test("a missing page at a creator's former domain has the creator's own header", async () => {
  await db.insert(domains).values({ domain: 'before', creatorId: lucia.creatorId, claimedAt: runtime.now() });

  const { status, html } = await read('/en/@before/nowhere');

  expect(status).toBe(404);
  expect(html).toMatch(/<a class="wordmark"[^>]*>Lucía/);
});

test('a missing page on a host without a creator has our header', async () => {
  const response = await hostsApp.request('http://staging-nobody.altavoz.localhost:3000/en/nope');

  const html = await response.text();
  expect(response.status).toBe(404);
  expect(html).toContain('<title>Error 404. Page not found. · Altavoz</title>');
  expect(html).toContain('class="wordmark"><svg');
});

test('elsewhere a missing page has a title and our header', async () => {
  const { status, html } = await read('/nowhere');

  expect(status).toBe(404);
  expect(html).toContain('<title>Error 404. Page not found. · Altavoz</title>');
  expect(html).not.toContain('--action:#FFD400');
});

test('the owner of an episode on hold sees that only the owner can see its page', async () => {
  const cookie = `token=${lucia.token}; podcaster=${lucia.creatorId}; language=en`;
  await make.episodes(free, 1, () => ({ status: 'on_hold', slug: 'held', name: 'Held' }));

  const [owner, visitor, published] = [
    await read('/@lucia/p/ruido/held', cookie),
    await read('/@lucia/p/ruido/held'),
    await read('/@lucia/p/ruido/episodio-1', cookie),
  ];

  expect(owner.html).toContain('role="note">Only you can see this page: the episode is on hold.');
  expect(visitor.status).toBe(404);
  expect(published.html).not.toContain('role="note"');
});

test('web addresses in descriptions are links', async () => {
  await make.product(lucia, { slug: 'enlaces', description: 'See https://a.example/x.' });

  const { html } = await read('/@lucia/p/enlaces');

  expect(html).toContain('See <a href="https://a.example/x" rel="nofollow noopener">https://a.example/x</a>.');
});

test('the last page of a list is found, the one after it is not', async () => {
  const long = await make.product(lucia, { slug: 'largo' });
  await make.episodes(long, PAGE_LIMITS.size + 1);

  const pages = await Promise.all(['', '?page=2', '?page=3'].map((query) => read(`/@lucia/p/largo${query}`)));

  expect(pages.map(({ status }) => status)).toEqual([200, 200, 404]);
  expect(linksOf(pages[1]!.html, 'canonical')).toEqual({ '': `${APP}/es/@lucia/p/largo?page=2` });
});

test('search engines index public pages; the studio and the login page are neither indexed nor cached', async () => {
  const cookie = `token=${lucia.token}; podcaster=${lucia.creatorId}`;
  const isIndexed = ({ html }: { html: string }) => !html.includes('<meta name="robots" content="noindex"/>');

  const publicPages = await Promise.all(['/@lucia', '/@lucia/p/ruido'].map((path) => read(path)));
  const ownPages = [await read('/dashboard', cookie), await read('/products', cookie), await read('/login')];

  expect(publicPages.map(isIndexed)).toEqual([true, true]);
  expect(ownPages.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(ownPages.map(isIndexed)).toEqual([false, false, false]);
  expect(ownPages.map(({ caching }) => caching)).toEqual(Array(3).fill('private, no-cache'));
});

test('a failed login returns the email but not the password', async () => {
  const body = new URLSearchParams({ email: 'ana@mail.example', password: 'a wrong secret' });

  const response = await app.request(`${APP}/login`, { method: 'POST', body });

  const html = await response.text();
  expect(html).toContain('ana@mail.example');
  expect(html).not.toContain('a wrong secret');
});

test.each([
  ['/error', 500, 'An error 500 occurred on server or on client.'],
  ['/error?code=502', 502, 'An error 502 occurred on server or on client.'],
  ['/error?code=403', 403, 'You are not authorized to visit this page from your account.'],
  ['/error?code=404', 404, 'Error 404. Page not found.'],
  ['/error?code=200', 500, 'An error 500 occurred on server or on client.'],
  ['/error?code=<script>', 500, 'An error 500 occurred on server or on client.'],
  ['/404', 404, 'Error 404. Page not found.'],
])('%s answers %i and says what happened', async (path, expected, sentence) => {
  const { status, html } = await read(path);

  expect(status).toBe(expected);
  expect(html).toContain(expected === 500 || expected === 502 ? sentence : `<h1>${sentence}</h1>`);
  expect(html.includes('>Try again</a>')).toBe(expected === 500 || expected === 502);
});

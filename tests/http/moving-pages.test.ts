import { expect, test } from 'vitest';
import { siteMapsDoor } from '~/server/doors/site-maps';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, tom, lucia } = await cast();
const app = pagesApp(runtime, env.urls, { doors: [siteMapsDoor(runtime)] });
const { host, origin } = new URL(env.urls.appUrl);
const HOSTS = ['spotify', 'ivoox', 'podbean', 'libsyn', 'buzzsprout', 'transistor', 'supercast', 'patreon', 'acast'];
const ALL = [...HOSTS, 'substack'];
const FEED = 'https://feeds.example.com/olas.xml?a=1&b=2';

async function read(path: string, token?: string) {
  const cookie = token ? { cookie: `token=${token}` } : undefined;
  const response = await app.request(env.urls.appUrl + path, { headers: { host, origin, ...cookie } });
  return {
    status: response.status,
    location: response.headers.get('location'),
    tags: response.headers.get('x-cache-tags'),
    html: await response.text(),
  };
}
const send = (path: string, fields: Record<string, string>) =>
  app.request(env.urls.appUrl + path, {
    method: 'POST',
    headers: { host, origin, cookie: `token=${tom.token}` },
    body: new URLSearchParams(fields),
  });
const linked = (html: string) => [...html.matchAll(/<h2><a [^>]*href="([^"]*)"/g)].map(([, href]) => href);

test('the page of moves leads to each host, in both languages', async () => {
  const [english, spanish] = [await read('/en/move-from'), await read('/es/mudarse-desde')];

  expect(english.tags).toBe('content');
  expect(linked(english.html)).toEqual(ALL.map((name) => `/en/move-from/${name}`));
  expect(linked(spanish.html)).toEqual(ALL.map((name) => `/es/mudarse-desde/${name}`));
});

test.each(ALL)('the page about %s names its day, its sources and its form, which leads to the import', async (name) => {
  const [english, spanish] = [await read(`/en/move-from/${name}`), await read(`/es/mudarse-desde/${name}`)];

  for (const [{ status, html }, prefix] of [
    [english, '/en'],
    [spanish, '/es'],
  ] as const) {
    expect(status).toBe(200);
    expect(html).toMatch(/<form method="get" action="[^"]*\/products\/import"/);
    expect(html).toContain(`formaction="${prefix}/feed-preview"`);
    expect(html).toMatch(/<a href="https:\/\/[^"]+" rel="nofollow">/);
  }
  expect(english.html).toContain('Checked on 29 November 2026');
  expect(spanish.html).toContain('Comprobado el 29 de noviembre de 2026');
  expect(english.html).toContain('What we could not check');
});

test('a host that no page is about is not found, and hosts are in the site map', async () => {
  expect((await read('/move-from/nowhere')).status).toBe(404);
  expect((await read(`/move-from/${'x'.repeat(100)}`)).status).toBe(404);
  const { html: map } = await read('/sitemap-site-1.xml');
  for (const path of ['/en/move-from/ivoox', '/es/mudarse-desde/ivoox', '/en/move-from']) expect(map).toContain(path);
});

test('the home page asks for a feed, and its form needs no script', async () => {
  const { html } = await read('/es');

  expect(html).toContain('<form method="post" action="/es/feed-preview">');
  expect(html).toContain('href="/es/mudarse-desde"');
});

test('the import opens with the address of the query in its form', async () => {
  const { status, html } = await read(`/products/import?url=${encodeURIComponent(FEED)}`, lucia.token);

  expect(status).toBe(200);
  expect(html).toContain('value="https://feeds.example.com/olas.xml?a=1&amp;b=2"');
  expect(html).toContain('href="/move-from"');
});

test('a visitor logs in or signs up first, and a user without a page claims one first', async () => {
  const path = `/products/import?url=${encodeURIComponent(FEED)}`;
  const visitor = await read(path);
  const page = await read(path, tom.token);
  const claim = await send(page.location!, { name: 'Tom', domain: 'tom-moves' });

  expect(visitor.location).toBe(`/login?next=${encodeURIComponent(path)}`);
  expect((await read(visitor.location!)).html).toContain(`href="/register?next=${encodeURIComponent(path)}"`);
  expect(page.location).toBe(`/start/page?next=${encodeURIComponent(path)}`);
  expect(claim.headers.get('location')).toBe(`${path}&done=page_claimed`);
});

import { gzipSync } from 'node:zlib';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import script from '~/app/features/site/embed/embed-script?script';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { SECONDS } from '~/server/base/time';
import { PAGE_LIMITS } from '~/server/limits/paging';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make, clock } = await cast({ empty: true, settings: { CREATOR_URLS: 'path' } });
const { db } = runtime;
const APP = env.urls.appUrl;
const app = pagesApp(runtime, env.urls);

const TITLE = `</script><script>alert(1)</script> "comillas" 🎧 مرحبا ${'largo '.repeat(80)}`.slice(0, 500);
const lucia = await make.creator({ domain: 'lucia' });
const free = await make.product(lucia, { slug: 'ruido' });
const [open, draft] = await make.episodes(free, 2, (i) => ({ name: i ? 'Uno más' : TITLE, durationMs: SECONDS(96) }));
const paid = await make.product(lucia, { slug: 'club', name: 'Club', priceMinor: 500 });
const [locked] = await make.episodes(paid, 1, () => ({ type: 'private', name: 'Para socios' }));
const long = await make.product(lucia, { slug: 'larga', name: 'Larga' });

beforeAll(async () => {
  await db
    .update(creators)
    .set({ buttonColor: '#FFD400', textColor: '#FFFFFF' })
    .where(eq(creators.id, lucia.creatorId));
  await db.update(episodes).set({ status: 'on_hold' }).where(eq(episodes.id, draft!.id));
  await make.episodes(long, PAGE_LIMITS.embedded + 1);
});

async function read(path: string, headers: Record<string, string> = { 'accept-language': 'en' }) {
  const response = await app.request(`${APP}${path}`, { headers });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

const dataOf = (html: string) =>
  JSON.parse(/<script type="application\/json" id="embed-data">(.*?)<\/script>/.exec(html)?.[1] ?? 'null');

test('an embedded episode has its own document, which every site may frame and no search engine keeps', async () => {
  const { status, headers, html } = await read(`/embed/${open!.id}`);

  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toContain('frame-ancestors *;');
  expect(headers.get('x-frame-options')).toBeNull();
  expect(headers.get('x-robots-tag')).toBe('noindex');
  expect(headers.get('set-cookie')).toBeNull();
  expect(headers.get('x-cache-tags')).toBe(`creator:${lucia.creatorId} product:${free.id}`);
  expect(html).toMatch(/^<!doctype html><html lang="en">/);
  expect(html).not.toMatch(/<script[^>]+src=|<link rel="(?:stylesheet|modulepreload)"/);
  expect(html).toContain(`<noscript><audio controls="" preload="none" src="/audio/${open!.id}/`);
});

test.each([
  '/',
  '/login',
  '/@lucia',
  '/@lucia/p/ruido',
  '/embed',
  '/embed/x',
  '/embedded/1',
  '/dashboard',
  '/@lucia/embed/1',
])('no site may frame %s', async (path) => {
  const { headers } = await read(path);

  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('x-frame-options')).toBe('DENY');
});

test('an address with a slash at its end leads to the one that sites may frame', async () => {
  const response = await app.request(`${APP}/es/embed/p/${long.id}/?theme=dark`);

  expect([response.status, response.headers.get('location')]).toEqual([301, `/es/embed/p/${long.id}?theme=dark`]);
});

test("a creator's text stays text in an embedded player", async () => {
  const { html } = await read(`/embed/${open!.id}`);

  expect(html).not.toContain('<script>alert');
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(dataOf(html).tracks).toEqual([
    {
      id: open!.id,
      url: expect.stringContaining(`/audio/${open!.id}/`),
      name: open!.name,
      page: expect.any(String),
      seconds: 96,
      peaks: null,
    },
  ]);
  expect(html).toMatch(
    /<h1 lang="es" dir="auto"><a href="[^"]+\/@lucia\/p\/ruido\/[^"]+" target="_blank" rel="noopener">/,
  );
});

test('the colours of the brand are readable in both colour schemes', async () => {
  const { html } = await read(`/embed/${open!.id}`);

  const style = /<main class="embed" data-type="episode" style="([^"]*)">/.exec(html)?.[1];
  // the yellow is too light for a line on a light page
  expect(style).toBe('--action:#FFD400;--on-action:#15131D;--light-accent:var(--text);--dark-accent:#FFD400');
});

test.each([
  ['light', 'light'],
  ['dark', 'dark'],
  ['auto', undefined],
  ['pink', undefined],
])('theme=%s', async (theme, expected) => {
  const { html } = await read(`/embed/${open!.id}?theme=${theme}`);

  expect(/<html[^>]*data-mantine-color-scheme="(\w+)"/.exec(html)?.[1]).toBe(expected);
});

test('a private episode has a lock and a link, and nothing to play, not even for its owner', async () => {
  const cookie = `token=${lucia.token}; podcaster=${lucia.creatorId}`;
  const pages = await Promise.all(['', cookie].map((sent) => read(`/en/embed/${locked!.id}`, { cookie: sent })));

  for (const { status, html } of pages) {
    expect(status).toBe(200);
    expect(html).toContain('This episode is for subscribers.');
    expect(html).toContain(`/@lucia/p/club/${locked!.slug}" target="_blank"`);
    expect(html).not.toMatch(/\/audio\/|<script/);
  }
});

test('a long show lists its first episodes, and the rest is on its page', async () => {
  const { html } = await read(`/es/embed/p/${long.id}`);

  expect(html.match(/<li>/g)).toHaveLength(PAGE_LIMITS.embedded);
  expect(dataOf(html).tracks).toHaveLength(PAGE_LIMITS.embedded);
  expect(html).toContain(`Los ${PAGE_LIMITS.embedded + 1} episodios, en la página del programa`);
});

test('a show without episodes says so, and has nothing to play', async () => {
  const empty = await make.product(lucia, { slug: 'vacia', name: 'Vacía' });

  const { status, html } = await read(`/en/embed/p/${empty.id}`);

  expect(status).toBe(200);
  expect(html).toContain('<p class="missing">');
  expect(html).not.toMatch(/<script|data-toggle/);
});

test('an episode that is not public has no player, not even for its owner', async () => {
  const cookie = `token=${lucia.token}; podcaster=${lucia.creatorId}`;
  const paths = [`/embed/${draft!.id}`, '/embed/999999', '/embed/p/999999', `/embed/${'9'.repeat(15)}`];

  for (const path of paths) {
    const { status, headers, html } = await read(path, { cookie });
    expect([path, status, headers.get('x-cache-tags')]).toEqual([path, 404, null]);
    expect(html).not.toContain('/audio/');
    expect(headers.get('content-security-policy')).toContain('frame-ancestors *;');
  }
});

test('an archived show has no player', async () => {
  const archived = await make.product(lucia, { slug: 'archivada' });
  const [episode] = await make.episodes(archived, 1);
  await db.update(products).set({ archivedAt: runtime.now() }).where(eq(products.id, archived.id));

  expect((await read(`/embed/p/${archived.id}`)).status).toBe(404);
  expect((await read(`/embed/${episode!.id}`)).status).toBe(404);
});

test("a creator's host leads to the app's, where the player is", async () => {
  const hosts = pagesApp(runtime, { ...env.urls, creatorUrls: 'host' });

  const response = await hosts.request(`http://staging-lucia.altavoz.localhost:3000/es/embed/${open!.id}?theme=dark`);

  expect([response.status, response.headers.get('location')]).toEqual([302, `${APP}/es/embed/${open!.id}?theme=dark`]);
});

/** Calls as the frame's script does: from the frame's own origin, which is another site, so without cookies. */
async function callFromFrame(procedure: string, method: 'GET' | 'POST', input: object) {
  const json = JSON.stringify({ json: input });
  const query = method === 'GET' ? `?input=${encodeURIComponent(json)}` : '';
  const response = await app.request(`${APP}/trpc/${procedure}${query}`, {
    method,
    headers: {
      'sec-fetch-site': 'same-origin',
      'sec-fetch-storage-access': 'none',
      referer: `${APP}/embed/${open!.id}`,
      ...(method === 'POST' && { origin: APP, 'content-type': 'application/json' }),
    },
    ...(method === 'POST' && { body: json }),
  });
  const { result, error } = await response.json();
  return { cookie: response.headers.get('set-cookie'), ...result?.data.json, code: error?.json.data.app.code };
}

test('a listen in a frame counts once, with the ticket of its play call, after more than 60 seconds', async () => {
  await db.execute(sql`select make_listening_partitions('2026-02-01', 2)`);
  const startedAt = clock.now.getTime();
  const id = open!.id;
  const session = 'f'.repeat(32);
  const { ticket, hasAccount, cookie } = await callFromFrame('listening.start', 'GET', { id, session });
  const reportAfter = async (seconds: number, over: object = {}) => {
    clock.now = new Date(startedAt + SECONDS(seconds));
    const { code, counted } = await callFromFrame('listening.record', 'POST', { id, session, ticket, ...over });
    return code ?? counted;
  };

  const answers = [
    await reportAfter(60),
    await reportAfter(61, { ticket: undefined }),
    await reportAfter(61, { session: 'e'.repeat(32) }),
    await reportAfter(61),
    await reportAfter(62),
  ];
  clock.now = new Date(startedAt);

  const [early, invalid] = ['listening.ticket_too_early', 'listening.ticket_invalid'];
  expect([hasAccount, cookie]).toEqual([false, null]);
  expect(answers).toEqual([early, invalid, invalid, true, false]);
  const [total] = await db.execute(sql`select listens::int from episode_totals where episode_id = ${id}`);
  expect(total).toEqual({ listens: 1 });
});

test('an embedded player remembers nothing that the player of the site has stored', () => {
  const stored = [...script.matchAll(/listenSession|player(?:Positions|Data|Queue)/g)].map(([name]) => name);

  expect([...new Set(stored)]).toEqual(['listenSession']);
});

test('the script of an embedded player has less than 7 KB', () => {
  expect(gzipSync(script, { level: 9 }).length).toBeLessThan(7000);
});

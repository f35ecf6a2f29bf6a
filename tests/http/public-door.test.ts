import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createPublicDoor, type PublicDoor } from '~/server/doors/pages/public-door';
import { bufferFeed } from '~/server/http/caches/buffer-feed';
import type { Rendered } from '~/server/http/caches/cached-response';
import { createPageCache } from '~/server/http/caches/page-cache';
import { createLog } from '~/server/watching/log';

const ROOT = 'altavoz.localhost:3000';
const LUCIA = 'staging-lucia.altavoz.localhost:3000';
const PAGE = `<!doctype html><title>Ruido</title><script nonce="n1">go()</script><p>${'Una historia. '.repeat(200)}</p>`;

type Options = { method?: string; headers?: Record<string, string>; host?: string };

/** A door on a real server. Adds each rendering of a page or feed to `rendered`. */
async function open(
  options: { page?: (url: URL) => Response | Promise<Response>; bytes?: number; feed?: Partial<Rendered> } = {},
) {
  const clock = { now: 0 };
  const cache = createPageCache({ bytes: options.bytes ?? 1_000_000, ceiling: 60_000, now: () => clock.now });
  const rendered: string[] = [];
  /** For each request, whether its response had ended when the door returned. */
  const synchronous: boolean[] = [];
  const door: PublicDoor = {
    rules: {
      appUrl: `http://${ROOT}`,
      publicRoot: ROOT,
      creatorHostPrefix: 'staging-',
      creatorUrls: 'host',
      mediaUrl: null,
      allowsUnprefixedHosts: true,
      trustProxy: false,
    },
    cache,
    log: createLog('silent'),
    async renderFeed({ domain, slug }) {
      rendered.push(`feed ${domain} ${slug}`);
      const headers = { 'content-type': 'application/rss+xml', 'last-modified': 'Tue, 03 Mar 2026 08:00:00 GMT' };
      const body = Buffer.from(`<rss>${'x'.repeat(3000)}</rss>`);
      return { status: 200, headers, body, tags: ['product:7'], ...options.feed };
    },
    async renderPage(request) {
      const url = new URL(request.url);
      rendered.push(`${url.host}${url.pathname}${url.search} ${request.headers.get('cookie') ?? ''}`.trim());
      return (options.page ?? page)(url);
    },
  };
  const { answerKnown, answer } = createPublicDoor(door);
  const server = http.createServer((req, res) => {
    if (!answerKnown(req, res) && !answer(req, res)) res.writeHead(200, { 'x-door': 'app' }).end('app');
    synchronous.push(res.writableEnded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { send: senderTo((server.address() as AddressInfo).port), rendered, synchronous, cache, clock };
}

function page(): Response {
  const policy = "default-src 'self'; script-src 'self' 'nonce-n1'";
  return new Response(PAGE, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-cache-tags': 'product:7 creator:1',
      'cache-control': 'private, no-cache',
    },
  });
}

/** fetch cannot set the Host header, so this uses node:http. */
function senderTo(port: number) {
  return (path: string, { method = 'GET', headers = {}, host = LUCIA }: Options = {}) =>
    new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
      const request = http.request({ port, host: '127.0.0.1', path, method, headers: { host, ...headers } }, (res) => {
        const parts: Buffer[] = [];
        res.on('data', (part: Buffer) => parts.push(part));
        res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(parts) }));
      });
      request.on('error', reject).end();
    });
}

test('a page is rendered once and then served from memory, without its nonce', async () => {
  const { send, rendered } = await open();

  const first = await send('/p/ruido');
  const second = await send('/p/ruido');

  expect(rendered).toEqual([`${LUCIA}/p/ruido`]);
  expect(second.body.toString()).toBe(PAGE.replace(' nonce="n1"', ''));
  expect(second.headers).toEqual({ ...first.headers, date: expect.any(String) });
  expect(second.headers['content-security-policy']).toMatch(/script-src 'self' 'sha256-[\w+/=]+'$/);
  expect(second.headers).not.toHaveProperty('x-cache-tags');
  expect(second.headers).toMatchObject({
    vary: 'accept-encoding, accept-language, cookie',
    'cache-control': 'public, no-cache',
  });
});

test('only the first request for a page is asynchronous, in each language and encoding', async () => {
  const { send, synchronous } = await open();
  const visitors: Options['headers'][] = [
    {},
    { cookie: 'language=es' },
    { 'accept-language': 'es', 'accept-encoding': 'gzip' },
  ];

  for (let round = 0; round < 50; round++) for (const headers of visitors) await send('/p/ruido', { headers });

  expect(synchronous).toEqual([...visitors.map(() => false), ...Array(49 * visitors.length).fill(true)]);
});

test('each encoding has the same page and its own ETag', async () => {
  const { send } = await open();

  const plain = await send('/p/ruido');
  const gzip = await send('/p/ruido', { headers: { 'accept-encoding': 'gzip' } });
  const br = await send('/p/ruido', { headers: { 'accept-encoding': 'gzip, deflate, br' } });
  const refused = await send('/p/ruido', { headers: { 'accept-encoding': 'br;q=0, gzip;q=0.0' } });

  expect(gunzipSync(gzip.body)).toEqual(plain.body);
  expect(brotliDecompressSync(br.body)).toEqual(plain.body);
  expect([
    gzip.headers['content-encoding'],
    br.headers['content-encoding'],
    refused.headers['content-encoding'],
  ]).toEqual(['gzip', 'br', undefined]);
  expect(new Set([plain.headers.etag, gzip.headers.etag, br.headers.etag]).size).toBe(3);
});

test.each([
  ['the ETag', (etag: string) => etag],
  ['the weak ETag', (etag: string) => `W/${etag}`],
  ['a list with the ETag of another encoding', (etag: string) => `"x", ${etag.replace(/"$/, '-gz"')}`],
  ['*', () => '*'],
])('a request with %s in If-None-Match answers 304', async (_, tagFor) => {
  const { send, rendered } = await open();
  const { headers } = await send('/p/ruido');

  const again = await send('/p/ruido', { headers: { 'if-none-match': tagFor(headers.etag as string) } });

  expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
  expect(rendered).toHaveLength(1);
});

test('an unchanged feed answers 304 to If-Modified-Since, unless the ETag differs', async () => {
  const { send } = await open();
  const since = (date: string, more = {}) =>
    send('/p/ruido/feed.xml', { headers: { 'if-modified-since': date, ...more } });

  expect((await since('Tue, 03 Mar 2026 08:00:00 GMT')).status).toBe(304);
  expect((await since('Tue, 03 Mar 2026 07:59:59 GMT')).status).toBe(200);
  expect((await since('yesterday')).status).toBe(200);
  expect((await since('Tue, 03 Mar 2026 08:00:00 GMT', { 'if-none-match': '"other"' })).status).toBe(200);
});

test('a HEAD has the headers of the GET and no body', async () => {
  const { send } = await open();

  const head = await send('/p/ruido', { method: 'HEAD' });

  expect([head.status, head.body.length]).toEqual([200, 0]);
  expect(Number(head.headers['content-length'])).toBe(PAGE.length - ' nonce="n1"'.length);
});

test('requests of logged-in users, changes, unknown queries and other spellings go to the app', async () => {
  const { send, rendered } = await open();

  const responses = await Promise.all([
    send('/p/ruido', { headers: { cookie: 'language=es; token=abc' } }),
    send('/p/ruido', { method: 'POST' }),
    ...['/p/ruido?search=x', '/p/ruido.data', '/trpc/listening.open'].map((path) => send(path)),
    ...['/p/ruido?page=0', '/p/ruido?page=02', '/p/ruido/uno?page=2', '/?season=2'].map((path) => send(path)),
    ...['/login', '/?page=2', '/discover?season=2'].map((path) => send(path, { host: ROOT })),
    ...['/p/%72uido', '/p/a/../ruido', '/p/..', '/p/../login', '*', `http://${LUCIA}/`].map((path) => send(path)),
  ]);

  expect(responses.map(({ headers }) => headers['x-door'])).toEqual(Array(18).fill('app'));
  expect(rendered).toEqual([]);
});

test('a feed that is kept only as gzip is decompressed for clients without gzip', async () => {
  const xml = Buffer.from(`<rss>${'una historia '.repeat(600_000)}</rss>`);
  const feed = await bufferFeed(inParts(xml, 50_000));
  const { send, rendered, cache } = await open({ feed });
  const get = (headers = {}, method = 'GET') => send('/p/ruido/feed.xml', { headers, method });

  const gzip = await get({ 'accept-encoding': 'gzip, deflate, br' });
  const plain = await get();
  const known = await get({ 'if-none-match': plain.headers.etag as string });
  const head = await get({}, 'HEAD');

  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gzip.body).equals(xml)).toBe(true);
  expect(plain.headers).not.toHaveProperty('content-encoding');
  expect(plain.body.equals(xml)).toBe(true);
  expect(plain.headers['content-length']).toBe(String(xml.length));
  expect([gzip.headers.etag, plain.headers.etag]).toEqual([
    expect.stringMatching(/-gz"$/),
    expect.stringMatching(/^"/),
  ]);
  expect([known.status, known.body.length]).toEqual([304, 0]);
  expect([head.headers['content-length'], head.body.length]).toEqual([String(xml.length), 0]);
  expect(rendered).toHaveLength(1);
  expect(cache.size().bytes).toBeLessThan(xml.length / 10);
});

test('a feed has the same ETag whether it is kept as gzip or uncompressed', async () => {
  const xml = Buffer.from(`<rss>${'una historia '.repeat(600_000)}</rss>`);
  const [packed, whole] = [
    await open({ feed: await bufferFeed(inParts(xml, 50_000)) }),
    await open({ feed: { body: xml }, bytes: 20_000_000 }),
  ];

  const tags = [await packed.send('/p/ruido/feed.xml'), await whole.send('/p/ruido/feed.xml')];

  expect(tags[0]!.headers.etag).toBe(tags[1]!.headers.etag);
});

async function* inParts(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test('a feed is the same for everyone, logged in or not, on any host', async () => {
  const { send, rendered } = await open();

  await send('/p/ruido/feed.xml', { headers: { cookie: 'token=abc' } });
  await send('/@lucia/p/ruido/feed.xml?from=app', { host: 'localhost:3000' });

  expect(rendered).toEqual(['feed lucia ruido']);
});

test('pages are cached by host, path, season, page number and selected language', async () => {
  const [season, { send, rendered }] = ['/p/ruido?season=2&page=3', await open()];

  for (const path of ['/p/ruido', '/es/p/ruido', '/p/ruido?page=2', season, `${season}&ref=x`]) await send(path);
  await send('/p/ruido', { headers: { cookie: 'language=es; seen=1' } });
  await send('/p/ruido', { host: 'staging-ada.altavoz.localhost:3000' });
  await send('/p/olas', { headers: { cookie: 'seen=1' } });

  expect(rendered).toEqual([
    `${LUCIA}/p/ruido`,
    `${LUCIA}/es/p/ruido`,
    ...[`${LUCIA}/p/ruido?page=2`, LUCIA + season],
    `${LUCIA}/p/ruido language=es`,
    'staging-ada.altavoz.localhost:3000/p/ruido',
    `${LUCIA}/p/olas`,
  ]);
});

test.each([
  ['/es/p/ruido', LUCIA],
  ['/es', LUCIA],
  ['/es/', ROOT],
  ['/es/@lucia', 'localhost:3000'],
])('%s on %s has the language of its path, and is cached once for all visitors', async (path, host) => {
  const { send, rendered } = await open();

  await send(path, { host });
  await send(path, { host, headers: { 'accept-language': 'en' } });
  await send(path, { host, headers: { 'accept-language': 'es' } });
  await send(path, { host, headers: { cookie: 'language=en' } });

  expect(rendered).toEqual([host + path]);
});

test('the same URL is cached once for each language of browsers', async () => {
  const { send, rendered } = await open();

  for (const language of ['es', 'en', 'fr', 'es', 'en'])
    await send('/p/ruido', { headers: { 'accept-language': language } });
  await send('/p/ruido');

  expect(rendered).toEqual(Array(3).fill(`${LUCIA}/p/ruido`));
});

test('a page is rendered again after a change of its data, and when it expires', async () => {
  const { send, rendered, cache, clock } = await open();
  await send('/p/ruido');

  cache.invalidate('product:8');
  await send('/p/ruido');
  expect(rendered).toHaveLength(1);

  cache.invalidate('creator:1');
  await send('/p/ruido');
  expect(rendered).toHaveLength(2);

  clock.now = 60_000;
  await send('/p/ruido');
  expect(rendered).toHaveLength(3);
});

test('after half of its lifetime a page is refreshed in the background', async () => {
  const { send, rendered, clock, cache } = await open();
  const first = await send('/p/ruido', { headers: { 'accept-encoding': 'gzip' } });
  const { bytes } = cache.size();

  clock.now = 30_000;
  const served = await Promise.all([send('/p/ruido'), send('/p/ruido'), send('/p/ruido')]);
  await expect.poll(() => cache.size().pending).toBe(0);
  clock.now = 89_999;
  await send('/p/ruido');

  expect(served.map(({ headers }) => `${headers.etag?.slice(0, -1)}-gz"`)).toEqual(Array(3).fill(first.headers.etag));
  expect(rendered).toHaveLength(3);
  await expect.poll(() => cache.size()).toMatchObject({ responses: 1, pending: 0, bytes });
});

test('concurrent requests share one rendering', async () => {
  const { send, rendered } = await open({
    page: async () => new Promise((resolve) => setTimeout(() => resolve(page()), 30)),
  });

  const responses = await Promise.all(Array.from({ length: 20 }, () => send('/p/ruido')));

  expect(rendered).toHaveLength(1);
  expect(new Set(responses.map(({ body }) => body.toString())).size).toBe(1);
});

test('a page whose product changes during rendering is not cached and not shared with later requests', async () => {
  let release = () => {};
  const waiting = new Promise<void>((resolve) => {
    release = resolve;
  });
  let count = 0;
  const renderPage = async () => {
    count += 1;
    if (count === 1) await waiting;
    return page();
  };
  const { send, rendered, cache } = await open({ page: renderPage });

  const early = send('/p/ruido');
  await expect.poll(() => rendered.length).toBe(1);
  cache.invalidate('product:7');
  await send('/p/ruido');
  release();
  await early;

  expect(rendered).toHaveLength(2);
  expect(cache.size()).toMatchObject({ responses: 1, pending: 0 });
});

test.each([
  ['is not found', () => new Response('no', { status: 404, headers: { 'x-cache-tags': 'product:7' } })],
  ['has no cache tags', () => new Response('yes')],
  ['sets a cookie', () => new Response('yes', { headers: { 'x-cache-tags': 'product:7', 'set-cookie': 'a=b' } })],
])('a page that %s is sent but not cached', async (_, make) => {
  const { send, rendered, cache } = await open({ page: make });

  await send('/p/ruido');
  const second = await send('/p/ruido');

  expect(rendered).toHaveLength(2);
  expect(cache.size()).toMatchObject({ responses: 0, bytes: 0, tags: 0 });
  expect(second.headers).not.toHaveProperty('x-cache-tags');
});

test('a failed rendering answers 500, and the next request renders again', async () => {
  let fail = true;
  const { send } = await open({
    page: () => {
      if (fail) throw new Error('no database');
      return page();
    },
  });

  const first = await send('/p/ruido');
  fail = false;
  const second = await send('/p/ruido');

  expect([first.status, second.status]).toEqual([500, 200]);
});

test('memory is limited: the least recently requested page is removed first', async () => {
  const { send, rendered, cache } = await open({ bytes: 20_000 });

  for (let i = 0; i < 10; i++) {
    await send(`/p/show-${i}`, { headers: { 'accept-encoding': 'gzip' } });
    await send('/p/show-0', { headers: { 'accept-encoding': 'gzip' } });
  }

  expect(cache.size().bytes).toBeLessThanOrEqual(20_000);
  expect(rendered.filter((line) => line.endsWith('/p/show-0'))).toHaveLength(1);
});

test('a non-canonical host redirects to the canonical one', async () => {
  const { send } = await open();

  const moved = await send('/@lucia/p/ruido', { host: ROOT });

  expect([moved.status, moved.headers.location]).toEqual([301, `http://${LUCIA}/p/ruido`]);
});

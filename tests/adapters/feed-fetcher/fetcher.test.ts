import { afterEach, beforeEach, expect, test } from 'vitest';
import { feedFetcher } from '~/server/adapters/feed-fetcher/fetcher';
import { parseRetryAfter } from '~/server/adapters/feed-fetcher/host-limits';
import type { FeedFetcher, FetcherLimits } from '~/server/adapters/feed-fetcher/port';
import { type Hostile, hostileServer } from '../../support/hostile';

let fetcher: FeedFetcher;
let server: Hostile | undefined;

const open = (limits: Partial<FetcherLimits> = {}) =>
  feedFetcher({
    contact: 'https://altavoz.example/contact',

    allowLoopback: true,
    limits: { hostGapMs: 0, ...limits },
  });

beforeEach(() => {
  fetcher = open();
});

afterEach(async () => {
  await fetcher.close();
  await server?.close();
});

const get = (known?: { etag?: string | null; lastModified?: string | null }) =>
  fetcher.fetch({ url: server!.url('/feed.xml'), maxBytes: 10_000, known });

test('the User-Agent contains our name and a contact address', async () => {
  let agent: string | undefined;
  server = await hostileServer((request, response) => {
    agent = request.headers['user-agent'];
    response.end();
  });

  await get();

  expect(agent).toBe('Altavoz (podcast hosting; +https://altavoz.example/contact)');
});

test('an unchanged feed is not sent again', async () => {
  const dated = 'Tue, 03 Mar 2026 08:05:09 GMT';
  server = await hostileServer((request, response) => {
    const same = request.headers['if-none-match'] === '"1"' && request.headers['if-modified-since'] === dated;
    if (same) return void response.writeHead(304, { etag: '"1"' }).end();
    response
      .writeHead(200, { etag: '"1"', 'last-modified': dated, 'content-type': 'application/rss+xml' })
      .end('<rss/>');
  });

  const first = await get();
  const second = await get(first);

  expect(first).toMatchObject({
    unchanged: false,
    etag: '"1"',
    lastModified: dated,
    contentType: 'application/rss+xml',
  });
  expect(second).toMatchObject({ unchanged: true, etag: '"1"' });
});

test('validators missing in a 304 stay known, and an unrequested 304 is an error', async () => {
  server = await hostileServer((_, response) => response.writeHead(304).end());

  expect(await get({ etag: '"1"', lastModified: 'then' })).toMatchObject({
    unchanged: true,
    etag: '"1"',
    lastModified: 'then',
  });
  await expect(get({ etag: null, lastModified: '' })).rejects.toMatchObject({ code: 'fetch.status_unexpected' });
});

test('an ETag that is not a valid header value is left out', async () => {
  let sentEtag: unknown;
  server = await hostileServer((request, response) => {
    sentEtag = request.headers['if-none-match'];
    response.end('<rss/>');
  });

  for (const etag of ['"é—"', '"a\r\nx: y"', '"a\0"']) {
    expect(await get({ etag })).toMatchObject({ unchanged: false });
    expect(sentEtag).toBeUndefined();
  }
});

test.each([
  [304, 'fetch.status_unexpected'],
  [401, 'fetch.status_unexpected'],
  [404, 'fetch.file_missing'],
  [410, 'fetch.file_missing'],
  [206, 'fetch.status_unexpected'],
  [500, 'fetch.server_failing'],
  [503, 'fetch.server_failing'],
])('status %i on a first request is an error with that status', async (status, code) => {
  server = await hostileServer((_, response) => response.writeHead(status).end());

  await expect(get()).rejects.toMatchObject({ code, params: { status } });
});

test('a 429 without Retry-After blocks the host for a minute', async () => {
  server = await hostileServer((_, response) => response.writeHead(429).end());

  await expect(get()).rejects.toMatchObject({ code: 'fetch.host_busy', params: { seconds: 60 } });
});

test('a host that asks us to wait gets no requests until then', async () => {
  let requests = 0;
  server = await hostileServer((_, response) => {
    requests += 1;
    response.writeHead(429, { 'retry-after': '60' }).end();
  });

  await expect(get()).rejects.toMatchObject({ code: 'fetch.host_busy', params: { seconds: 60 } });
  await expect(get()).rejects.toMatchObject({ code: 'fetch.host_busy' });
  expect(requests).toBe(1);
});

test('Retry-After is parsed as seconds or a date', () => {
  const now = Date.parse('2026-03-03T08:00:00Z');

  expect(parseRetryAfter('120', now)).toBe(120_000);
  expect(parseRetryAfter('Tue, 03 Mar 2026 08:01:00 GMT', now)).toBe(60_000);
  expect(parseRetryAfter('9999999', now)).toBe(24 * 60 * 60 * 1000);
  expect(parseRetryAfter('Tue, 03 Mar 2099 08:01:00 GMT', now)).toBe(24 * 60 * 60 * 1000);
  expect(parseRetryAfter('soon', now)).toBeNull();
  expect(parseRetryAfter(null, now)).toBeNull();
});

test('a host gets at most two requests at once, with a pause between them', async () => {
  await fetcher.close();
  fetcher = open({ hostGapMs: 30 });
  let [running, most] = [0, 0];
  server = await hostileServer((_, response) => {
    most = Math.max(most, ++running);
    setTimeout(() => {
      running -= 1;
      response.end('ok');
    }, 60);
  });

  const began = performance.now();

  await Promise.all(Array.from({ length: 6 }, () => get()));

  expect(most).toBeLessThanOrEqual(2);
  expect(performance.now() - began).toBeGreaterThan(5 * 30);
});

test('a failed request frees its slot', async () => {
  let requests = 0;
  server = await hostileServer((request, response) => {
    requests += 1;
    if (requests <= 4) request.socket.destroy();
    else response.end('ok');
  });

  for (let i = 0; i < 4; i++) await expect(get()).rejects.toMatchObject({ code: 'fetch.connection_failed' });

  await expect(get()).resolves.toMatchObject({ unchanged: false });
});

test('no credentials, cookies or referrer are sent', async () => {
  const names = new Set<string>();
  server = await hostileServer((request, response) => {
    for (const name of Object.keys(request.headers)) names.add(name);
    if (request.url === '/end') return void response.end('<rss/>');
    response.writeHead(302, { location: '/end', 'set-cookie': 'a=b' }).end();
  });

  await get();

  expect([...names].sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
});

test('waiting for a slot does not count towards the timeout', async () => {
  await fetcher.close();
  fetcher = open({ perHost: 1, wholeMs: 1000 });
  server = await hostileServer((_, response) => void setTimeout(() => response.end('ok'), 300));

  const all = await Promise.all(Array.from({ length: 5 }, () => get()));

  expect(all).toHaveLength(5);
});

test('the signal of a fetch ends it with its reason, before the answer, within the body, and in the line at a host', async () => {
  server = await hostileServer(({ url }, response) => {
    if (url === '/body') response.write('a');
  });
  const late = new Error('late');
  for (const path of ['/silent', '/body']) {
    const stop = new AbortController();
    const waiting = Array.from({ length: 4 }, () =>
      fetcher.fetch({ url: server!.url(path), maxBytes: 10_000, signal: stop.signal }),
    );
    await expect.poll(() => server!.open()).toBeGreaterThan(1);

    stop.abort(late);

    for (const fetching of waiting) await expect(fetching).rejects.toBe(late);
    await expect.poll(() => server!.open()).toBe(0);
  }
});

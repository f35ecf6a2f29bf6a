import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { feedFetcher } from '~/server/adapters/feed-fetcher/fetching';
import type { FeedFetcher, FetcherLimits } from '~/server/adapters/feed-fetcher/port';
import { type Hostile, heldOpen, hostileServer, rawServer } from '../support/hostile';

const SHORT: Partial<FetcherLimits> = {
  connectMs: 300,
  headersMs: 300,
  idleMs: 300,
  wholeMs: 1500,
  hostGapMs: 0,
  retryMs: 10,
  headerBytes: 8192,
};
const MAX = 100_000;

let fetcher: FeedFetcher;
let server: Hostile | undefined;

beforeEach(() => {
  fetcher = feedFetcher({
    contact: 'https://altavoz.example/contact',

    allowLoopback: true,
    limits: SHORT,
  });
});

let idle: number;
beforeAll(() => {
  idle = heldOpen();
});

/** Counted before the fetcher is closed. */
afterEach(async () => {
  await server?.close();
  await vi.waitFor(() => expect(heldOpen()).toBeLessThanOrEqual(idle));
  await fetcher.close();
});

const get = (path = '/') => fetcher.fetch({ url: server!.url(path), maxBytes: MAX });

/** What was refused has to be let go as well, without anybody closing the fetcher. */
async function expectRefused(code: string | RegExp, path?: string) {
  await expect(get(path)).rejects.toMatchObject({ name: 'AppError', code: expect.stringMatching(code) });

  await vi.waitFor(() => expect(server!.open()).toBe(0));
}

test('a server that takes the request and says nothing is left', async () => {
  server = await rawServer(() => {});

  await expectRefused('fetch.timed_out');
});

test('headers that drip in for ever run out of time', async () => {
  server = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const drip = setInterval(() => socket.write(`x-${Date.now()}: a\r\n`), 50);
    socket.on('close', () => clearInterval(drip));
  });

  await expectRefused('fetch.timed_out');
});

test('headers without an end are too large', async () => {
  server = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    for (let i = 0; i < 200; i++) socket.write(`x-header-${i}: ${'a'.repeat(400)}\r\n`);
  });

  await expectRefused('fetch.headers_too_large');
});

test('a body that pauses too long is left', async () => {
  server = await hostileServer((_, response) => void response.write('<rss>'));

  await expectRefused('fetch.timed_out');
});

test('a body that drips for ever runs out of the whole time', async () => {
  server = await hostileServer((_, response) => {
    const drip = setInterval(() => response.write('a'), 50);
    response.on('close', () => clearInterval(drip));
  });

  await expectRefused('fetch.timed_out');
});

test('a body without an end is cut off at the limit', async () => {
  server = await hostileServer((_, response) => {
    const chunk = Buffer.alloc(16_384, 'a');
    const pour = () => {
      while (!response.destroyed && response.write(chunk)) {}
      if (!response.destroyed) response.once('drain', pour);
    };
    pour();
  });

  await expectRefused('fetch.body_too_large');
});

test('a length above the limit is believed before anything is read', async () => {
  server = await hostileServer((_, response) => {
    response.writeHead(200, { 'content-length': 10_000_000_000 });
    response.flushHeaders();
  });

  await expectRefused('fetch.body_too_large');
});

test.each([
  ['shorter than it says', 'Content-Length: 50\r\n\r\nonly this'],
  ['of two lengths', 'Content-Length: 5\r\nContent-Length: 9\r\n\r\nhello'],
  ['cut in a chunk', 'Transfer-Encoding: chunked\r\n\r\n20\r\nonly this'],
])('a body that is %s is no feed', async (_, rest) => {
  server = await rawServer((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));

  await expectRefused(/^fetch/);
});

test.each([
  ['a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello'],
  ['chunks that are none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello'],
  ['no HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n'],
])('%s is an answer that nobody reads', async (_, bytes) => {
  server = await rawServer((socket) => socket.end(bytes));

  await expectRefused('fetch.answer_invalid');
});

test('a reset before, within and after the headers is a failed connection', async () => {
  for (const before of ['', 'HTTP/1.1 200 OK\r\nContent-Le', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc']) {
    server = await rawServer((socket) => {
      if (before) socket.write(before, () => setTimeout(() => socket.resetAndDestroy(), 20));
      else socket.resetAndDestroy();
    });

    await expectRefused(/^fetch/);
    await server.close();
  }
});

test('redirects in a circle end, and so does a chain of eleven', async () => {
  let asked = 0;
  server = await hostileServer((request, response) => {
    asked += 1;
    const step = Number(request.url?.slice(1));
    response.writeHead(302, { location: request.url === '/loop' ? '/loop' : `/${step + 1}` }).end();
  });

  await expect(get('/loop')).rejects.toMatchObject({ code: 'fetch.too_many_redirects' });
  expect(asked).toBe(11);

  await expectRefused('fetch.too_many_redirects', '/1');
});

test('ten redirects are followed, and a permanent move is told', async () => {
  server = await hostileServer((request, response) => {
    const step = Number(request.url?.slice(1));
    if (step === 10) return void response.end('feed');
    response.writeHead(step % 2 ? 301 : 308, { location: `/${step + 1}` }).end();
  });

  const found = await get('/0');

  expect(found).toMatchObject({ unchanged: false, url: server.url('/10'), movedTo: server.url('/10') });
});

test.each([
  ['http://169.254.169.254/latest/', 'address_private'],
  ['http://[::ffff:10.0.0.1]/', 'address_private'],
  ['http://2852039166/', 'address_private'],
  ['file:///etc/passwd', 'address_invalid'],
  ['gopher://127.0.0.1:6379/_FLUSHALL', 'address_invalid'],
  ['http://example.com:22/', 'port_forbidden'],
  ['http://[', 'address_invalid'],
])('a redirect to %s goes nowhere', async (location, reason) => {
  server = await hostileServer((_, response) => response.writeHead(302, { location }).end());

  await expectRefused(`fetch.${reason}`);
});

test('credentials and fragments of a redirect are dropped', async () => {
  const seen: (string | undefined)[] = [];
  server = await hostileServer((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization}`);
    if (request.url === '/end') return void response.end('feed');
    response.writeHead(302, { location: `http://user:secret@127.0.0.1:${server!.port}/end#part` }).end();
  });

  const found = await get();

  expect(found.url).toBe(server.url('/end'));
  expect(seen).toEqual(['/ undefined', '/end undefined']);
});

const FEED = Buffer.from('<rss>'.repeat(100));

test.each([
  ['gzip', gzipSync(FEED)],
  ['x-gzip', gzipSync(FEED)],
  ['br', brotliCompressSync(FEED)],
  ['deflate', deflateSync(FEED)],
  ['deflate', deflateRawSync(FEED)],
  ['gzip, br', brotliCompressSync(gzipSync(FEED))],
  ['identity', FEED],
])('a body in %s is read', async (encoding, body) => {
  server = await hostileServer((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));

  const found = await get();

  expect(found).toMatchObject({ unchanged: false, bytes: FEED });
});

const BOMB = Buffer.alloc(50_000_000);

test.each([
  ['gzip', gzipSync(BOMB)],
  ['br', brotliCompressSync(BOMB)],
  ['deflate', deflateSync(BOMB)],
  ['deflate', deflateRawSync(BOMB)],
  ['gzip, gzip', gzipSync(gzipSync(BOMB))],
])('a bomb in %s is stopped at the limit', async (encoding, body) => {
  server = await hostileServer((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));

  await expectRefused('fetch.body_too_large');
});

test.each([
  ['zstd', FEED, 'encoding_unknown'],
  ['gzip, gzip, gzip', FEED, 'encoding_unknown'],
  ['gzip', FEED, 'answer_invalid'],
  ['br', Buffer.from('not brotli at all'), 'answer_invalid'],
  ['gzip', gzipSync(FEED).subarray(0, -6), 'answer_invalid'],
])('a body that calls itself %s and is not is refused', async (encoding, body, reason) => {
  server = await hostileServer((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));

  await expectRefused(`fetch.${reason}`);
});

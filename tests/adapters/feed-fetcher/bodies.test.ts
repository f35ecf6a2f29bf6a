import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { setUpFetcher } from '../../support/fetcher-setup';

/** Fetches with limits so long that no request times out, even on a busy machine. */
const PATIENT = { connectMs: 20_000, headersMs: 20_000, idleMs: 20_000, wholeMs: 20_000 };
const setup = setUpFetcher({ limits: PATIENT });

const FEED = Buffer.from('<rss>'.repeat(100));

test.each([
  ['gzip', gzipSync(FEED)],
  ['x-gzip', gzipSync(FEED)],
  ['br', brotliCompressSync(FEED)],
  ['deflate', deflateSync(FEED)],
  ['deflate', deflateRawSync(FEED)],
  ['gzip, br', brotliCompressSync(gzipSync(FEED))],
  ['identity', FEED],
])('a body in %s is decompressed', async (encoding, body) => {
  await setup.serve((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));

  const found = await setup.get();

  expect(found).toMatchObject({ unchanged: false, bytes: FEED });
});

const BOMB = Buffer.alloc(10_000_000);

test.each([
  ['gzip', gzipSync(BOMB)],
  ['br', brotliCompressSync(BOMB)],
  ['deflate', deflateSync(BOMB)],
  ['deflate', deflateRawSync(BOMB)],
  ['gzip, gzip', gzipSync(gzipSync(BOMB))],
])('a decompression bomb in %s is stopped at the limit', async (encoding, body) => {
  await setup.serve((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));

  await setup.expectError('fetch.body_too_large');
});

test.each([
  ['zstd', FEED, 'encoding_unknown'],
  ['gzip, gzip, gzip', FEED, 'encoding_unknown'],
  ['gzip', FEED, 'response_invalid'],
  ['br', Buffer.from('not brotli at all'), 'response_invalid'],
  ['gzip', gzipSync(FEED).subarray(0, -6), 'response_invalid'],
])('a body that is falsely declared as %s is rejected', async (encoding, body, reason) => {
  await setup.serve((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));

  await setup.expectError(`fetch.${reason}`);
});

test('two Content-Encoding headers are decoded in order', async () => {
  await setup.serve((_, response) => {
    response.writeHead(200, [
      ['content-encoding', 'gzip'],
      ['content-encoding', 'br'],
    ]);
    response.end(brotliCompressSync(gzipSync(FEED)));
  });

  expect(await setup.get()).toMatchObject({ bytes: FEED });
});

test('endless empty gzip members are cut off at the limit', async () => {
  const empty = gzipSync('');
  await setup.serve((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const sendMore = () => {
      while (!response.destroyed && response.write(Buffer.concat(Array(1000).fill(empty)))) {}
      if (!response.destroyed) response.once('drain', sendMore);
    };
    sendMore();
  });

  await setup.expectError('fetch.body_too_large');
});

import type http from 'node:http';
import type net from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { MAX_BYTES, setUpFetcher } from '../../support/fetcher-setup';
import { setUpStorage } from '../../support/temporary-storage';
import { testFetcher } from '../../support/test-fetcher';

const LIMITS = { attempts: 2, partBytes: 30_000, overlapBytes: 10_000 };
const QUICK = { connectMs: 100, headersMs: 100, idleMs: 100 };
/** Timeouts longer than a busy machine needs, for responses that must not time out. */
const PATIENT = { connectMs: 20_000, headersMs: 20_000, idleMs: 20_000, wholeMs: 20_000 };
const setup = setUpFetcher({ limits: { ...LIMITS, ...PATIENT } });
const storage = setUpStorage();

const CHUNK = Buffer.alloc(16_384, 'a');

function sendEndlessly(response: http.ServerResponse) {
  while (!response.destroyed && response.write(CHUNK)) {}
  if (!response.destroyed) response.once('drain', () => sendEndlessly(response));
}

const BOMB = gzipSync(Buffer.alloc(9_000_000));
const OK = 'HTTP/1.1 200 OK\r\n';

test.each<[string, string, http.RequestListener | string]>([
  [
    'is a decompression bomb',
    'body_too_large',
    (_, r) => void r.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB),
  ],
  ['never ends', 'body_too_large', (_, r) => sendEndlessly(r)],
  [
    'has a Content-Length above the limit',
    'body_too_large',
    (_, r) => void r.writeHead(200, { 'content-length': 10 ** 9 }).flushHeaders(),
  ],
  ['is longer than its Content-Length', 'response_invalid', `${OK}Content-Length: 5\r\n\r\nhello world`],
  ['is followed by a second response', 'response_invalid', `${OK}Content-Length: 5\r\n\r\nhello${OK}\r\n`],
  [
    'is falsely declared as gzip',
    'response_invalid',
    (_, r) => void r.writeHead(200, { 'content-encoding': 'gzip' }).end(CHUNK),
  ],
  [
    'has an unknown encoding',
    'encoding_unknown',
    (_, r) => void r.writeHead(200, { 'content-encoding': 'zstd' }).end(CHUNK),
  ],
  [
    'redirects to a private address',
    'address_private',
    (_, r) => void r.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  ],
  ['redirects to itself', 'too_many_redirects', (_, r) => void r.writeHead(302, { location: '/' }).end()],
  [
    'is an unrequested part',
    'status_unexpected',
    (_, r) => void r.writeHead(206, { 'content-range': 'bytes 0-4/5' }).end('hello'),
  ],
  ['does not exist', 'file_missing', (_, r) => void r.writeHead(404).end()],
])('a file that %s is rejected and leaves nothing in storage', async (_, code, respond) => {
  const server =
    typeof respond === 'string' ? await setup.serveBytes((socket) => socket.end(respond)) : await setup.serve(respond);

  const attempt = setup.fetcher.download(storage.store, {
    url: setup.url(),
    key: 'incoming/7',
    maxBytes: MAX_BYTES,
  });

  await expect(attempt).rejects.toMatchObject({ name: 'AppError', code: `fetch.${code}` });
  expect(await storage.files()).toEqual([]);
  await expect.poll(() => server.open()).toBe(0);
});

test.each<[string, string, (socket: net.Socket) => void]>([
  ['stays silent', 'timed_out', () => {}],
  ['stops sending', 'timed_out', (socket) => void socket.write(`${OK}Content-Length: 99999\r\n\r\nhello`)],
  ['sends less than its Content-Length', 'body_cut', (socket) => socket.end(`${OK}Content-Length: 99999\r\n\r\nhello`)],
  [
    'sends less than its Content-Length, with Connection: close',
    'body_cut',
    (socket) => socket.end(`${OK}Connection: close\r\nContent-Length: 99\r\n\r\nhello`),
  ],
  ['resets the connection', 'connection_failed', (socket) => void socket.resetAndDestroy()],
])('a download from a server that %s is retried and then fails', async (_, code, respond) => {
  if (code === 'timed_out') setup.fetcher = testFetcher({ limits: { ...LIMITS, ...QUICK } });
  let requests = 0;
  const server = await setup.serveBytes((socket) => {
    requests += 1;
    respond(socket);
  });

  const attempt = setup.fetcher.download(storage.store, { url: setup.url(), key: 'incoming/7', maxBytes: MAX_BYTES });

  await expect(attempt).rejects.toMatchObject({ code: `fetch.${code}`, kind: 'upstream' });
  expect(requests).toBe(LIMITS.attempts);
  expect(await storage.store.head('incoming/7')).toBeNull();
  await expect.poll(() => server.open()).toBe(0);
});

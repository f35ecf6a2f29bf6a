import type http from 'node:http';
import type net from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { onShelf } from '../../support/shelf';
import { MOST, onTrial } from '../../support/trial';

const LIMITS = { connectMs: 100, headersMs: 100, idleMs: 100, attempts: 2, partBytes: 30_000, overlapBytes: 10_000 };
const trial = onTrial({ limits: LIMITS });
const shelf = onShelf();

const PIECE = Buffer.alloc(16_384, 'a');

function sendEndlessly(response: http.ServerResponse) {
  while (!response.destroyed && response.write(PIECE)) {}
  if (!response.destroyed) response.once('drain', () => sendEndlessly(response));
}

const OK = 'HTTP/1.1 200 OK\r\n';

test.each<[string, string, http.RequestListener | string]>([
  [
    'is a bomb',
    'body_too_large',
    (_, r) => void r.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(9_000_000))),
  ],
  ['never ends', 'body_too_large', (_, r) => sendEndlessly(r)],
  [
    'says that it is too long',
    'body_too_large',
    (_, r) => void r.writeHead(200, { 'content-length': 10 ** 9 }).flushHeaders(),
  ],
  ['is longer than it says', 'answer_invalid', `${OK}Content-Length: 5\r\n\r\nhello world`],
  ['is followed by another answer', 'answer_invalid', `${OK}Content-Length: 5\r\n\r\nhello${OK}\r\n`],
  ['is no gzip', 'answer_invalid', (_, r) => void r.writeHead(200, { 'content-encoding': 'gzip' }).end(PIECE)],
  [
    'is of an unknown encoding',
    'encoding_unknown',
    (_, r) => void r.writeHead(200, { 'content-encoding': 'zstd' }).end(PIECE),
  ],
  ['leads inside', 'address_private', (_, r) => void r.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
  ['leads in a circle', 'too_many_redirects', (_, r) => void r.writeHead(302, { location: '/' }).end()],
  [
    'is a part that nobody asked for',
    'status_unexpected',
    (_, r) => void r.writeHead(206, { 'content-range': 'bytes 0-4/5' }).end('hello'),
  ],
  ['is gone', 'status_unexpected', (_, r) => void r.writeHead(404).end()],
])('a file that %s is rejected, and nothing of it is kept', async (_, code, answer) => {
  const server =
    typeof answer === 'string' ? await trial.serveBytes((socket) => socket.end(answer)) : await trial.serve(answer);

  const attempt = trial.fetcher.download(shelf.store, { url: trial.url(), key: 'incoming/7', maxBytes: MOST });

  await expect(attempt).rejects.toMatchObject({ name: 'AppError', code: `fetch.${code}` });
  expect(await shelf.files()).toEqual([]);
  await expect.poll(() => server.open()).toBe(0);
});

test.each<[string, string, (socket: net.Socket) => void]>([
  ['stays silent', 'timed_out', () => {}],
  ['pauses for ever', 'timed_out', (socket) => void socket.write(`${OK}Content-Length: 99999\r\n\r\nhello`)],
  ['sends less than it says', 'body_cut', (socket) => socket.end(`${OK}Content-Length: 99999\r\n\r\nhello`)],
  [
    'sends less than it says, and goodbye',
    'body_cut',
    (socket) => socket.end(`${OK}Connection: close\r\nContent-Length: 99\r\n\r\nhello`),
  ],
  ['hangs up', 'connection_failed', (socket) => void socket.resetAndDestroy()],
])('a server that %s is tried again and then given up', async (_, code, answer) => {
  let asked = 0;
  const server = await trial.serveBytes((socket) => {
    asked += 1;
    answer(socket);
  });

  const attempt = trial.fetcher.download(shelf.store, { url: trial.url(), key: 'incoming/7', maxBytes: MOST });

  await expect(attempt).rejects.toMatchObject({ code: `fetch.${code}`, kind: 'upstream' });
  expect(asked).toBe(LIMITS.attempts);
  expect(await shelf.store.head('incoming/7')).toBeNull();
  await expect.poll(() => server.open()).toBe(0);
});

import { createHash } from 'node:crypto';
import type http from 'node:http';
import { expect, test } from 'vitest';
import type { FetcherLimits } from '~/server/adapters/feed-fetcher/port';
import type { ObjectStore } from '~/server/adapters/storage/port';
import { noise } from '../../support/mp3';
import { onShelf } from '../../support/shelf';
import { onTrial } from '../../support/trial';
import { fetcherFor } from '../../support/trial-fetcher';

const KEY = 'incoming/episode-7';
const BYTES = 300_000;
const CUT = 150_000;
const OVERLAP = 16_000;
const SMALL: Partial<FetcherLimits> = { partBytes: 64_000, overlapBytes: OVERLAP, idleMs: 5000 };
/** One attempt, so a broken connection fails the download. */
const ONCE = { attempts: 1, partBytes: 1_000_000 };
const DATE = 'Tue, 03 Mar 2026 08:05:09 GMT';
const OTHER_DATE = 'Tue, 03 Mar 2026 08:05:10 GMT';
const AUDIO = noise(BYTES, 5);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
/** AUDIO with one byte changed. */
const changedAt = (place: number) => Buffer.from(AUDIO).fill(AUDIO[place]! ^ 1, place, place + 1);
const CHANGED = changedAt(CUT - 5);

const trial = onTrial({ limits: SMALL });
const shelf = onShelf();

type File = { bytes: Buffer; headers?: Record<string, string> };
type Requests = { asked: string[] };

/** Serves ranges and ignores If-Range. The first response breaks off; then the file may be a different one. */
async function breaking(first: File, then: File): Promise<Requests> {
  const asked: string[] = [];
  await trial.serve((request, response) => {
    asked.push(request.headers.range ? 'rest' : 'all');
    const { bytes, headers = {} } = asked.length === 1 ? first : then;
    const from = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0);
    const range = from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
    response.writeHead(range ? 206 : 200, { 'content-length': bytes.length - from, ...range, ...headers });
    if (asked.length === 1) void shelf.breakOff(response, bytes.subarray(0, CUT));
    else response.end(bytes.subarray(from));
  });
  return { asked };
}

const download = (more = {}, store: ObjectStore = shelf.store) =>
  trial.fetcher.download(store, { url: trial.url('/7.mp3'), key: KEY, maxBytes: 1_000_000, ...more });

test.each<[string, File, File]>([
  ['neither ETag nor date', { bytes: AUDIO }, { bytes: AUDIO }],
  ['a weak ETag', { bytes: AUDIO, headers: { etag: 'W/"1"' } }, { bytes: AUDIO, headers: { etag: 'W/"1"' } }],
  [
    'a date',
    { bytes: AUDIO, headers: { 'last-modified': DATE } },
    { bytes: AUDIO, headers: { 'last-modified': DATE } },
  ],
  ['an ETag that the rest leaves out', { bytes: AUDIO, headers: { etag: '"1"' } }, { bytes: AUDIO }],
])('a file with %s resumes if its overlap matches', async (_, first, then) => {
  const { asked } = await breaking(first, then);

  const found = await download();

  expect(asked).toEqual(['all', 'rest']);
  expect(found).toMatchObject({ bytes: BYTES, sha256: sha256(AUDIO) });
  expect(await shelf.files()).toEqual([KEY]);
});

test.each<[string, File, File]>([
  ['the overlap, without ETag and date', { bytes: AUDIO }, { bytes: CHANGED }],
  [
    'the overlap, under the same ETag',
    { bytes: AUDIO, headers: { etag: '"1"' } },
    { bytes: CHANGED, headers: { etag: '"1"' } },
  ],
  ['the overlap, and the rest leaves its ETag out', { bytes: AUDIO, headers: { etag: '"1"' } }, { bytes: CHANGED }],
  [
    'the beginning alone, and the ETag',
    { bytes: AUDIO, headers: { etag: '"1"' } },
    { bytes: changedAt(5), headers: { etag: '"2"' } },
  ],
  [
    'the beginning alone, and the weak ETag',
    { bytes: AUDIO, headers: { etag: 'W/"1"' } },
    { bytes: changedAt(5), headers: { etag: 'W/"2"' } },
  ],
  [
    'the beginning alone, and the date',
    { bytes: AUDIO, headers: { 'last-modified': DATE } },
    { bytes: changedAt(5), headers: { 'last-modified': OTHER_DATE } },
  ],
  ['the length', { bytes: AUDIO }, { bytes: Buffer.concat([AUDIO, AUDIO.subarray(0, 10)]) }],
])('a file that changed in %s starts over', async (_, first, then) => {
  const { asked } = await breaking(first, then);

  const found = await download();

  expect(asked).toEqual(['all', 'rest', 'all']);
  expect(found).toMatchObject({ bytes: then.bytes.length, sha256: sha256(then.bytes), resumedFrom: 0 });
  expect((await shelf.read(KEY)).equals(then.bytes)).toBe(true);
  expect(await shelf.files()).toEqual([KEY]);
});

test('resumedFrom is set only if the download resumed', async () => {
  await breaking({ bytes: AUDIO }, { bytes: AUDIO });
  trial.fetcher = fetcherFor({ limits: { ...SMALL, ...ONCE } });
  await expect(download()).rejects.toMatchObject({ kind: 'upstream' });
  expect(await shelf.files()).toHaveLength(2);

  expect(await download()).toMatchObject({ resumedFrom: CUT, sha256: sha256(AUDIO) });

  await breaking({ bytes: AUDIO }, { bytes: CHANGED });
  await expect(download()).rejects.toMatchObject({ kind: 'upstream' });

  expect(await download()).toMatchObject({ resumedFrom: 0, sha256: sha256(CHANGED) });
});

/** Sends `size` bytes every `everyMs`. */
const dripping = (bytes: Buffer, size: number, everyMs: number) => (_: unknown, response: http.ServerResponse) => {
  let at = 0;
  response.writeHead(200, { 'content-length': bytes.length });
  const drip = setInterval(() => {
    response.write(bytes.subarray(at, at + size));
    at += size;
    if (at >= bytes.length) response.end();
  }, everyMs);
  response.on('close', () => clearInterval(drip));
};

test('a slow file may exceed the timeout if it keeps the minimum rate', async () => {
  trial.fetcher = fetcherFor({ limits: { ...SMALL, attempts: 1, wholeMs: 300, minBytesPerSecond: 50_000 } });
  await trial.serve(dripping(AUDIO, 20_000, 50));
  const began = performance.now();

  const found = await download();

  expect(found.sha256).toBe(sha256(AUDIO));
  expect(performance.now() - began).toBeGreaterThan(600);
});

test('a file below the minimum rate is given up', async () => {
  trial.fetcher = fetcherFor({ limits: { ...SMALL, attempts: 1, wholeMs: 300, minBytesPerSecond: 50_000 } });
  await trial.serve(dripping(AUDIO, 10, 50));

  await expect(download()).rejects.toMatchObject({ code: 'fetch.timed_out' });
});

test('a fault of our own store is not reported as the server’s, and closes the connection', async () => {
  const server = await trial.serve((_, response) => void response.writeHead(200).write(AUDIO));
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const crowded: ObjectStore = { ...shelf.store, put: () => Promise.reject(full) };

  await expect(download({}, crowded)).rejects.toBe(full);

  await expect.poll(() => server.open()).toBe(0);
});

test('a permanent error removes the parts, a temporary one keeps them', async () => {
  let status = 500;
  await trial.serve((request, response) => {
    if (request.headers.range || status === 410) return void response.writeHead(status).end();
    response.writeHead(200, { 'content-length': BYTES });
    void shelf.breakOff(response, AUDIO.subarray(0, CUT));
  });
  trial.fetcher = fetcherFor({ limits: { ...SMALL, ...ONCE } });
  await expect(download()).rejects.toMatchObject({ code: 'fetch.body_cut' });
  await expect(download()).rejects.toMatchObject({ code: 'fetch.server_failing', params: { status } });
  const kept = await shelf.files();

  status = 410;
  await expect(download()).rejects.toMatchObject({ code: 'fetch.status_unexpected', params: { status } });

  expect(kept).toHaveLength(2);
  expect(await shelf.files()).toEqual([]);
});

test('a checksum may be in upper case', async () => {
  await trial.serve((_, response) => response.end(AUDIO));

  expect(await download({ sha256: sha256(AUDIO).toUpperCase() })).toMatchObject({ sha256: sha256(AUDIO) });
});

test('closing the fetcher ends a download, and its parts stay for the next', async () => {
  await breaking({ bytes: AUDIO }, { bytes: AUDIO });
  trial.fetcher = fetcherFor({ limits: { ...SMALL, retryMs: 60_000 } });
  const attempt = expect(download()).rejects.toThrow();
  await expect.poll(async () => (await shelf.files()).length).toBeGreaterThanOrEqual(4);

  await trial.fetcher.close();
  await attempt;
  trial.fetcher = fetcherFor({ limits: SMALL });

  expect(await download()).toMatchObject({ sha256: sha256(AUDIO), resumedFrom: CUT });
});

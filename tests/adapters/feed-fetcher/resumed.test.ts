import { createHash } from 'node:crypto';
import type http from 'node:http';
import { expect, test } from 'vitest';
import type { FetcherLimits } from '~/server/adapters/feed-fetcher/port';
import type { ObjectStore } from '~/server/adapters/storage/port';
import { setUpFetcher } from '../../support/fetcher-setup';
import { noise } from '../../support/mp3';
import { setUpStorage } from '../../support/temporary-storage';
import { testFetcher } from '../../support/test-fetcher';

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

const setup = setUpFetcher({ limits: SMALL });
const storage = setUpStorage();

type File = { bytes: Buffer; headers?: Record<string, string> };
type Requests = { requests: string[] };

/** Serves ranges and ignores If-Range. The first response breaks off; then the file may be a different one. */
async function serveAndBreak(first: File, then: File): Promise<Requests & { broken: Promise<void> }> {
  const requests: string[] = [];
  let breaks = (_: Promise<void>) => {};
  const broken = new Promise<void>((resolve) => {
    breaks = resolve;
  });
  await setup.serve((request, response) => {
    requests.push(request.headers.range ? 'rest' : 'all');
    const { bytes, headers = {} } = requests.length === 1 ? first : then;
    const from = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0);
    const range = from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
    response.writeHead(range ? 206 : 200, { 'content-length': bytes.length - from, ...range, ...headers });
    if (requests.length === 1) breaks(storage.sendAndDisconnect(response, bytes.subarray(0, CUT)));
    else response.end(bytes.subarray(from));
  });
  return { requests, broken };
}

const download = (more = {}, store: ObjectStore = storage.store) =>
  setup.fetcher.download(store, { url: setup.url('/7.mp3'), key: KEY, maxBytes: 1_000_000, ...more });

test.each<[string, File, File]>([
  ['neither ETag nor date', { bytes: AUDIO }, { bytes: AUDIO }],
  ['a weak ETag', { bytes: AUDIO, headers: { etag: 'W/"1"' } }, { bytes: AUDIO, headers: { etag: 'W/"1"' } }],
  [
    'a date',
    { bytes: AUDIO, headers: { 'last-modified': DATE } },
    { bytes: AUDIO, headers: { 'last-modified': DATE } },
  ],
  ['an ETag that the second response omits', { bytes: AUDIO, headers: { etag: '"1"' } }, { bytes: AUDIO }],
])('a file with %s resumes if its overlap matches', async (_, first, then) => {
  const { requests } = await serveAndBreak(first, then);

  const found = await download();

  expect(requests).toEqual(['all', 'rest']);
  expect(found).toMatchObject({ bytes: BYTES, sha256: sha256(AUDIO) });
  expect(await storage.files()).toEqual([KEY]);
});

test.each<[string, File, File]>([
  ['the overlap, without ETag and date', { bytes: AUDIO }, { bytes: CHANGED }],
  [
    'the overlap, with the same ETag',
    { bytes: AUDIO, headers: { etag: '"1"' } },
    { bytes: CHANGED, headers: { etag: '"1"' } },
  ],
  [
    'the overlap, without an ETag in the second response',
    { bytes: AUDIO, headers: { etag: '"1"' } },
    { bytes: CHANGED },
  ],
  [
    'the beginning only, with another ETag',
    { bytes: AUDIO, headers: { etag: '"1"' } },
    { bytes: changedAt(5), headers: { etag: '"2"' } },
  ],
  [
    'the beginning only, with another weak ETag',
    { bytes: AUDIO, headers: { etag: 'W/"1"' } },
    { bytes: changedAt(5), headers: { etag: 'W/"2"' } },
  ],
  [
    'the beginning only, with another date',
    { bytes: AUDIO, headers: { 'last-modified': DATE } },
    { bytes: changedAt(5), headers: { 'last-modified': OTHER_DATE } },
  ],
  ['the length', { bytes: AUDIO }, { bytes: Buffer.concat([AUDIO, AUDIO.subarray(0, 10)]) }],
])('the download of a file that changed in %s starts over', async (_, first, then) => {
  const { requests } = await serveAndBreak(first, then);

  const found = await download();

  expect(requests).toEqual(['all', 'rest', 'all']);
  expect(found).toMatchObject({ bytes: then.bytes.length, sha256: sha256(then.bytes), resumedFrom: 0 });
  expect((await storage.read(KEY)).equals(then.bytes)).toBe(true);
  expect(await storage.files()).toEqual([KEY]);
});

test('resumedFrom is set only if the download resumed', async () => {
  await serveAndBreak({ bytes: AUDIO }, { bytes: AUDIO });
  setup.fetcher = testFetcher({ limits: { ...SMALL, ...ONCE } });
  await expect(download()).rejects.toMatchObject({ kind: 'upstream' });
  expect(await storage.files()).toHaveLength(2);

  expect(await download()).toMatchObject({ resumedFrom: CUT, sha256: sha256(AUDIO) });

  await serveAndBreak({ bytes: AUDIO }, { bytes: CHANGED });
  await expect(download()).rejects.toMatchObject({ kind: 'upstream' });

  expect(await download()).toMatchObject({ resumedFrom: 0, sha256: sha256(CHANGED) });
});

/** Sends `size` bytes every `everyMs`. */
const sendSlowly = (bytes: Buffer, size: number, everyMs: number) => (_: unknown, response: http.ServerResponse) => {
  let at = 0;
  response.writeHead(200, { 'content-length': bytes.length });
  const drip = setInterval(() => {
    response.write(bytes.subarray(at, at + size));
    at += size;
    if (at >= bytes.length) response.end();
  }, everyMs);
  response.on('close', () => clearInterval(drip));
};

test('a slow download may exceed the timeout if it keeps the minimum rate', async () => {
  setup.fetcher = testFetcher({ limits: { ...SMALL, attempts: 1, wholeMs: 300, minBytesPerSecond: 50_000 } });
  await setup.serve(sendSlowly(AUDIO, 20_000, 50));
  const began = performance.now();

  const found = await download();

  expect(found.sha256).toBe(sha256(AUDIO));
  expect(performance.now() - began).toBeGreaterThan(600);
});

test('a download below the minimum rate fails', async () => {
  setup.fetcher = testFetcher({ limits: { ...SMALL, attempts: 1, wholeMs: 300, minBytesPerSecond: 50_000 } });
  await setup.serve(sendSlowly(AUDIO, 10, 50));

  await expect(download()).rejects.toMatchObject({ code: 'fetch.timed_out' });
});

test('an error of our own storage is not reported as the server’s, and closes the connection', async () => {
  const server = await setup.serve((_, response) => void response.writeHead(200).write(AUDIO));
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const fullStore: ObjectStore = { ...storage.store, put: () => Promise.reject(full) };

  await expect(download({}, fullStore)).rejects.toBe(full);

  await expect.poll(() => server.open()).toBe(0);
});

test('a permanent error removes the parts, a temporary one keeps them', async () => {
  let status = 500;
  await setup.serve((request, response) => {
    if (request.headers.range || status === 410) return void response.writeHead(status).end();
    response.writeHead(200, { 'content-length': BYTES });
    void storage.sendAndDisconnect(response, AUDIO.subarray(0, CUT));
  });
  setup.fetcher = testFetcher({ limits: { ...SMALL, ...ONCE } });
  await expect(download()).rejects.toMatchObject({ code: 'fetch.body_cut' });
  await expect(download()).rejects.toMatchObject({ code: 'fetch.server_failing', params: { status } });
  const kept = await storage.files();

  status = 410;
  await expect(download()).rejects.toMatchObject({ code: 'fetch.file_missing', params: { status } });

  expect(kept).toHaveLength(2);
  expect(await storage.files()).toEqual([]);
});

test('a checksum may be in upper case', async () => {
  await setup.serve((_, response) => response.end(AUDIO));

  expect(await download({ sha256: sha256(AUDIO).toUpperCase() })).toMatchObject({ sha256: sha256(AUDIO) });
});

test('closing the fetcher ends a download, and the next one uses its parts', async () => {
  const { broken } = await serveAndBreak({ bytes: AUDIO }, { bytes: AUDIO });
  setup.fetcher = testFetcher({ limits: { ...SMALL, retryMs: 60_000 } });
  const attempt = expect(download()).rejects.toThrow();
  await expect.poll(async () => (await storage.files()).length).toBeGreaterThanOrEqual(3);
  await broken;

  await setup.fetcher.close();
  await attempt;
  setup.fetcher = testFetcher({ limits: SMALL });

  const { sha256: checksum, resumedFrom } = await download();

  expect(checksum).toBe(sha256(AUDIO));
  // at least the complete parts; the fetcher may close before the last bytes arrive
  expect(resumedFrom).toBeGreaterThan(CUT / 2);
});

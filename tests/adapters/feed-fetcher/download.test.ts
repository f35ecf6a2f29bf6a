import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { feedFetcher } from '~/server/adapters/feed-fetcher/fetcher';
import type { FeedFetcher } from '~/server/adapters/feed-fetcher/port';
import { s3Store } from '~/server/adapters/storage/s3';
import { type Hostile, hostileServer } from '../../support/hostile';
import { noise } from '../../support/mp3';
import { startS3Stub } from '../../support/s3-stub';
import { setUpStorage } from '../../support/temporary-storage';

vi.setConfig({ testTimeout: 30_000 });

const AUDIO = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 31 + (at >> 8)) % 251));
const SHA256 = createHash('sha256').update(AUDIO).digest('hex');
const KEY = 'incoming/episode-7';
const OVERLAP = 16_000;

const storage = setUpStorage();
let fetcher: FeedFetcher;
let server: Hostile | undefined;
/** The requested ranges, in order. */
let requests: string[];

beforeEach(() => {
  fetcher = open();
  requests = [];
});

afterEach(async () => {
  await fetcher.close();
  await server?.close();
});

function open(attempts = 5, partBytes = 64_000) {
  const limits = { hostGapMs: 0, retryMs: 5, partBytes, overlapBytes: OVERLAP, attempts };
  return feedFetcher({ contact: 'https://altavoz.example', allowLoopback: true, limits });
}

type Faults = { etag?: string; cutAfter?: (request: number) => number | null; ranges?: boolean; body?: () => Buffer };

/** Serves AUDIO with ranges, and breaks connections as the options say. */
async function serveAudio({ etag = '"1"', cutAfter = () => null, ranges = true, body = () => AUDIO }: Faults = {}) {
  server = await hostileServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(request.headers.range ?? 'all');
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const isPartial = ranges && from > 0 && request.headers['if-range'] === etag;
    const bytes = body().subarray(isPartial ? from : 0);
    const headers = { etag, 'content-type': 'audio/mpeg', 'content-length': bytes.length };
    const range = { 'content-range': `bytes ${from}-${body().length - 1}/${body().length}` };
    response.writeHead(isPartial ? 206 : 200, isPartial ? { ...headers, ...range } : headers);
    const cut = cutAfter(requests.length);
    if (cut === null) return void response.end(bytes);
    void storage.sendAndDisconnect(response, bytes.subarray(0, cut));
  });
}

const download = (more = {}) =>
  fetcher.download(storage.store, { url: server!.url('/7.mp3'), key: KEY, maxBytes: 1_000_000, ...more });

test('a file is stored completely, with its checksum', async () => {
  await serveAudio();

  const found = await download({ sha256: SHA256 });

  expect(found).toMatchObject({ bytes: AUDIO.length, sha256: SHA256, contentType: 'audio/mpeg', resumedFrom: 0 });
  expect((await storage.read(KEY)).equals(AUDIO)).toBe(true);
  expect(await storage.files()).toEqual([KEY]);
});

test('a broken download resumes', async () => {
  await serveAudio({ cutAfter: (request) => (request <= 2 ? 100_000 : null) });

  const found = await download();

  expect(found.sha256).toBe(SHA256);
  expect(requests).toHaveLength(3);
  expect(requests[0]).toBe('all');
  expect(requests.slice(1).every((range) => range.startsWith('bytes='))).toBe(true);
});

test('another process resumes a download', async () => {
  await serveAudio({ cutAfter: (request) => (request === 1 ? 200_000 : null) });
  await fetcher.close();
  fetcher = open(1, 1_000_000);
  await expect(download()).rejects.toMatchObject({ name: 'AppError' });
  await fetcher.close();
  fetcher = open(1, 1_000_000);

  const found = await download();

  expect(found.sha256).toBe(SHA256);
  expect(found.resumedFrom).toBeGreaterThanOrEqual(64_000);
  expect(requests).toEqual(['all', `bytes=${found.resumedFrom - OVERLAP}-`]);
});

test('a download that takes too long ends, also while it waits for its host, and the next call resumes it', async () => {
  await serveAudio();
  const slow = await hostileServer((request, response) => {
    if (request.headers.range) return void response.writeHead(503).end();
    response.writeHead(200, { etag: '"1"', 'content-length': AUDIO.length });
    response.write(AUDIO.subarray(0, 150_000));
  });
  const ask = (key: string) =>
    fetcher.download(storage.store, { url: slow.url('/7.mp3'), key, maxBytes: 1_000_000, withinMs: 400 });

  const all = await Promise.allSettled([ask(KEY), ask('incoming/episode-8'), ask('incoming/episode-9')]);
  const stored = await storage.files();
  await slow.close();

  const codes = all.map((one) => (one.status === 'rejected' ? one.reason.code : 'stored'));
  expect(codes).toEqual(['fetch.timed_out', 'fetch.timed_out', 'fetch.timed_out']);
  expect(stored.some((file) => file.startsWith(`${KEY}.parts/`))).toBe(true);
});

test('a download to S3 resumes and leaves only the file', async () => {
  const stub = await startS3Stub();
  const { bucket, endpoint, credentials } = stub;
  const s3 = s3Store({ bucket, endpoint, credentials, region: 'eu-west-1', forcePathStyle: true });
  await serveAudio({ cutAfter: (request) => (request === 1 ? 200_000 : null) });

  const found = await fetcher.download(s3, { url: server!.url('/7.mp3'), key: KEY, maxBytes: 1_000_000 });

  expect(found.sha256).toBe(SHA256);
  expect(requests[1]).toMatch(/^bytes=[1-9]/);
  expect([...stub.objects.keys()]).toEqual([KEY]);
  expect(stub.objects.get(KEY)).toMatchObject({ contentType: 'audio/mpeg', body: { length: AUDIO.length } });
  expect(stub.openMultiparts()).toBe(0);
  await stub.close();
});

test('without range support the whole file is downloaded again', async () => {
  await serveAudio({ ranges: false, cutAfter: (request) => (request === 1 ? 100_000 : null) });

  expect((await download()).sha256).toBe(SHA256);
  expect(requests).toHaveLength(2);
});

test('a file that has changed starts over', async () => {
  const other = Buffer.from(AUDIO).reverse();
  let [etag, body] = ['"1"', AUDIO];
  server = await hostileServer((request, response) => {
    requests.push(request.headers.range ?? 'all');
    const isPartial = request.headers.range && request.headers['if-range'] === etag;
    response.writeHead(isPartial ? 206 : 200, { etag, 'content-length': body.length });
    if (requests.length > 1) return void response.end(body);
    void storage.sendAndDisconnect(response, body.subarray(0, 100_000));
    [etag, body] = ['"2"', other];
  });

  const found = await download();

  expect((await storage.read(KEY)).equals(other)).toBe(true);
  expect(found.sha256).toBe(createHash('sha256').update(other).digest('hex'));
});

test('a file with a wrong checksum is deleted', async () => {
  await serveAudio();

  await expect(download({ sha256: '0'.repeat(64) })).rejects.toMatchObject({ code: 'fetch.changed_meanwhile' });

  expect(await storage.files()).toEqual([]);
});

test('a file that is too large is rejected by its stated and its actual length', async () => {
  await serveAudio();
  await expect(download({ maxBytes: 1000 })).rejects.toMatchObject({ code: 'fetch.body_too_large' });
  await server!.close();
  server = await hostileServer((_, response) => {
    response.writeHead(200);
    response.write(AUDIO.subarray(0, 150_000));
    response.end(AUDIO.subarray(150_000));
  });

  await expect(download({ maxBytes: 200_000 })).rejects.toMatchObject({ code: 'fetch.body_too_large' });

  expect(await storage.files()).toEqual([]);
});

const OTHER = Buffer.from(AUDIO).reverse();

/** The first response breaks off, the second request gets this response, and the third the whole file. */
test.each<[string, Buffer, number, Record<string, string>, Buffer]>([
  [
    'a response with the wrong range',
    AUDIO,
    206,
    { etag: '"1"', 'content-range': `bytes 0-99/${AUDIO.length}` },
    AUDIO.subarray(0, 100),
  ],
  ['a response with the rest of another file', OTHER, 206, { etag: '"2"', 'content-range': 'REST' }, OTHER],
  ['a response with the rest of a file of another length', OTHER, 206, { 'content-range': 'REST9' }, OTHER],
  ['a response with status 416', OTHER, 416, { 'content-range': 'bytes */10' }, Buffer.alloc(0)],
])('after %s the whole file is requested', async (_, whole, status, headers, bytes) => {
  server = await hostileServer((request, response) => {
    requests.push(request.headers.range ? 'rest' : 'all');
    const from = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0);
    const range = headers['content-range']!.replace('REST', `bytes ${from}-${AUDIO.length - 1}/${AUDIO.length}`);
    if (from > 0)
      return void response
        .writeHead(status, { ...headers, 'content-range': range })
        .end(bytes.subarray(bytes === OTHER ? from : 0));
    response.writeHead(200, { etag: '"1"', 'content-length': AUDIO.length });
    if (requests.length > 1) return void response.end(whole);
    void storage.sendAndDisconnect(response, AUDIO.subarray(0, 100_000));
  });

  await download();

  expect((await storage.read(KEY)).equals(whole)).toBe(true);
  expect(requests).toEqual(['all', 'rest', 'all']);
});

test('an encoded file is not resumed', async () => {
  const encoded = gzipSync(noise(300_000, 5));
  server = await hostileServer((request, response) => {
    requests.push(request.headers.range ?? 'all');
    response.writeHead(200, { etag: '"1"', 'content-encoding': 'gzip', 'content-length': encoded.length });
    if (requests.length > 1) return void response.end(encoded);
    void storage.sendAndDisconnect(response, encoded.subarray(0, 200_000));
  });

  await download();

  expect((await storage.read(KEY)).equals(noise(300_000, 5))).toBe(true);
  expect(requests).toEqual(['all', 'all']);
});

test('a download fails after five broken connections', async () => {
  await serveAudio({ cutAfter: () => 10 });

  await expect(download()).rejects.toMatchObject({ name: 'AppError' });

  expect(requests).toHaveLength(5);
});

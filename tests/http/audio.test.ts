import { mkdtemp, utimes } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { diskStore } from '~/server/adapters/storage/disk';
import { s3Store } from '~/server/adapters/storage/s3';
import { type AudioSample, partsOf, requestAudio, serveAudio, storeSamples, until } from '../support/audio-door';
import { deepSeed, isDeep } from '../support/deep';
import { startS3Stub } from '../support/s3-stub';
import { seededInts } from '../support/seeded-ints';

const root = await mkdtemp(join(tmpdir(), 'altavoz-audio-'));
const disk = await diskStore({ root, formUrl: (key) => key });
const samples = await storeSamples(disk);
const missing = { id: 9, enclosure: { objectKey: 'audio/1/9/lost.mp3', bytes: 10, sha256: 'lost' } };
const door = await serveAudio(disk, [...samples, missing]);
afterAll(() => door.close());
const tagOf = ({ enclosure }: AudioSample) => `"${enclosure.sha256}"`;

beforeEach(async () => {
  // A delivery is reported shortly after its last byte. A delivery of the previous test must not count here.
  await wait(100);
  door.delivered.length = 0;
  door.logged.length = 0;
});

test.each(samples)('a GET of $name answers the whole file with the headers that podcast apps need', async (sample) => {
  const { status, headers, body } = await requestAudio(door, sample.id);

  const size = sample.body.length;
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'audio/mpeg',
    'content-length': `${size}`,
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    etag: tagOf(sample),
  });
  expect(headers['content-range']).toBeUndefined();
  expect(body.equals(sample.body)).toBe(true);
  await until(() => door.delivered.length > 0);
  expect(door.delivered).toMatchObject([
    { episodeId: sample.id, start: 0, end: size - 1, sent: size, isComplete: true },
  ]);
});

test.each(samples)(
  'a HEAD of $name has the headers of the GET and no body, even with a Range header',
  async (sample) => {
    const get = await requestAudio(door, sample.id);
    const head = await requestAudio(door, sample.id, { method: 'HEAD' });
    const ranged = await requestAudio(door, sample.id, { method: 'HEAD', headers: { range: 'bytes=0-1' } });
    const afterEnd = await requestAudio(door, sample.id, {
      method: 'HEAD',
      headers: { range: `bytes=${sample.body.length}-` },
    });
    await until(() => door.delivered.length > 0);

    const { date: _, ...expected } = get.headers;
    for (const { status, headers, body } of [head, ranged, afterEnd]) {
      expect([status, body.length]).toEqual([200, 0]);
      expect(headers).toMatchObject(expected);
    }
    expect(door.delivered.length).toBe(1);
  },
);

test('every response says when the newest part of a file was written, whichever part it sends', async () => {
  const { id, enclosure } = samples[1]!;
  const parts = 'segments' in enclosure ? enclosure.segments : [];
  const keys = new Set(parts.flatMap(({ from }) => ('key' in from ? [from.key] : [])));
  for (const [i, key] of [...keys].entries()) await utimes(join(root, key), 1_790_000_000 - i, 1_790_000_000 - i);
  const newest = new Date(1_790_000_000_000).toUTCString();
  const dated = await serveAudio(disk, samples);
  onTestFinished(() => dated.close());

  const answers = await Promise.all([
    requestAudio(dated, id, { method: 'HEAD' }),
    requestAudio(dated, id, { headers: { range: 'bytes=2000-2009' } }),
    requestAudio(dated, id, { headers: { range: 'bytes=-10' } }),
    requestAudio(dated, id, { headers: { 'if-modified-since': newest } }),
  ]);

  expect(keys.size).toBe(2);
  expect(answers.map(({ status, headers }) => [status, headers['last-modified']])).toEqual(
    [200, 206, 206, 304].map((status) => [status, newest]),
  );
});

test.each(
  samples.flatMap((sample) => {
    const size = sample.body.length;
    return (
      [
        ['bytes=0-0', 0, 0],
        ['bytes=0-1', 0, 1],
        ['bytes=100000-499999', 100_000, 499_999],
        [`bytes=${size - 1}-`, size - 1, size - 1],
        [`bytes=0-`, 0, size - 1],
        ['bytes=-100', size - 100, size - 1],
        [`bytes=-${size + 5}`, 0, size - 1],
        ['bytes=250000-99999999', 250_000, size - 1],
      ] as const
    ).map(([range, start, end]) => ({ sample, name: sample.name, range, start, end }));
  }),
)('$range of $name answers 206 with these bytes', async ({ sample, range, start, end }) => {
  const { status, headers, body } = await requestAudio(door, sample.id, { headers: { range } });

  expect(status).toBe(206);
  expect(headers).toMatchObject({
    'content-range': `bytes ${start}-${end}/${sample.body.length}`,
    'content-length': `${end - start + 1}`,
    'accept-ranges': 'bytes',
    etag: tagOf(sample),
  });
  expect(body.equals(sample.body.subarray(start, end + 1))).toBe(true);
  await until(() => door.delivered.length > 0);
  const parts = partsOf(sample, start, end);
  const sent = end - start + 1;
  expect(door.delivered).toEqual([{ episodeId: sample.id, start, end, sent, isComplete: true, parts }]);
});

test.each(samples)('a range after the end of $name answers 416 with the size', async (sample) => {
  const size = sample.body.length;
  const afterEnd = await requestAudio(door, sample.id, { headers: { range: `bytes=${size}-` } });
  const several = await requestAudio(door, sample.id, { headers: { range: `bytes=${size}-,-0` } });
  const malformed = await requestAudio(door, sample.id, { headers: { range: 'bytes=5-4' } });

  for (const { status, headers, body } of [afterEnd, several]) {
    expect([status, headers['content-range'], headers['content-length'], body.length]).toEqual([
      416,
      `bytes */${size}`,
      '0',
      0,
    ]);
    expect([headers['accept-ranges'], headers.etag]).toEqual(['bytes', tagOf(sample)]);
  }
  expect([malformed.status, malformed.body.length]).toEqual([200, size]);
});

test.each(samples)(
  'several ranges of $name are parts of one response, and each is reported separately',
  async (sample) => {
    const size = sample.body.length;
    const requested = [
      [0, 1],
      [150_000, 650_000],
      [size - 3, size - 1],
    ] as const;
    const range = `bytes=0-1, 150000-650000,-3,${size + 7}-`;

    const { status, headers, body } = await requestAudio(door, sample.id, { headers: { range } });

    const boundary = /^multipart\/byteranges; boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1];
    expect([status, headers['content-length'], headers.etag]).toEqual([206, `${body.length}`, tagOf(sample)]);
    expect(headers['content-range']).toBeUndefined();
    const pieces = requested.flatMap(([start, end], i) => [
      Buffer.from(
        `${i ? '\r\n' : ''}--${boundary}\r\ncontent-type: audio/mpeg\r\ncontent-range: bytes ${start}-${end}/${size}\r\n\r\n`,
      ),
      sample.body.subarray(start, end + 1),
    ]);
    expect(body.equals(Buffer.concat([...pieces, Buffer.from(`\r\n--${boundary}--\r\n`)]))).toBe(true);
    await until(() => door.delivered.length === 3);
    const expected = requested.map(([start, end]) => {
      const parts = partsOf(sample, start, end);
      return { episodeId: sample.id, start, end, sent: end - start + 1, isComplete: true, parts };
    });
    expect(door.delivered).toEqual(expected);
  },
);

test.each(
  samples.flatMap((sample) =>
    [tagOf(sample), `W/${tagOf(sample)}`, `"other", ${tagOf(sample)}`, `"other",W/${tagOf(sample)}`, '*'].map(
      (known) => ({
        sample,
        name: sample.name,
        known,
      }),
    ),
  ),
)('$name with If-None-Match: $known answers 304, even with a Range header', async ({ sample, known }) => {
  const get = await requestAudio(door, sample.id, { headers: { 'if-none-match': known } });
  const head = await requestAudio(door, sample.id, { method: 'HEAD', headers: { 'if-none-match': known } });
  const part = await requestAudio(door, sample.id, { headers: { 'if-none-match': known, range: 'bytes=0-1' } });

  for (const { status, headers, body } of [get, head, part])
    expect([status, headers.etag, body.length]).toEqual([304, tagOf(sample), 0]);
  expect(door.delivered).toEqual([]);
});

test.each(samples)(
  '$name is sent if the ETag differs, and a range only if the If-Range ETag matches',
  async (sample) => {
    const status = async (headers: Record<string, string>) => (await requestAudio(door, sample.id, { headers })).status;
    const range = 'bytes=0-9';

    expect(await status({ 'if-none-match': '"other"' })).toBe(200);
    expect(await status({ 'if-none-match': '"other"', range })).toBe(206);
    expect(await status({ 'if-range': tagOf(sample), range })).toBe(206);
    expect(await status({ 'if-range': '"other"', range })).toBe(200);
    // A weak ETag does not guarantee the same bytes. A date never matches, because there is no Last-Modified header.
    expect(await status({ 'if-range': `W/${tagOf(sample)}`, range })).toBe(200);
    expect(await status({ 'if-range': new Date().toUTCString(), range })).toBe(200);
    expect(await status({ 'if-range': tagOf(sample), range: `bytes=${sample.body.length}-` })).toBe(416);
    expect(await status({ 'if-range': '"other"', range: `bytes=${sample.body.length}-` })).toBe(200);
    expect(await status({ 'if-range': tagOf(sample) })).toBe(200);
  },
);

test('unknown episodes, missing objects, other methods and other paths are not served', async () => {
  const unknown = await requestAudio(door, 99);
  const gone = await requestAudio(door, 9);
  const post = await requestAudio(door, 7, { method: 'POST' });
  const preflight = await requestAudio(door, 7, { method: 'OPTIONS', headers: { origin: 'https://player.example' } });
  const elsewhere = await requestAudio(door, '/audio/7/x.mp3/more');
  const query = await requestAudio(door, '/audio/7/x.mp3?from=feed', { method: 'HEAD' });

  expect([unknown.status, gone.status, post.status, elsewhere.status, query.status]).toEqual([404, 404, 405, 418, 200]);
  expect(gone.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
  expect(door.logged).toMatchObject([{ episodeId: 9, msg: 'audio missing in storage' }]);
  expect(preflight.status).toBe(204);
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD',
  });
});

test('one connection serves many requests', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [plain] = samples;
  let sockets = 0;
  agent.on('free', () => {
    sockets = Object.values(agent.freeSockets).flat().length;
  });

  for (let i = 0; i < 20; i++) {
    const range = `bytes=${i * 1000}-${i * 1000 + 499_999}`;
    const { body } = await requestAudio(door, 7, { agent, headers: { range } });
    expect(body.equals(plain!.body.subarray(i * 1000, i * 1000 + 500_000))).toBe(true);
  }

  await until(() => sockets === 1);
  expect(sockets).toBe(1);
  agent.destroy();
});

const RANGES = isDeep ? 1000 : 200;

test.each(samples)('concurrent random ranges of $name equal slices of the whole file', async (sample) => {
  const nextInt = seededInts(deepSeed());
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const size = sample.body.length;
  const ranges = Array.from({ length: RANGES }, () => {
    const start = nextInt(size);
    return { start, end: Math.min(size - 1, start + nextInt(90_000)) };
  });

  const wrong = await Promise.all(
    ranges.map(async ({ start, end }) => {
      const { body } = await requestAudio(door, sample.id, { agent, headers: { range: `bytes=${start}-${end}` } });
      return body.equals(sample.body.subarray(start, end + 1)) ? [] : [{ start, end }];
    }),
  );

  expect(wrong.flat()).toEqual([]);
  agent.destroy();
});

test('the responses from S3 are the same', async () => {
  const stub = await startS3Stub();
  afterAll(() => stub.close());
  const store = s3Store({ ...stub, region: 'eu-west-1', forcePathStyle: true });
  const onS3 = await serveAudio(store, await storeSamples(store));
  afterAll(() => onS3.close());

  for (const { id, body } of samples) {
    for (const range of [undefined, 'bytes=0-1', 'bytes=500-599999', 'bytes=-5', `bytes=${body.length}-`]) {
      const [there, here] = await Promise.all(
        [onS3, door].map((server) => requestAudio(server, id, { headers: range ? { range } : {} })),
      );
      const { date: _, 'last-modified': __, ...headers } = here!.headers;
      expect([there!.status, there!.body.equals(here!.body)]).toEqual([here!.status, true]);
      expect(there!.headers).toMatchObject(headers);
    }
  }
});

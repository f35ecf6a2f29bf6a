import { mkdtemp } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { diskStore } from '~/server/adapters/storage/disk';
import { s3Store } from '~/server/adapters/storage/s3';
import { ask, partsOf, type Shown, serveAudio, shownIn, until } from '../support/audio-door';
import { deepSeed, isDeep } from '../support/deep';
import { startS3Stub } from '../support/s3-stub';
import { seededInts } from '../support/seeded-ints';

const root = await mkdtemp(join(tmpdir(), 'altavoz-audio-'));
const disk = await diskStore({ root, formUrl: (key) => key });
const shown = await shownIn(disk);
const lost = { id: 9, enclosure: { objectKey: 'audio/1/9/lost.mp3', bytes: 10, sha256: 'lost' } };
const door = await serveAudio(disk, [...shown, lost]);
afterAll(() => door.close());
const tagOf = ({ enclosure }: Shown) => `"${enclosure.sha256}"`;

beforeEach(async () => {
  // a delivery is told a moment after its last byte: that of the test before must not be counted here
  await wait(100);
  door.delivered.length = 0;
  door.logged.length = 0;
});

test.each(shown)('a GET of $name answers all of it, with everything a podcast app wants to know', async (one) => {
  const { status, headers, body } = await ask(door, one.id);

  const size = one.body.length;
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'audio/mpeg',
    'content-length': `${size}`,
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    etag: tagOf(one),
  });
  expect(headers['content-range']).toBeUndefined();
  expect(body.equals(one.body)).toBe(true);
  await until(() => door.delivered.length > 0);
  expect(door.delivered).toMatchObject([{ episodeId: one.id, start: 0, end: size - 1, sent: size, isComplete: true }]);
});

test.each(shown)('HEAD of $name tells the same without a byte, also when it names a range', async (one) => {
  const get = await ask(door, one.id);
  const head = await ask(door, one.id, { method: 'HEAD' });
  const ranged = await ask(door, one.id, { method: 'HEAD', headers: { range: 'bytes=0-1' } });
  const behind = await ask(door, one.id, { method: 'HEAD', headers: { range: `bytes=${one.body.length}-` } });
  await until(() => door.delivered.length > 0);

  const { date: _, ...told } = get.headers;
  for (const { status, headers, body } of [head, ranged, behind]) {
    expect([status, body.length]).toEqual([200, 0]);
    expect(headers).toMatchObject(told);
  }
  expect(door.delivered.length).toBe(1);
});

test.each(
  shown.flatMap((one) => {
    const size = one.body.length;
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
    ).map(([range, start, end]) => ({ one, name: one.name, range, start, end }));
  }),
)('$range of $name is a part', async ({ one, range, start, end }) => {
  const { status, headers, body } = await ask(door, one.id, { headers: { range } });

  expect(status).toBe(206);
  expect(headers).toMatchObject({
    'content-range': `bytes ${start}-${end}/${one.body.length}`,
    'content-length': `${end - start + 1}`,
    'accept-ranges': 'bytes',
    etag: tagOf(one),
  });
  expect(body.equals(one.body.subarray(start, end + 1))).toBe(true);
  await until(() => door.delivered.length > 0);
  const parts = partsOf(one, start, end);
  const sent = end - start + 1;
  expect(door.delivered).toEqual([{ episodeId: one.id, start, end, sent, isComplete: true, parts }]);
});

test.each(shown)('a range behind the end of $name is 416 and tells the size', async (one) => {
  const size = one.body.length;
  const behind = await ask(door, one.id, { headers: { range: `bytes=${size}-` } });
  const several = await ask(door, one.id, { headers: { range: `bytes=${size}-,-0` } });
  const malformed = await ask(door, one.id, { headers: { range: 'bytes=5-4' } });

  for (const { status, headers, body } of [behind, several]) {
    expect([status, headers['content-range'], headers['content-length'], body.length]).toEqual([
      416,
      `bytes */${size}`,
      '0',
      0,
    ]);
    expect([headers['accept-ranges'], headers.etag]).toEqual(['bytes', tagOf(one)]);
  }
  expect([malformed.status, malformed.body.length]).toEqual([200, size]);
});

test.each(shown)('several ranges of $name are parts of one answer, and each is told by itself', async (one) => {
  const size = one.body.length;
  const wanted = [
    [0, 1],
    [150_000, 650_000],
    [size - 3, size - 1],
  ] as const;
  const range = `bytes=0-1, 150000-650000,-3,${size + 7}-`;

  const { status, headers, body } = await ask(door, one.id, { headers: { range } });

  const boundary = /^multipart\/byteranges; boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1];
  expect([status, headers['content-length'], headers.etag]).toEqual([206, `${body.length}`, tagOf(one)]);
  expect(headers['content-range']).toBeUndefined();
  const pieces = wanted.flatMap(([start, end], i) => [
    Buffer.from(
      `${i ? '\r\n' : ''}--${boundary}\r\ncontent-type: audio/mpeg\r\ncontent-range: bytes ${start}-${end}/${size}\r\n\r\n`,
    ),
    one.body.subarray(start, end + 1),
  ]);
  expect(body.equals(Buffer.concat([...pieces, Buffer.from(`\r\n--${boundary}--\r\n`)]))).toBe(true);
  await until(() => door.delivered.length === 3);
  const told = wanted.map(([start, end]) => {
    const parts = partsOf(one, start, end);
    return { episodeId: one.id, start, end, sent: end - start + 1, isComplete: true, parts };
  });
  expect(door.delivered).toEqual(told);
});

test.each(
  shown.flatMap((one) =>
    [tagOf(one), `W/${tagOf(one)}`, `"other", ${tagOf(one)}`, `"other",W/${tagOf(one)}`, '*'].map((known) => ({
      one,
      name: one.name,
      known,
    })),
  ),
)('$name is 304 for who has $known, before any range', async ({ one, known }) => {
  const get = await ask(door, one.id, { headers: { 'if-none-match': known } });
  const head = await ask(door, one.id, { method: 'HEAD', headers: { 'if-none-match': known } });
  const part = await ask(door, one.id, { headers: { 'if-none-match': known, range: 'bytes=0-1' } });

  for (const { status, headers, body } of [get, head, part])
    expect([status, headers.etag, body.length]).toEqual([304, tagOf(one), 0]);
  expect(door.delivered).toEqual([]);
});

test.each(shown)('$name is sent to who has another version, and a part only to who has this one', async (one) => {
  const status = async (headers: Record<string, string>) => (await ask(door, one.id, { headers })).status;
  const range = 'bytes=0-9';

  expect(await status({ 'if-none-match': '"other"' })).toBe(200);
  expect(await status({ 'if-none-match': '"other"', range })).toBe(206);
  expect(await status({ 'if-range': tagOf(one), range })).toBe(206);
  expect(await status({ 'if-range': '"other"', range })).toBe(200);
  // a weak tag does not promise the same bytes, and neither does a date: there is no Last-Modified that it could equal
  expect(await status({ 'if-range': `W/${tagOf(one)}`, range })).toBe(200);
  expect(await status({ 'if-range': new Date().toUTCString(), range })).toBe(200);
  expect(await status({ 'if-range': tagOf(one), range: `bytes=${one.body.length}-` })).toBe(416);
  expect(await status({ 'if-range': '"other"', range: `bytes=${one.body.length}-` })).toBe(200);
  expect(await status({ 'if-range': tagOf(one) })).toBe(200);
});

test('unknown episodes, lost objects, other methods and other paths', async () => {
  const unknown = await ask(door, 99);
  const gone = await ask(door, 9);
  const post = await ask(door, 7, { method: 'POST' });
  const preflight = await ask(door, 7, { method: 'OPTIONS', headers: { origin: 'https://player.example' } });
  const elsewhere = await ask(door, '/audio/7/x.mp3/more');
  const query = await ask(door, '/audio/7/x.mp3?from=feed', { method: 'HEAD' });

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
  const [plain] = shown;
  let sockets = 0;
  agent.on('free', () => {
    sockets = Object.values(agent.freeSockets).flat().length;
  });

  for (let i = 0; i < 20; i++) {
    const range = `bytes=${i * 1000}-${i * 1000 + 499_999}`;
    const { body } = await ask(door, 7, { agent, headers: { range } });
    expect(body.equals(plain!.body.subarray(i * 1000, i * 1000 + 500_000))).toBe(true);
  }

  await until(() => sockets === 1);
  expect(sockets).toBe(1);
  agent.destroy();
});

const RANGES = isDeep ? 1000 : 200;

test.each(shown)('random ranges of $name, many at once, are slices of the whole', async (one) => {
  const roll = seededInts(deepSeed());
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const size = one.body.length;
  const ranges = Array.from({ length: RANGES }, () => {
    const start = roll(size);
    return { start, end: Math.min(size - 1, start + roll(90_000)) };
  });

  const wrong = await Promise.all(
    ranges.map(async ({ start, end }) => {
      const { body } = await ask(door, one.id, { agent, headers: { range: `bytes=${start}-${end}` } });
      return body.equals(one.body.subarray(start, end + 1)) ? [] : [{ start, end }];
    }),
  );

  expect(wrong.flat()).toEqual([]);
  agent.destroy();
});

test('from S3 the answers are the same', async () => {
  const stub = await startS3Stub();
  afterAll(() => stub.close());
  const store = s3Store({ ...stub, region: 'eu-west-1', forcePathStyle: true });
  const onS3 = await serveAudio(store, await shownIn(store));
  afterAll(() => onS3.close());

  for (const { id, body } of shown) {
    for (const range of [undefined, 'bytes=0-1', 'bytes=500-599999', 'bytes=-5', `bytes=${body.length}-`]) {
      const [there, here] = await Promise.all(
        [onS3, door].map((at) => ask(at, id, { headers: range ? { range } : {} })),
      );
      const { date: _, ...headers } = here!.headers;
      expect([there!.status, there!.body.equals(here!.body)]).toEqual([here!.status, true]);
      expect(there!.headers).toMatchObject(headers);
    }
  }
});

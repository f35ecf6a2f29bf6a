import { mkdtemp, readdir, readlink } from 'node:fs/promises';
import { Agent, createServer, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { diskStore } from '~/server/adapters/storage/disk';
import { s3Store } from '~/server/adapters/storage/s3';
import { createAudioDoor, type Delivered } from '~/server/http/audio';
import { createLog } from '~/server/log';
import { noise } from '../support/mp3';
import { startS3Stub } from '../support/s3-stub';

const KEY = 'audio/1/7/abc.mp3';
const TAG = '"5ha"';
const body = noise(3_000_000, 3);
const root = await mkdtemp(join(tmpdir(), 'altavoz-audio-'));
const disk = await diskStore({ root, formUrl: (key) => key });
await disk.put(KEY, body, { contentType: 'audio/mpeg' });

const delivered: Delivered[] = [];
const logged: { episodeId: number; msg: string }[] = [];
beforeEach(async () => {
  // a delivery is told a moment after its last byte: that of the test before must not be counted here
  await wait(100);
  delivered.length = 0;
  logged.length = 0;
});

async function serve(store: typeof disk) {
  const door = createAudioDoor({
    store,
    log: createLog('error', { write: (line) => logged.push(JSON.parse(line)) }),
    lookup: async (id) => {
      if (id === 7) return { objectKey: KEY, bytes: body.length, sha256: '5ha' };
      return id === 8 ? { objectKey: 'audio/1/8/lost.mp3', bytes: 10, sha256: 'lost' } : null;
    },
    onDelivered: (done) => delivered.push(done),
  });
  const server = createServer((req, res) => {
    if (!door(req, res)) res.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => server.close());
  return (server.address() as AddressInfo).port;
}

const port = await serve(disk);
type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };
type Options = { method?: string; path?: string; headers?: Record<string, string>; port?: number; agent?: Agent };

function ask({ method = 'GET', path = '/audio/7/name.mp3', headers = {}, agent, ...rest }: Options = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: rest.port ?? port, method, path, headers, agent }, (res) => {
      const answer = (parts: Buffer[]) =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(parts) });
      res.toArray().then(answer, reject);
    });
    sent.on('error', reject).end();
  });
}

async function openFiles(): Promise<number> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((target) => target.startsWith(root)).length;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200 && !(await condition()); tries++) await wait(20);
}

test('a GET answers the whole file, with everything a podcast app wants to know', async () => {
  const { status, headers, body: received } = await ask();

  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'audio/mpeg',
    'content-length': '3000000',
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    etag: TAG,
  });
  expect(received.equals(body)).toBe(true);
  await until(() => delivered.length > 0);
  expect(delivered).toMatchObject([{ episodeId: 7, start: 0, end: 2_999_999, sent: 3_000_000, whole: true }]);
});

test('HEAD tells the same without a byte, also when it names a range', async () => {
  const { status, headers, body: received } = await ask({ method: 'HEAD', headers: { range: 'bytes=0-1' } });

  expect([status, headers['content-length'], headers.etag, received.length]).toEqual([200, '3000000', TAG, 0]);
  expect(delivered).toEqual([]);
});

test.each([
  ['bytes=0-1', 0, 1],
  ['bytes=1000000-1999999', 1_000_000, 1_999_999],
  ['bytes=2999999-', 2_999_999, 2_999_999],
  ['bytes=-100', 2_999_900, 2_999_999],
  ['bytes=2500000-99999999', 2_500_000, 2_999_999],
])('%s is a part', async (range, start, end) => {
  const { status, headers, body: received } = await ask({ headers: { range } });

  expect(status).toBe(206);
  expect(headers['content-range']).toBe(`bytes ${start}-${end}/3000000`);
  expect(headers['content-length']).toBe(String(end - start + 1));
  expect(received.equals(body.subarray(start, end + 1))).toBe(true);
  await until(() => delivered.length > 0);
  expect(delivered).toMatchObject([{ episodeId: 7, start, end, sent: end - start + 1, whole: true }]);
});

test('a range behind the end is 416 and tells the size', async () => {
  const { status, headers } = await ask({ headers: { range: 'bytes=3000000-' } });

  expect([status, headers['content-range']]).toEqual([416, 'bytes */3000000']);
});

test('several ranges at once are parts of one answer, and each is told by itself', async () => {
  const { status, headers, body: received } = await ask({ headers: { range: 'bytes=0-1,2000000-2000099,-3' } });

  const boundary = /^multipart\/byteranges; boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1];
  expect([status, headers['content-length']]).toEqual([206, String(received.length)]);
  const parts = received.toString('latin1').split(`--${boundary}`).slice(1, -1);
  expect(parts.map((part) => /content-range: (.*)\r\n/.exec(part)?.[1])).toEqual([
    'bytes 0-1/3000000',
    'bytes 2000000-2000099/3000000',
    'bytes 2999997-2999999/3000000',
  ]);
  const contents = parts.map((part) => part.slice(part.indexOf('\r\n\r\n') + 4, -2));
  const wanted = [body.subarray(0, 2), body.subarray(2_000_000, 2_000_100), body.subarray(-3)];
  expect(contents).toEqual(wanted.map((bytes) => bytes.toString('latin1')));
  await until(() => delivered.length === 3);
  expect(delivered.map(({ start, sent }) => [start, sent])).toEqual([
    [0, 2],
    [2_000_000, 100],
    [2_999_997, 3],
  ]);
});

test('what the client has already is 304, and a part of another version is the whole of this one', async () => {
  const known = await ask({ headers: { 'if-none-match': TAG } });
  const knownByHead = await ask({ method: 'HEAD', headers: { 'if-none-match': TAG, range: 'bytes=0-1' } });
  const sameVersion = await ask({ headers: { 'if-range': TAG, range: 'bytes=0-9' } });
  const otherVersion = await ask({ headers: { 'if-range': '"old"', range: 'bytes=0-9' } });

  expect([known.status, known.body.length, known.headers.etag]).toEqual([304, 0, TAG]);
  expect([knownByHead.status, knownByHead.headers.etag]).toEqual([304, TAG]);
  expect([sameVersion.status, otherVersion.status]).toEqual([206, 200]);
});

test('unknown episodes, lost objects, other methods and other paths', async () => {
  const unknown = await ask({ path: '/audio/9/x.mp3' });
  const lost = await ask({ path: '/audio/8/x.mp3' });
  const post = await ask({ method: 'POST' });
  const preflight = await ask({ method: 'OPTIONS', headers: { origin: 'https://player.example' } });
  const elsewhere = await ask({ path: '/audio/7/x.mp3/more' });
  const query = await ask({ path: '/audio/7/x.mp3?from=feed', method: 'HEAD' });

  expect([unknown.status, lost.status, post.status, elsewhere.status, query.status]).toEqual([404, 404, 405, 418, 200]);
  expect(lost.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
  expect(logged).toMatchObject([{ episodeId: 8, msg: 'the store has lost a part of the audio' }]);
  expect(preflight.status).toBe(204);
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD',
  });
});

test('one connection serves many requests', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let sockets = 0;
  agent.on('free', () => {
    sockets = Object.values(agent.freeSockets).flat().length;
  });

  for (let i = 0; i < 20; i++) {
    const { body: received } = await ask({ agent, headers: { range: `bytes=${i * 1000}-${i * 1000 + 499_999}` } });
    expect(received.equals(body.subarray(i * 1000, i * 1000 + 500_000))).toBe(true);
  }

  await until(() => sockets === 1);
  expect(sockets).toBe(1);
  agent.destroy();
});

test('listeners who leave in the middle leave no open file, and what they got is told', async () => {
  const leavers = Array.from({ length: 30 }, async (_, i) => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /audio/7/name.mp3 HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    await wait(i % 3);
    socket.destroy();
  });
  await Promise.all(leavers);

  await until(async () => delivered.length === 30 && (await openFiles()) === 0);

  expect(await openFiles()).toBe(0);
  expect(delivered.length).toBe(30);
  expect(delivered.every(({ sent, whole }) => sent <= 3_000_000 && whole === (sent === 3_000_000))).toBe(true);
  expect((await ask()).body.equals(body)).toBe(true);
});

test('a listener who does not read holds up nobody and is not read ahead for', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.write('GET /audio/7/name.mp3 HTTP/1.1\r\nHost: x\r\n\r\n');

  const others = await Promise.all([1, 2, 3].map(() => ask()));

  expect(others.every(({ body: received }) => received.equals(body))).toBe(true);
  socket.destroy();
  await until(() => delivered.length === 4);
  expect(delivered.length).toBe(4);
});

test('random ranges at once are each the right bytes', async () => {
  const random = noise(400, 9);
  const ranges = Array.from({ length: 60 }, (_, i) => {
    const start = (random.readUInt32BE(i * 4) >>> 0) % 2_900_000;
    return { start, end: start + (random.readUInt16BE(i * 4 + 100) % 90_000) };
  });

  const answers = await Promise.all(
    ranges.map(({ start, end }) => ask({ headers: { range: `bytes=${start}-${end}` } })),
  );

  answers.forEach(({ body: received }, i) => {
    expect(received.equals(body.subarray(ranges[i]!.start, ranges[i]!.end + 1))).toBe(true);
  });
});

test('a store that fails in the middle breaks the line, and what had gone out is told', async () => {
  const failing: typeof disk = {
    ...disk,
    async open(key) {
      const object = (await disk.open(key))!;
      const chunks: typeof object.chunks = async function* (range) {
        for await (const chunk of object.chunks(range)) {
          yield chunk;
          throw new Error('the store is gone');
        }
      };
      return { ...object, chunks };
    },
  };
  const failingPort = await serve(failing);

  await expect(ask({ port: failingPort })).rejects.toThrow();

  await until(() => delivered.length > 0);
  expect(delivered).toMatchObject([{ episodeId: 7, start: 0, whole: false }]);
  expect(delivered[0]!.sent).toBeGreaterThan(0);
  expect(delivered[0]!.sent).toBeLessThan(body.length);
  await until(async () => (await openFiles()) === 0);
  expect(await openFiles()).toBe(0);
});

test('from S3 the answers are the same', async () => {
  const stub = await startS3Stub();
  afterAll(() => stub.close());
  const store = s3Store({ ...stub, region: 'eu-west-1', forcePathStyle: true });
  await store.put(KEY, body, { contentType: 'audio/mpeg' });
  const s3Port = await serve(store);

  const whole = await ask({ port: s3Port });
  const part = await ask({ port: s3Port, headers: { range: 'bytes=500-999999' } });

  expect(whole.body.equals(body)).toBe(true);
  expect([part.status, part.headers.etag]).toEqual([206, TAG]);
  expect(part.body.equals(body.subarray(500, 1_000_000))).toBe(true);
});

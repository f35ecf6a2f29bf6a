import { mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { diskStore } from '~/server/adapters/storage/disk';
import type { ObjectStore } from '~/server/adapters/storage/port';
import { openFilesBelow, requestAudio, requestPaused, serveAudio, storeSamples, until } from '../support/audio-door';
import { isDeep } from '../support/deep';
import { noise } from '../support/mp3';

const root = await mkdtemp(join(tmpdir(), 'altavoz-breaks-'));
const disk = await diskStore({ root, formUrl: (key) => key });
const samples = await storeSamples(disk);

/**
 * Two objects larger than the system's buffers for a client that does not read: a file, and a rendition with segments
 * in memory.
 */
const LARGE = 'audio/1/large.mp3';
const CHUNK = 700_000;
const large = noise(64 * CHUNK, 5);
const segments = Array.from({ length: 128 }, (_, i) => {
  const at = Math.floor(i / 2) * CHUNK;
  if (i % 2) return { bytes: 1000, from: { memory: large.subarray(at + CHUNK - 1000, at + CHUNK) } };
  return { bytes: CHUNK - 1000, from: { key: LARGE, start: at } };
});
await disk.put(LARGE, large, { contentType: 'audio/mpeg' });
const bytes = large.length;
const larges = [
  { name: 'a plain file', id: 17, enclosure: { objectKey: LARGE, bytes, sha256: 'a' } },
  { name: 'a rendition', id: 18, enclosure: { segments, bytes, sha256: 'b' } },
];

let readBytes = 0;
/** The size of the largest chunk, which only clients that read quickly are sent. */
const LARGEST_CHUNK = 1024 * 1024;
/** Counts the bytes that are read from the store. */
const countingStore: ObjectStore = {
  ...disk,
  async open(key) {
    const object = await disk.open(key);
    const chunks: NonNullable<typeof object>['chunks'] = async function* (range, maxBytes) {
      for await (const chunk of object!.chunks(range, maxBytes)) {
        readBytes += chunk.length;
        yield chunk;
      }
    };
    return object && { ...object, chunks };
  },
};
const door = await serveAudio(countingStore, [...samples, ...larges]);
afterAll(() => door.close());
beforeEach(async () => {
  await until(async () => (await door.connections()) === 0);
  door.delivered.length = 0;
  readBytes = 0;
});

const LISTENERS = isDeep ? 10_000 : 200;

/** Waits until the door has started to read for a client and stopped again. */
async function readingStops(): Promise<void> {
  for (let before = -1; before !== readBytes || readBytes === 0; ) {
    before = readBytes;
    await wait(200);
  }
}

test.each(larges)('$name is read from storage no faster than the listener receives it', async ({ id }) => {
  const slow = requestPaused(door, id);
  await readingStops();
  const readAhead = readBytes;
  const others = await Promise.all(samples.map((sample) => requestAudio(door, sample.id)));
  const received: Buffer[] = [];
  slow.on('data', (part) => received.push(part));
  await new Promise((resolve) => slow.once('end', resolve).resume());

  expect(readAhead).toBeGreaterThan(0);
  expect(readAhead).toBeLessThan(bytes / 2);
  expect(others.map(({ body }, i) => body.equals(samples[i]!.body))).toEqual([true, true]);
  expect(Buffer.concat(received).subarray(-bytes).equals(large)).toBe(true);
  await until(() => door.delivered.length === 3);
  expect(door.delivered.at(-1)).toMatchObject({ episodeId: id, sent: bytes, isComplete: true });
});

test.each(larges)(
  'an interrupted delivery of $name reports the bytes that the system accepted, without the queue',
  async ({ id, enclosure }) => {
    const slow = requestPaused(door, id);
    await readingStops();
    const read = readBytes;
    slow.resetAndDestroy();
    await until(() => door.delivered.length === 1);

    const [{ sent, isComplete, parts }] = door.delivered as [(typeof door.delivered)[0]];
    expect(isComplete).toBe(false);
    expect(sent).toBeGreaterThan(0);
    // A chunk that the system accepted only in part does not count. Bytes from memory are not read from the store.
    const fromMemory = parts.reduce((sum, part) => sum + (part.part % 2 ? part.bytes : 0), 0);
    expect(sent - fromMemory).toBeLessThan(read);
    expect(sent - fromMemory).toBeGreaterThanOrEqual(read - LARGEST_CHUNK);
    const sizes = enclosure.segments?.map((segment) => segment.bytes) ?? [bytes];
    expect(parts.map(({ part, offset }) => [part, offset])).toEqual(parts.map((_, i) => [i, 0]));
    for (const { part, bytes: got } of parts.slice(0, -1)) expect(got).toBe(sizes[part]);
    expect(parts.reduce((sum, part) => sum + part.bytes, 0)).toBe(sent);
  },
);

test('a listener receives hardly more bytes than the delivery reports', async () => {
  const socket = connect(door.port, '127.0.0.1');
  let received = 0;
  socket.on('data', (part) => {
    received += part.length;
    if (received > 5_000_000) socket.destroy();
  });
  socket.write('GET /audio/18/name.mp3 HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => door.delivered.length === 1);

  expect(received).toBeLessThan(door.delivered[0]!.sent + LARGEST_CHUNK + 1000);
});

test(`${LISTENERS} disconnecting listeners leave no open file and no connection`, {
  timeout: 120_000,
}, async () => {
  const buffer = Buffer.alloc(4096);
  const disconnect = (i: number) =>
    new Promise<void>((resolve) => {
      const reset = () => {
        socket.resetAndDestroy();
        return false;
      };
      const socket = connect({ port: door.port, host: '127.0.0.1', onread: { buffer, callback: reset } });
      socket.on('error', () => {}).on('close', () => resolve());
      // Alternates between a plain file and a rendition, at any position. Every fourth listener disconnects before the
      // response.
      const request = `GET /audio/${7 + (i % 2)}/x.mp3 HTTP/1.1\r\nHost: x\r\nRange: bytes=${i * 13}-\r\n\r\n`;
      socket.write(request, () => i % 4 === 3 && reset());
    });
  let next = 0;
  const disconnectInTurn = async () => {
    while (next < LISTENERS) await disconnect(next++);
  };

  await Promise.all(Array.from({ length: 100 }, disconnectInTurn));
  await until(async () => (await door.connections()) === 0 && (await openFilesBelow(root)) === 0);

  expect([await door.connections(), await openFilesBelow(root)]).toEqual([0, 0]);
  // Most requests reached the door before the disconnect. The others are not deliveries.
  expect(door.delivered.length).toBeGreaterThan(LISTENERS * 0.75);
  for (const { id, body } of samples) expect((await requestAudio(door, id)).body.equals(body)).toBe(true);
});

/** A store that sends half a chunk of each object and then calls `end`. */
function brokenStore(end: () => void): ObjectStore {
  const half = async function* (chunks: AsyncGenerator<Buffer, void>) {
    for await (const chunk of chunks) {
      yield chunk.subarray(0, chunk.length / 2);
      return end();
    }
  };
  return {
    ...disk,
    async open(key) {
      const object = (await disk.open(key))!;
      return { ...object, chunks: (range) => half(object.chunks(range)) };
    },
  };
}

const fail = () => {
  throw new Error('storage failed');
};

test.each([
  ['fails in the middle', fail],
  ['has fewer bytes than expected', () => {}],
])('a store that %s closes the connection, and the sent bytes are reported', async (_, end) => {
  const { port, delivered, logged, close } = await serveAudio(brokenStore(end), samples);

  for (const { id } of samples) await expect(requestAudio({ port }, id)).rejects.toThrow();

  await until(() => delivered.length === 2);
  for (const [i, { id, body }] of samples.entries()) {
    expect(delivered[i]).toMatchObject({ episodeId: id, start: 0, isComplete: false });
    expect(delivered[i]!.sent).toBeGreaterThan(0);
    expect(delivered[i]!.sent).toBeLessThan(body.length);
    expect(logged[i]).toMatchObject({ episodeId: id, msg: 'audio delivery failed' });
  }
  await close();
  await until(async () => (await openFilesBelow(root)) === 0);
  expect(await openFilesBelow(root)).toBe(0);
});

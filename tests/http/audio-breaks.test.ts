import { mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { diskStore } from '~/server/adapters/storage/disk';
import type { ObjectStore } from '~/server/adapters/storage/port';
import { ask, askPaused, openFilesBelow, serveAudio, shownIn, until } from '../support/audio-door';
import { isDeep } from '../support/deep';
import { noise } from '../support/mp3';

const root = await mkdtemp(join(tmpdir(), 'altavoz-breaks-'));
const disk = await diskStore({ root, formUrl: (key) => key });
const shown = await shownIn(disk);

/** More than the system keeps for a client who does not read: as one file, and as segments of another with bytes between. */
const LARGE = 'audio/1/large.mp3';
const PIECE = 700_000;
const large = noise(64 * PIECE, 5);
const segments = Array.from({ length: 128 }, (_, i) => {
  const at = Math.floor(i / 2) * PIECE;
  if (i % 2) return { bytes: 1000, from: { memory: large.subarray(at + PIECE - 1000, at + PIECE) } };
  return { bytes: PIECE - 1000, from: { key: LARGE, start: at } };
});
await disk.put(LARGE, large, { contentType: 'audio/mpeg' });
const bytes = large.length;
const larges = [
  { name: 'a plain file', id: 17, enclosure: { objectKey: LARGE, bytes, sha256: 'a' } },
  { name: 'a rendition', id: 18, enclosure: { segments, bytes, sha256: 'b' } },
];

let readBytes = 0;
/** Counts what is read of the store. */
const counting: ObjectStore = {
  ...disk,
  async open(key) {
    const object = await disk.open(key);
    const chunks: NonNullable<typeof object>['chunks'] = async function* (range) {
      for await (const chunk of object!.chunks(range)) {
        readBytes += chunk.length;
        yield chunk;
      }
    };
    return object && { ...object, chunks };
  },
};
const door = await serveAudio(counting, [...shown, ...larges]);
afterAll(() => door.close());
beforeEach(async () => {
  await until(async () => (await door.connections()) === 0);
  door.delivered.length = 0;
  readBytes = 0;
});

const LEAVING = isDeep ? 10_000 : 1000;

/** Waits until something was read for a client, and then nothing more. */
async function standstill(): Promise<void> {
  for (let before = -1; before !== readBytes || readBytes === 0; ) {
    before = readBytes;
    await wait(200);
  }
}

test.each(larges)('$name is read no faster than its listener takes it', async ({ id }) => {
  const slow = askPaused(door, id);
  await standstill();
  const ahead = readBytes;
  const others = await Promise.all(shown.map((one) => ask(door, one.id)));
  const received: Buffer[] = [];
  slow.on('data', (part) => received.push(part));
  await new Promise((resolve) => slow.once('end', resolve).resume());

  expect(ahead).toBeGreaterThan(0);
  expect(ahead).toBeLessThan(bytes / 2);
  expect(others.map(({ body }, i) => body.equals(shown[i]!.body))).toEqual([true, true]);
  expect(Buffer.concat(received).subarray(-bytes).equals(large)).toBe(true);
  await until(() => door.delivered.length === 3);
  expect(door.delivered.at(-1)).toMatchObject({ episodeId: id, sent: bytes, isComplete: true });
});

test.each(larges)(
  'of $name that broke off, what the system took is told, and not what was queued',
  async ({ id, enclosure }) => {
    const slow = askPaused(door, id);
    await standstill();
    const read = readBytes;
    slow.resetAndDestroy();
    await until(() => door.delivered.length === 1);

    const [{ sent, isComplete, parts }] = door.delivered as [(typeof door.delivered)[0]];
    expect(isComplete).toBe(false);
    expect(sent).toBeGreaterThan(0);
    // the piece that the system did not take as a whole is not counted; bytes from memory are not read of the store
    const fromMemory = parts.reduce((sum, part) => sum + (part.part % 2 ? part.bytes : 0), 0);
    expect(sent - fromMemory).toBeLessThan(read);
    expect(sent - fromMemory).toBeGreaterThanOrEqual(read - 256 * 1024);
    const sizes = enclosure.segments?.map((segment) => segment.bytes) ?? [bytes];
    expect(parts.map(({ part, offset }) => [part, offset])).toEqual(parts.map((_, i) => [i, 0]));
    for (const { part, bytes: got } of parts.slice(0, -1)) expect(got).toBe(sizes[part]);
    expect(parts.reduce((sum, part) => sum + part.bytes, 0)).toBe(sent);
  },
);

test('a listener told of has at least what was counted as sent before he closed', async () => {
  const socket = connect(door.port, '127.0.0.1');
  let received = 0;
  socket.on('data', (part) => {
    received += part.length;
    if (received > 5_000_000) socket.destroy();
  });
  socket.write('GET /audio/18/name.mp3 HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => door.delivered.length === 1);

  expect(received).toBeLessThan(door.delivered[0]!.sent + 256 * 1024 + 1000);
});

test(`${LEAVING} listeners who leave at once or in the middle leave no open file and no connection`, {
  timeout: 120_000,
}, async () => {
  const buffer = Buffer.alloc(4096);
  const leave = (i: number) =>
    new Promise<void>((resolve) => {
      const hangUp = () => {
        socket.resetAndDestroy();
        return false;
      };
      const socket = connect({ port: door.port, host: '127.0.0.1', onread: { buffer, callback: hangUp } });
      socket.on('error', () => {}).on('close', () => resolve());
      // by turns a plain file and a rendition, from anywhere; every fourth leaves without having read a byte
      const request = `GET /audio/${7 + (i % 2)}/x.mp3 HTTP/1.1\r\nHost: x\r\nRange: bytes=${i * 13}-\r\n\r\n`;
      socket.write(request, () => i % 4 === 3 && hangUp());
    });
  let next = 0;
  const leaveInTurn = async () => {
    while (next < LEAVING) await leave(next++);
  };

  await Promise.all(Array.from({ length: 100 }, leaveInTurn));
  await until(async () => (await door.connections()) === 0 && (await openFilesBelow(root)) === 0);

  expect([await door.connections(), await openFilesBelow(root)]).toEqual([0, 0]);
  // nearly all had been heard when they left: a broken connection that was not is no delivery
  expect(door.delivered.length).toBeGreaterThan(LEAVING * 0.75);
  for (const { id, body } of shown) expect((await ask(door, id)).body.equals(body)).toBe(true);
});

/** A store that sends half a piece of each object, and then does that. */
function broken(end: () => void): ObjectStore {
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

const fails = () => {
  throw new Error('the store is gone');
};

test.each([
  ['fails in the middle', fails],
  ['has less than it should', () => {}],
])('a store that %s breaks the line, and what had gone out is told', async (_, end) => {
  const { port, delivered, logged, close } = await serveAudio(broken(end), shown);

  for (const { id } of shown) await expect(ask({ port }, id)).rejects.toThrow();

  await until(() => delivered.length === 2);
  for (const [i, { id, body }] of shown.entries()) {
    expect(delivered[i]).toMatchObject({ episodeId: id, start: 0, isComplete: false });
    expect(delivered[i]!.sent).toBeGreaterThan(0);
    expect(delivered[i]!.sent).toBeLessThan(body.length);
    expect(logged[i]).toMatchObject({ episodeId: id, msg: 'audio delivery failed' });
  }
  await close();
  await until(async () => (await openFilesBelow(root)) === 0);
  expect(await openFilesBelow(root)).toBe(0);
});

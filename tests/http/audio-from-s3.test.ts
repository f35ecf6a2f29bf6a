import { afterAll, beforeEach, expect, test } from 'vitest';
import { s3Store } from '~/server/adapters/storage/s3';
import { ask, askPaused, serveAudio, shownIn, until } from '../support/audio-door';
import { noise } from '../support/mp3';
import { startS3Stub } from '../support/s3-stub';

const SILENCE_MS = 300;
const stub = await startS3Stub();
const settings = { ...stub, region: 'eu-west-1', forcePathStyle: true };
const patient = s3Store(settings);
const large = noise(40_000_000, 5);
await patient.put('audio/large.mp3', large, { contentType: 'audio/mpeg' });
const files = await shownIn(patient);
const shown = [...files, { id: 17, enclosure: { objectKey: 'audio/large.mp3', bytes: large.length, sha256: 'large' } }];
const door = await serveAudio(patient, shown);
const hasty = await serveAudio(s3Store(settings, SILENCE_MS), shown);
afterAll(() => Promise.all([door.close(), hasty.close(), stub.close()]));
beforeEach(async () => {
  stub.stall = null;
  for (const { delivered, logged } of [door, hasty]) delivered.length = logged.length = 0;
  await until(() => stub.underWay() === 0);
});

/** The clock's time that something took. */
async function timed(work: Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work;
  return performance.now() - began;
}

test('a listener who leaves while he takes nothing leaves no read of S3', async () => {
  const socket = askPaused(door, 17);
  await until(() => stub.underWay() === 1);
  expect(stub.log.at(-1)).toMatch(/^GET .*large\.mp3/);
  socket.destroy();

  await until(() => stub.underWay() === 0 && door.delivered.length === 1);

  expect(stub.underWay()).toBe(0);
  expect(door.delivered).toMatchObject([{ episodeId: 17, isComplete: false }]);
});

test.each(files)('a listener of $name who leaves while S3 is silent ends that read', async ({ id }) => {
  stub.stall = { method: 'GET', afterBytes: 1000 };
  const socket = askPaused(door, id);
  await new Promise((resolve) => socket.once('data', resolve).resume());
  await until(() => stub.underWay() === 1);
  socket.destroy();

  const ms = await timed(until(() => stub.underWay() === 0 && door.delivered.length === 1));

  expect(stub.underWay()).toBe(0);
  expect(ms).toBeLessThan(2000);
  expect(door.delivered).toMatchObject([{ episodeId: id, start: 0, isComplete: false }]);
  expect(door.delivered[0]!.sent).toBeGreaterThan(0);
  expect(door.logged).toEqual([]);
});

test.each(files)('a listener of $name who leaves before S3 begins to answer ends that read', async ({ id }) => {
  stub.stall = { method: 'GET', afterBytes: -1 };
  const socket = askPaused(door, id);
  await until(() => stub.log.at(-1)!.startsWith('GET') && stub.underWay() === 1);
  socket.destroy();

  const ms = await timed(until(() => stub.underWay() === 0 && door.delivered.length === 1));

  expect([stub.underWay(), door.delivered[0]!.isComplete, door.logged]).toEqual([0, false, []]);
  expect(ms).toBeLessThan(2000);
});

test.each(files)('$name breaks off when S3 falls silent, and what had gone out is told', async ({ id }) => {
  stub.stall = { method: 'GET', afterBytes: 100_000 };

  const ms = await timed(expect(ask(hasty, id)).rejects.toThrow());

  await until(() => hasty.delivered.length === 1);
  expect(ms).toBeGreaterThan(SILENCE_MS - 50);
  expect(ms).toBeLessThan(10 * SILENCE_MS);
  expect(hasty.delivered).toMatchObject([{ episodeId: id, start: 0, isComplete: false }]);
  expect(hasty.delivered[0]!.sent).toBeGreaterThanOrEqual(60_000);
  expect(hasty.logged).toMatchObject([{ episodeId: id, msg: 'audio delivery failed' }]);
  await until(() => stub.underWay() === 0);
  expect(stub.underWay()).toBe(0);
});

test.each(['HEAD', 'GET'] as const)('an S3 that does not answer %s at all is given up', async (method) => {
  stub.stall = { method, afterBytes: -1 };

  const answer = ask(hasty, 7).then(
    ({ status }) => status,
    () => 'broken',
  );

  expect(await answer).toBe(method === 'HEAD' ? 500 : 'broken');
  await until(() => stub.underWay() === 0);
  expect(stub.underWay()).toBe(0);
  expect(hasty.logged).toMatchObject([{ episodeId: 7, msg: 'audio delivery failed' }]);
});

test('a listener who leaves before S3 has found the file is nobody to answer', async () => {
  stub.stall = { method: 'HEAD', afterBytes: -1 };
  const socket = askPaused(hasty, 7);
  await until(() => stub.underWay() === 1);
  socket.destroy();

  await until(() => stub.underWay() === 0);

  expect([stub.underWay(), hasty.delivered, hasty.logged]).toEqual([0, [], []]);
});

test('a listener who takes his time is not taken for a silent S3', async () => {
  const socket = askPaused(hasty, 17);
  await new Promise((resolve) => setTimeout(resolve, 4 * SILENCE_MS));
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  await new Promise((resolve) => socket.once('close', resolve).resume());

  expect(Buffer.concat(parts).subarray(-large.length).equals(large)).toBe(true);
  expect(hasty.logged).toEqual([]);
});

test('many slow listeners do not keep out the next', async () => {
  stub.stall = { method: 'GET', afterBytes: 1000 };
  const slow = Array.from({ length: 120 }, () => askPaused(door, 7));
  await until(() => stub.underWay() === 120);
  stub.stall = null;

  const { body } = await ask(door, 7);

  expect(body.equals(files[0]!.body)).toBe(true);
  expect(stub.underWay()).toBe(120);
  for (const socket of slow) socket.destroy();
  await until(() => stub.underWay() === 0);
  expect(stub.underWay()).toBe(0);
});

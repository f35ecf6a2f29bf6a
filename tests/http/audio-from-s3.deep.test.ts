import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { s3Store } from '~/server/adapters/storage/s3';
import { requestAudio, requestPaused, serveAudio, storeSamples, until } from '../support/audio-door';
import { noise } from '../support/mp3';
import { startS3Stub } from '../support/s3-stub';

const SILENCE_MS = 300;
const stub = await startS3Stub();
const settings = { ...stub, region: 'eu-west-1', forcePathStyle: true };
const store = s3Store(settings);
const large = noise(40_000_000, 5);
await store.put('audio/large.mp3', large, { contentType: 'audio/mpeg' });
const samples = await storeSamples(store);
const allSamples = [
  ...samples,
  { id: 17, enclosure: { objectKey: 'audio/large.mp3', bytes: large.length, sha256: 'large' } },
];
const door = await serveAudio(store, allSamples);
const impatientDoor = await serveAudio(s3Store(settings, { silenceMs: SILENCE_MS }), allSamples);
afterAll(() => Promise.all([door.close(), impatientDoor.close(), stub.close()]));
beforeEach(async () => {
  stub.stall = null;
  for (const { delivered, logged } of [door, impatientDoor]) delivered.length = logged.length = 0;
  await until(() => stub.openRequests() === 0);
});

/** The duration of the work, in milliseconds. */
async function durationOf(work: Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work;
  return performance.now() - began;
}

test('a paused listener who disconnects ends the read from S3', async () => {
  const socket = requestPaused(door, 17);
  await until(() => stub.openRequests() === 1);
  expect(stub.log.at(-1)).toMatch(/^GET .*large\.mp3/);
  socket.destroy();

  await until(() => stub.openRequests() === 0 && door.delivered.length === 1);

  expect(stub.openRequests()).toBe(0);
  expect(door.delivered).toMatchObject([{ episodeId: 17, isComplete: false }]);
});

test.each(samples)('a listener of $name who disconnects while S3 is silent ends the read', async ({ id }) => {
  stub.stall = { method: 'GET', afterBytes: 1000 };
  const socket = requestPaused(door, id);
  await new Promise((resolve) => socket.once('data', resolve).resume());
  await until(() => stub.openRequests() === 1);
  socket.destroy();

  // The wait ends before the store's limit for silence would end the read.
  await until(() => stub.openRequests() === 0 && door.delivered.length === 1);

  expect(stub.openRequests()).toBe(0);
  expect(door.delivered).toMatchObject([{ episodeId: id, start: 0, isComplete: false }]);
  expect(door.delivered[0]!.sent).toBeGreaterThan(0);
  expect(door.logged).toEqual([]);
});

test.each(samples)('a listener of $name who disconnects before S3 responds ends the read', async ({ id }) => {
  stub.stall = { method: 'GET', afterBytes: -1 };
  const socket = requestPaused(door, id);
  await until(() => stub.log.at(-1)!.startsWith('GET') && stub.openRequests() === 1);
  socket.destroy();

  await until(() => stub.openRequests() === 0 && door.delivered.length === 1);

  expect([stub.openRequests(), door.delivered[0]!.isComplete, door.logged]).toEqual([0, false, []]);
});

test.each(samples)(
  'if S3 falls silent, the delivery of $name fails and the sent bytes are reported',
  async ({ id }) => {
    stub.stall = { method: 'GET', afterBytes: 100_000 };

    const ms = await durationOf(expect(requestAudio(impatientDoor, id)).rejects.toThrow());

    await until(() => impatientDoor.delivered.length === 1);
    expect(ms).toBeGreaterThan(SILENCE_MS - 50);
    expect(impatientDoor.delivered).toMatchObject([{ episodeId: id, start: 0, isComplete: false }]);
    expect(impatientDoor.delivered[0]!.sent).toBeGreaterThanOrEqual(60_000);
    expect(impatientDoor.logged).toMatchObject([{ episodeId: id, msg: 'audio delivery failed' }]);
    await until(() => stub.openRequests() === 0);
    expect(stub.openRequests()).toBe(0);
  },
);

test.each(['HEAD', 'GET'] as const)('a delivery fails if S3 never responds to %s', async (method) => {
  stub.stall = { method, afterBytes: -1 };

  const response = requestAudio(impatientDoor, 7).then(
    ({ status }) => status,
    () => 'broken',
  );

  expect(await response).toBe(method === 'HEAD' ? 503 : 'broken');
  await until(() => stub.openRequests() === 0);
  expect(stub.openRequests()).toBe(0);
  // before the answer has begun, the storage counts as away, as the database does
  const failure = { episodeId: 7, msg: 'audio delivery failed' };
  expect(impatientDoor.logged).toMatchObject(method === 'HEAD' ? [] : [failure]);
});

test('a listener who disconnects before S3 has found the file is neither delivered to nor logged', async () => {
  stub.stall = { method: 'HEAD', afterBytes: -1 };
  const socket = requestPaused(impatientDoor, 7);
  await until(() => stub.openRequests() === 1);
  socket.destroy();

  await until(() => stub.openRequests() === 0);

  expect([stub.openRequests(), impatientDoor.delivered, impatientDoor.logged]).toEqual([0, [], []]);
});

test('a slow listener is not mistaken for a silent S3', async () => {
  // Longer than a busy machine keeps this process from reading what S3 sent.
  const silenceMs = 2000;
  const slowDoor = await serveAudio(s3Store(settings, { silenceMs }), allSamples);
  onTestFinished(slowDoor.close);
  const socket = requestPaused(slowDoor, 17);
  await until(() => stub.openRequests() === 1);
  await new Promise((resolve) => setTimeout(resolve, silenceMs + 200));
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  await new Promise((resolve) => socket.once('close', resolve).resume());

  expect(Buffer.concat(parts).subarray(-large.length).equals(large)).toBe(true);
  expect(slowDoor.logged).toEqual([]);
});

test('many slow listeners do not block the next one', async () => {
  stub.stall = { method: 'GET', afterBytes: 1000 };
  const slow = Array.from({ length: 120 }, () => requestPaused(door, 7));
  await until(() => stub.openRequests() === 120);
  stub.stall = null;

  const { body } = await requestAudio(door, 7);

  expect(body.equals(samples[0]!.body)).toBe(true);
  expect(stub.openRequests()).toBe(120);
  for (const socket of slow) socket.destroy();
  await until(() => stub.openRequests() === 0);
  expect(stub.openRequests()).toBe(0);
});

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { diskStore } from '~/server/adapters/storage/disk';
import { s3Store } from '~/server/adapters/storage/s3';
import { startsOf } from '~/server/audio/virtual-file';
import { openFilesBelow, rendition, requestAudio, serveAudio, until } from '../support/audio-door';
import { startS3Stub } from '../support/s3-stub';
import { seededInts } from '../support/seeded-ints';

const { segments, bytes, sha256, files, whole } = await rendition();
const starts = startsOf(segments);
const missing = { bytes: 9, from: { key: 'audio/gone.mp3', start: 0 } };
const samples = [
  { id: 7, enclosure: { segments, bytes, sha256 } },
  { id: 8, enclosure: { segments: [missing, ...segments], bytes: bytes + 9, sha256 } },
];

const root = await mkdtemp(join(tmpdir(), 'altavoz-rendition-'));
const stub = await startS3Stub();
afterAll(() => stub.close());
const stores = {
  disk: await diskStore({ root, formUrl: (key) => key }),
  S3: s3Store({ ...stub, region: 'eu-west-1', forcePathStyle: true }),
};
for (const store of Object.values(stores))
  for (const [key, file] of Object.entries(files)) await store.put(key, file, { contentType: 'audio/mpeg' });
const doors = { disk: await serveAudio(stores.disk, samples), S3: await serveAudio(stores.S3, samples) };
afterAll(() => Promise.all([doors.disk.close(), doors.S3.close()]));

test.each(['disk', 'S3'] as const)(
  'random ranges across the cuts of a rendition on %s equal slices of the whole file',
  async (where) => {
    const nextInt = seededInts(11);
    for (let i = 0; i < 60; i++) {
      const start = i % 2 ? nextInt(bytes) : Math.max(0, starts[1 + nextInt(segments.length - 1)]! - nextInt(3000));
      const end = Math.min(bytes - 1, start + nextInt(90_000));

      const { body } = await requestAudio(doors[where], 7, { headers: { range: `bytes=${start}-${end}` } });

      expect(body.equals(whole.subarray(start, end + 1))).toBe(true);
    }
  },
);

test('the delivered bytes are reported by segment', async () => {
  const clip = segments.findIndex(({ role, insertion }) => role === 'clip' && insertion === 1);
  const [start, end] = [starts[clip]! - 100, starts[clip + 1]! + 49];
  const { delivered } = doors.disk;
  await until(() => delivered.length === 60);
  delivered.length = 0;

  await requestAudio(doors.disk, 7, { headers: { range: `bytes=${start}-${end}` } });
  await until(() => delivered.length === 1);

  const clipBytes = segments[clip]!.bytes;
  expect(delivered).toMatchObject([{ start, end, sent: clipBytes + 150, isComplete: true }]);
  expect(delivered[0]!.parts).toEqual([
    { part: clip - 1, offset: segments[clip - 1]!.bytes - 100, bytes: 100 },
    { part: clip, offset: 0, bytes: clipBytes },
    { part: clip + 1, offset: 0, bytes: 50 },
  ]);
});

test('a rendition with a missing segment answers 404', async () => {
  expect((await requestAudio(doors.disk, 8)).status).toBe(404);
  expect((await requestAudio(doors.S3, 8)).status).toBe(404);
  await until(async () => (await openFilesBelow(root)) === 0);
  expect(await openFilesBelow(root)).toBe(0);
});

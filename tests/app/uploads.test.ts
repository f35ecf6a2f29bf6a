import { expect, test } from 'vitest';
import { audioFileError, isSameFile, nameFromFile, pictureFileError } from '~/app/features/upload/check-file';
import { fingerprint } from '~/app/features/upload/fingerprint';
import { IDLE, isUnderway, percentOf, type Transfer, uploadSpeed, withProgress } from '~/app/features/upload/transfer';
import { AUDIO_LIMITS, COVER_LIMITS } from '~/server/limits/media';

const begun: Transfer = { ...IDLE, phase: 'uploading', bytes: 1000 };

test.each([
  [{ name: 'a.mp3', type: 'audio/mpeg', size: 10 }, null],
  [{ name: 'A.MP3', type: '', size: 10 }, null],
  [{ name: 'a.wav', type: 'audio/wav', size: 10 }, 'upload.not_mp3'],
  [{ name: 'a.mp3', type: 'text/html', size: 10 }, 'upload.not_mp3'],
  [{ name: 'a.mp3', type: 'audio/mpeg', size: 0 }, 'upload.empty'],
  [{ name: 'a.mp3', type: 'audio/mpeg', size: AUDIO_LIMITS.maxBytes }, null],
  [{ name: 'a.mp3', type: 'audio/mpeg', size: AUDIO_LIMITS.maxBytes + 1 }, 'upload.audio_too_large'],
])('checking the audio file %o returns %s', (file, fault) => {
  expect(audioFileError(file)).toBe(fault);
});

test('a picture may exceed the size limit before cropping, but must be a picture', () => {
  expect(pictureFileError({ name: 'a.png', type: 'image/png', size: COVER_LIMITS.maxBytes * 2 })).toBeNull();
  expect(pictureFileError({ name: 'a.gif', type: 'image/gif', size: 10 })).toBe('upload.not_an_image');
});

test.each([
  ['2024-03_ep-12__El_mar.mp3', '2024-03 ep-12 El mar'],
  ['My show.final.mp3', 'My show.final'],
  ['.mp3', ''],
])('the file %s proposes the name “%s”', (file, name) => {
  expect(nameFromFile(file)).toBe(name);
});

test('two files are the same if name, size and content are equal', async () => {
  const bytes = new Uint8Array(300_000).fill(7);
  const corrected = bytes.slice();
  corrected[299_000] = 8;
  const [one, again, other] = await Promise.all(
    [bytes, bytes.slice(), corrected].map((part) => fingerprint(new Blob([part]))),
  );
  const file = { name: 'a.mp3', size: 300_000, fingerprint: one! };

  expect(isSameFile(file, { ...file, fingerprint: again! })).toBe(true);
  expect(isSameFile(file, { ...file, fingerprint: other! })).toBe(false);
  expect(isSameFile(file, { ...file, size: 1 })).toBe(false);
});

test('progress shows 100% only when the server has the whole file', () => {
  expect(percentOf({ ...begun, sent: 999 })).toBe(99);
  expect(percentOf({ ...begun, sent: 1000 })).toBe(99);
  expect(percentOf({ ...begun, sent: 1000, phase: 'done' })).toBe(100);
  expect(percentOf(IDLE)).toBe(0);
});

test('speed and remaining time come from recent samples', () => {
  const steady = [0, 1, 2, 3].reduce((transfer, second) => withProgress(transfer, second * 100, second * 1000), begun);

  expect(uploadSpeed(steady)).toEqual({ bytesPerSecond: 100, secondsLeft: 7 });
});

test('an old burst does not affect the current speed', () => {
  const burst = withProgress(withProgress(begun, 0, 0), 500, 1000);

  const now = [10, 11, 12].reduce(
    (transfer, second) => withProgress(transfer, 500 + (second - 9) * 10, second * 1000),
    burst,
  );

  expect(uploadSpeed(now)).toEqual({ bytesPerSecond: 10, secondsLeft: 47 });
});

test('there is no speed in the first second, or without progress', () => {
  expect(uploadSpeed(withProgress(begun, 10, 0))).toBeNull();
  expect(uploadSpeed(withProgress(withProgress(begun, 10, 0), 10, 5000))).toBeNull();
});

test('a form waits for an upload that continues without the user', () => {
  const underway = (['starting', 'uploading', 'waiting', 'elsewhere'] as const).map((phase) =>
    isUnderway({ ...IDLE, phase }),
  );
  const stuck = (['idle', 'paused', 'interrupted', 'needs_file', 'failed', 'done'] as const).map((phase) =>
    isUnderway({ ...IDLE, phase }),
  );

  expect(underway).toEqual([true, true, true, true]);
  expect(stuck.some(Boolean)).toBe(false);
});

import { expect, test } from 'vitest';
import { fullSquare } from '~/app/components/crop-picture';
import { audioFileProblem } from '~/app/features/studio/upload/check-audio';
import { isSameFile, nameFromFile, pictureFileProblem } from '~/app/features/studio/upload/check-file';
import { fingerprint } from '~/app/features/studio/upload/fingerprint';
import { latestPick } from '~/app/features/studio/upload/latest-pick';
import { isTooSmallForApps, minPixelsFor, planFor } from '~/app/features/studio/upload/picked-picture';
import { titleInFile } from '~/app/features/studio/upload/title-in-file';
import {
  IDLE,
  isUnderway,
  percentOf,
  type Transfer,
  uploadSpeed,
  withProgress,
} from '~/app/features/studio/upload/transfer';
import errors from '~/locales/en/errors.json';
import { translate } from '~/locales/translate';
import { AUDIO_LIMITS, COVER_LIMITS } from '~/server/limits/media';
import { mp3, noise } from '../support/mp3';

const begun: Transfer = { ...IDLE, phase: 'uploading', bytes: 1000 };

const WAV = 'RIFF\0\0\0\0WAVEfmt ';
const ID3 = 'ID3\x04\0\0';
const MP3 = new Uint8Array(mp3(1));
const file = (name: string, type: string, content: BlobPart = MP3) => new File([content], name, { type });
const sized = (size: number) => Object.defineProperty(file('a.mp3', 'audio/mpeg'), 'size', { value: size });

test.each([
  [file('a.mp3', 'audio/mpeg'), null],
  [file('A.MP3', ''), null],
  [file('a.mp3', 'text/html'), 'upload.not_mp3'],
  [file('a.mp3', 'audio/mpeg', ''), 'upload.empty'],
  [file('a.mp3', 'audio/mpeg', new Uint8Array(noise(100_000))), 'audio.not_mp3'],
  [file('a.mp3', 'audio/mpeg', 'too little to be sound'), 'audio.not_mp3'],
  [sized(AUDIO_LIMITS.maxBytes), null],
  [sized(AUDIO_LIMITS.maxBytes + 1), 'upload.audio_too_large'],
])('checking the audio file %o returns %s', async (picked, code) => {
  expect((await audioFileProblem(picked, { convertsAudio: false }))?.code ?? null).toBe(code);
});

test.each([
  [file('a.wav', 'audio/wav', WAV), 'This is a WAV file: only mp3 allowed. Export it as MP3 and upload it again.'],
  [
    file('a.mp3', 'audio/mpeg', WAV),
    'This is a WAV file, even though its name ends in .mp3: only mp3 allowed. Export it as MP3 and upload it again.',
  ],
  [
    file('a.mp3', 'audio/mpeg', `${ID3}\0\0\x01\x10${'\0'.repeat(144)}${WAV}`),
    'This is a WAV file, even though its name ends in .mp3: only mp3 allowed. Export it as MP3 and upload it again.',
  ],
  [
    file('a.mp3', 'audio/mpeg', '\0\0\0\x20ftypM4A '),
    'This is an M4A file, even though its name ends in .mp3: only mp3 allowed. Export it as MP3 and upload it again.',
  ],
  [
    sized(AUDIO_LIMITS.maxBytes + 1),
    'File size should not be greater than 300 MB. Export it with a lower bit rate, such as 128 kbit/s, and upload it again.',
  ],
])('a refusal says what the file is and what to do: %o', async (picked, sentence) => {
  const problem = await audioFileProblem(picked, { convertsAudio: false });

  expect(translate('en', errors, problem!.code, problem!.values)).toBe(sentence);
});

test.each([
  [file('a.mp3', 'audio/mpeg'), null],
  [file('a.wav', 'audio/wav', WAV), null],
  [file('a.mp3', 'audio/mpeg', WAV), null],
  [file('a.m4a', 'audio/x-m4a', '\0\0\0\x20ftypM4A '), null],
  [file('a.flac', '', 'fLaC'), null],
  [file('a.opus', 'audio/ogg', 'OggS'), null],
  [file('a.aiff', 'audio/aiff', 'FORM'), 'This file is in AIFF format, which we can’t use.'],
  [file('a.m4a', 'audio/mp4', '<!doctype html>'), 'This file is in HTML format, which we can’t use.'],
  [file('a.mp4', 'video/mp4', '\0\0\0\x20ftypisom'), 'This file is in M4A format, which we can’t use.'],
  [file('a.doc', 'application/msword', 'sound'), 'This file is not in a format that we accept.'],
])('where FFmpeg converts other formats, %o is accepted or told what is: %s', async (picked, start) => {
  const problem = await audioFileProblem(picked, { convertsAudio: true });

  const sentence = start && `${start} Upload MP3, M4A, WAV, FLAC or OGG.`;
  expect(problem && translate('en', errors, problem.code, problem.values)).toBe(sentence);
});

test('where FFmpeg converts other formats, a file without any sound is refused before its upload', async () => {
  const silent = file('a.mp3', 'audio/mpeg', new Uint8Array(noise(100_000)));

  expect((await audioFileProblem(silent, { convertsAudio: true }))?.code).toBe('audio.not_audio');
});

test.each([
  ['a.mp3', 'upload.unreadable'],
  ['folder', 'upload.not_mp3'],
])('%s that the browser cannot read is refused with %s', async (name, code) => {
  const unreadable = new Blob();
  unreadable.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'));

  const problem = await audioFileProblem(
    { name, type: '', size: 4096, slice: () => unreadable },
    { convertsAudio: false },
  );

  expect(problem).toEqual({ code, values: {} });
});

test('of two files picked quickly the last one counts, even if it is checked first', async () => {
  const check = latestPick();
  const finish: ((problem: string) => void)[] = [];
  const slow = () => new Promise<string>((resolve) => finish.push(resolve));
  const first = check(file('a.mp3', ''), slow);
  const last = check(file('b.mp3', ''), slow);

  finish[1]!('of the last');
  finish[0]!('of the first');

  expect(await Promise.all([first, last])).toEqual([null, { problem: 'of the last' }]);
});

test('a picked file must be a picture of at most 10 MB, even if the browser would shrink it', () => {
  const picture = (size: number) => ({ name: 'a.png', type: 'image/png', size, slice: () => new Blob() });

  expect(pictureFileProblem(picture(COVER_LIMITS.maxBytes))).toBeNull();
  expect(pictureFileProblem(picture(COVER_LIMITS.maxBytes + 1))).toEqual({
    code: 'upload.too_large',
    values: { megabytes: 10 },
  });
  expect(pictureFileProblem({ ...picture(10), name: 'a.gif', type: 'image/gif' })?.code).toBe('upload.not_an_image');
});

test.each([
  [{ width: 1400, height: 1400 }, 'upload'],
  [{ width: 1401, height: 1400 }, 'crop'],
  [{ width: 3000, height: 3000 }, 'upload'],
  [{ width: 4000, height: 4000 }, 'shrink'],
  [{ width: 1399, height: 3000 }, 'too_small'],
])('a picked cover of %o: %s', (picture, plan) => {
  expect(planFor(picture, minPixelsFor(true))).toBe(plan);
});

test('a crop without zoom keeps the whole short side, within the picture', () => {
  const rounded = { x: 100.6, y: 0, width: 1399, height: 1399 };

  expect(fullSquare(rounded, { width: 1600, height: 1400 }, 1)).toEqual({ x: 101, y: 0, width: 1400, height: 1400 });
  expect(fullSquare({ ...rounded, x: 201 }, { width: 1600, height: 1400 }, 1).x).toBe(200);
  expect(fullSquare({ ...rounded, width: 700, height: 700 }, { width: 1600, height: 1400 }, 2).width).toBe(700);
  expect([minPixelsFor(true), minPixelsFor(false)]).toEqual([1400, 300]);
  expect([isTooSmallForApps(1399), isTooSmallForApps(1400)]).toEqual([true, false]);
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
  const identity = { name: 'a.mp3', size: 300_000, fingerprint: one! };

  expect(isSameFile(identity, { ...identity, fingerprint: again! })).toBe(true);
  expect(isSameFile(identity, { ...identity, fingerprint: other! })).toBe(false);
  expect(isSameFile(identity, { ...identity, size: 1 })).toBe(false);
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

/** A tag of one version with these frames, each with the encoding of its text. */
function tagged(version: 2 | 3 | 4, frames: [name: string, text: Buffer][]): File {
  const parts = frames.map(([name, text]) => {
    const size = version === 2 ? [0, 0, text.length] : [0, 0, 0, text.length, 0, 0];
    return Buffer.concat([Buffer.from(name), Buffer.from(size), text]);
  });
  const body = Buffer.concat(parts);
  const head = Buffer.from([0x49, 0x44, 0x33, version, 0, 0, 0, 0, 0, body.length]);
  return new File([new Uint8Array(Buffer.concat([head, body, Buffer.from([0xff, 0xfb])]))], 'a.mp3');
}
const utf8 = (text: string) => Buffer.concat([Buffer.from([3]), Buffer.from(text)]);
const utf16 = (text: string) => Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

test.each([
  [
    'version 2.4',
    tagged(4, [
      ['TPE1', utf8('Ana')],
      ['TIT2', utf8('Ola 🌊')],
    ]),
    'Ola 🌊',
  ],
  ['version 2.3 in UTF-16', tagged(3, [['TIT2', utf16('Año')]]), 'Año'],
  ['version 2.2 in Latin-1', tagged(2, [['TT2', Buffer.from([0, 0xd1, 0x61])]]), 'Ña'],
  ['several values', tagged(4, [['TIT2', utf8('One\0Two')]]), 'One'],
  ['only spaces', tagged(4, [['TIT2', utf8('  ')]]), null],
  ['an unknown encoding', tagged(4, [['TIT2', Buffer.from([9, 65])]]), null],
  [
    'a frame without length',
    tagged(4, [
      ['TPE1', Buffer.alloc(0)],
      ['TIT2', utf8('A')],
    ]),
    null,
  ],
  ['no tag', file('a.mp3', 'audio/mpeg', 'xxx'), null],
  ['only the start of a tag', file('a.mp3', 'audio/mpeg', 'ID3\x04\0\0\0\0\0\x7fTIT2'), null],
])('the title of a draft is read from the file: %s', async (_, picked, title) => {
  expect(await titleInFile(picked)).toBe(title);
});

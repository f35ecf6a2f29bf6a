import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { checkMp3 } from '~/server/audio/check-mp3';
import { indexMp3 } from '~/server/audio/indexing';
import { readTags, writeId3 } from '~/server/audio/tags';
import { decodeWithFfmpeg } from '../support/decoding';
import { frames, id3v1, id3v2, noise } from '../support/mp3';
import { toolPath } from '../support/tools';

const AUDIO = await readFile('tests/audio/fixtures/lame-cbr-56-joint-44100.mp3');
const ALONE = await checkMp3(bufferSource(AUDIO));
const FRAMES = ALONE.ok ? ALONE.frames : 0;
const START = ALONE.ok ? ALONE.audioStart : 0;
const ffmpeg = toolPath('ffmpeg');

/** An ID3v2.3 tag whose size is a plain number of 32 bits. */
function plainSize(tag: Uint8Array): Buffer {
  const copy = Buffer.from(tag);
  copy.writeUInt32BE(copy.length - 10, 6);
  return copy;
}

const cover = (bytes: number) =>
  writeId3({ title: 'Ruido', cover: { bytes: noise(bytes, 7), contentType: 'image/png' } });

/** Junk without bytes that could start a frame: FFmpeg gives up after too many false ones. */
const junk = (bytes: number) => noise(bytes, 3).map((byte) => byte & 0x7f) as Buffer;

const LEADS: [name: string, lead: Buffer, isTag: boolean][] = [
  ['a tag of 300 bytes with a plain size', plainSize(id3v2(300)), true],
  ['a tag with a plain size that reads as a smaller one', plainSize(cover(267_000)), true],
  ['a tag with a plain size that is no other', plainSize(cover(300_000)), true],
  ['two tags with plain sizes', Buffer.concat([plainSize(cover(500)), plainSize(cover(70_000))]), true],
  ['a plain size, then zeros', Buffer.concat([plainSize(id3v2(70_000)), Buffer.alloc(70_000)]), false],
  ['70 KB of zeros', Buffer.alloc(70_000), false],
  ['1 MB of junk', junk(1_000_000), false],
  ['1 MB of junk after a tag', Buffer.concat([id3v2(1000), junk(1_000_000)]), false],
  ['10 MB of zeros', Buffer.alloc(10_000_000), false],
];

test.each(LEADS)('a file with %s before its first frame is accepted', async (_, lead, isTag) => {
  const found = await checkMp3(bufferSource(Buffer.concat([lead, AUDIO])));

  expect(found).toMatchObject({ ok: true, frames: FRAMES, audioStart: lead.length + START });
  expect(found.ok && found.headBytes === lead.length).toBe(isTag);
  expect(found.ok && found.warnings.includes('junk')).toBe(!isTag);
});

test.skipIf(!ffmpeg).each(LEADS)('FFmpeg plays a file with %s before its first frame', async (_, lead) => {
  const { samples } = await decodeWithFfmpeg(ffmpeg!, Buffer.concat([lead, AUDIO]), 2);

  // FFmpeg drops a few frames after junk
  expect(samples).toBeGreaterThan((FRAMES - 10) * 1152);
});

test('the fields of a tag with a plain size are read', async () => {
  const tags = await readTags(bufferSource(Buffer.concat([plainSize(cover(300_000)), AUDIO])));

  expect(tags.title).toBe('Ruido');
  expect(tags.cover?.bytes.length).toBe(300_000);
});

test('a cut tag with a plain size has no frames after it', async () => {
  expect(await checkMp3(bufferSource(plainSize(cover(300_000)).subarray(0, 200_000)))).toMatchObject({ ok: false });
});

test('more than 16 MB before the first frame are too much', async () => {
  const found = await checkMp3(bufferSource(Buffer.concat([Buffer.alloc(17 * 1024 * 1024), AUDIO])));

  expect(found).toMatchObject({ ok: false, reason: 'not_mp3' });
});

/** Between junk, fewer than three frames count as junk, too. */
const withGaps = (count: number, gap: Buffer) =>
  Buffer.concat([...Array.from({ length: count }, () => [frames(3), gap]).flat(), frames(3)]);

test.each([
  ['tags', id3v1()],
  ['tags of many kinds', Buffer.concat([id3v1(), id3v2(20), id3v1()])],
  ['junk', noise(10, 2)],
])('a file with a thousand gaps of %s is accepted, and one with more is damaged', async (_, gap) => {
  expect(await indexMp3(bufferSource(withGaps(1000, gap)))).toMatchObject({ ok: true, mp3: { frames: 3003 } });
  expect(await indexMp3(bufferSource(withGaps(1001, gap)))).toMatchObject({ ok: false, reason: 'damaged' });
});

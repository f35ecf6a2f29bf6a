import { expect, test } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { checkMp3 } from '~/server/audio/check-mp3';
import { embeddedPicture, readTags, type Tags, writeId3 } from '~/server/audio/tags';
import { TAGGED } from '../support/foreign-encodings';
import { frames, id3v2, noise } from '../support/mp3';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), noise(4000)]);
const TAGS: Tags = {
  title: 'El Niño — “día” 日本 🎙',
  artist: 'Núria & Søren',
  cover: { bytes: Uint8Array.from(PNG), contentType: 'image/png' },
  chapters: [
    { startMs: 0, endMs: 61_000, title: 'Begrüßung' },
    { startMs: 61_000, endMs: 3_600_039, title: 'Später' },
  ],
};
const withAudio = (tag: Uint8Array) => bufferSource(Buffer.concat([tag, frames(60)]));

test('a written tag is read back unchanged', async () => {
  const read = await readTags(withAudio(writeId3(TAGS)));

  expect({ ...read, cover: null }).toEqual({ ...TAGS, cover: null });
  expect(Buffer.from(read.cover!.bytes).equals(PNG)).toBe(true);
  expect(read.cover!.contentType).toBe('image/png');
});

test('a written tag counts neither as audio nor as junk', async () => {
  const tag = writeId3(TAGS);

  const found = await checkMp3(withAudio(tag));

  expect(found).toMatchObject({ ok: true, frames: 60, headBytes: tag.length, junkBytes: 0 });
});

test('a long chapter list is limited to what one table of contents can hold', async () => {
  const chapters = Array.from({ length: 400 }, (_, i) => ({
    startMs: i * 1000,
    endMs: i * 1000 + 999,
    title: `Nr. ${i}`,
  }));

  const read = await readTags(withAudio(writeId3({ chapters })));

  expect(read.chapters).toEqual(chapters.slice(0, 255));
});

test.each(TAGGED)('a tag written by FFmpeg is read: $encoding.name', async ({ encoding }) => {
  const read = await readTags(bufferSource(await encoding.make()));

  expect(read).toMatchObject({ title: 'Día de “Núria”', artist: 'El Niño & Søren' });
  expect(read.chapters).toEqual([
    { startMs: 0, endMs: 700, title: 'Från 0' },
    { startMs: 700, endMs: 1400, title: 'Från 700' },
  ]);
  expect(read.cover).toMatchObject({ contentType: 'image/png' });
  expect(Buffer.from(read.cover!.bytes).readUInt32BE(16)).toBe(48);
});

test('empty fields make no tag', () => {
  expect(writeId3({ title: null, chapters: [] })).toHaveLength(0);
});

test('missing, empty and corrupt tags have no fields', async () => {
  const nothing = { title: null, artist: null, cover: null, chapters: [] };
  const broken = Buffer.from(writeId3(TAGS));
  broken.writeUInt32BE(0x7fffffff, 14);

  expect(await readTags(withAudio(Buffer.alloc(0)))).toEqual(nothing);
  expect(await readTags(withAudio(id3v2(2000)))).toEqual(nothing);
  expect((await readTags(withAudio(broken))).title?.length ?? 0).toBeLessThanOrEqual(1000);
  expect(await readTags(bufferSource(id3v2(5000).subarray(0, 700)))).toEqual(nothing);
});

test('the picture can be read alone', async () => {
  expect((await embeddedPicture(withAudio(writeId3(TAGS))))?.equals(PNG)).toBe(true);
  expect(await embeddedPicture(withAudio(writeId3({ title: 'x' })))).toBeNull();
});

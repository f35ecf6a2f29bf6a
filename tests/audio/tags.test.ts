import { expect, test } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { checkMp3 } from '~/server/audio/check-mp3';
import { readTags, type Tags, writeId3 } from '~/server/audio/tags';
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

/** A tag of a version with these flags and this content. */
function rawTag(version: number, flags: number, content: Buffer): Buffer {
  const tag = Buffer.concat([id3v2(10 + content.length).subarray(0, 10), content]);
  tag[3] = version;
  tag[5] = flags;
  return tag;
}

/** Adds a zero after each byte of 255 where the specification asks for one. */
function unsynchronise(content: Buffer): Buffer {
  const isFalseSync = (next = 255) => next === 0 || next >= 224;
  return Buffer.from(
    [...content].flatMap((byte, i) => (byte === 255 && isFalseSync(content[i + 1]) ? [byte, 0] : [byte])),
  );
}

const CONTENT = Buffer.from(writeId3(TAGS)).subarray(10);
const TITLE = Buffer.concat([Buffer.from([0]), Buffer.from('Radio', 'latin1')]);
const TITLE_24 = Buffer.concat([Buffer.from('TIT2\0\0\0\x06\0\0', 'latin1'), TITLE]);

test.each([
  ['2.3, unsynchronised', rawTag(3, 0x80, unsynchronise(CONTENT)), TAGS.title],
  [
    '2.3, extended header',
    rawTag(3, 0x40, Buffer.concat([Buffer.from([0, 0, 0, 6, 0, 0, 0, 0, 0, 0]), CONTENT])),
    TAGS.title,
  ],
  [
    '2.3, both, with a checksum',
    rawTag(
      3,
      0xc0,
      unsynchronise(Buffer.concat([Buffer.from([0, 0, 0, 10, 0x80, 0, 0, 0, 0, 0, 255, 240, 1, 2]), CONTENT])),
    ),
    TAGS.title,
  ],
  ['2.4, extended header', rawTag(4, 0x40, Buffer.concat([Buffer.from([0, 0, 0, 6, 1, 0]), TITLE_24])), 'Radio'],
  [
    '2.4, with a checksum',
    rawTag(4, 0x40, Buffer.concat([Buffer.from([0, 0, 0, 12, 1, 0x20, 5, 1, 2, 3, 4, 5]), TITLE_24])),
    'Radio',
  ],
  [
    '2.4, extended header that is too long',
    rawTag(4, 0x40, Buffer.concat([Buffer.from([127, 127, 127, 127]), TITLE_24])),
    null,
  ],
  ['2.2, unsynchronised', rawTag(2, 0x80, Buffer.concat([Buffer.from('TT2\0\0\x06', 'latin1'), TITLE])), 'Radio'],
])('a tag of version %s is read', async (_, tag, title) => {
  const read = await readTags(withAudio(tag));

  expect(read.title).toBe(title);
  if (read.cover) expect(Buffer.from(read.cover.bytes).equals(PNG)).toBe(true);
  expect(read.cover === null).toBe(title !== TAGS.title);
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

test('links of chapters are written and read', async () => {
  const chapters = [{ startMs: 0, endMs: 5000, title: 'Inicio', url: 'https://altavoz.example/inicio' }];

  expect((await readTags(withAudio(writeId3({ chapters })))).chapters).toEqual(chapters);
});

import { type ByteSource, readSlice } from './bytes';
import { headTags } from './id3';

export type Cover = { bytes: Uint8Array; contentType: string };
/** Times in ms from the first frame. */
export type Chapter = { startMs: number; endMs: number; title: string; url?: string };
export type Tags = { title: string | null; artist: string | null; cover: Cover | null; chapters: Chapter[] };

/** Larger tags contain nothing that a podcast needs. */
const MAX_TAG_BYTES = 32 * 1024 * 1024;
/** The tag reader also needs the start of the audio. */
const AUDIO_BYTES = 8192;
/** More chapters are a mistake, and players don't show them. */
const MAX_CHAPTERS = 1000;
const MAX_TEXT = 1000;
const TAG_HEAD = 10;
const UNSYNCHRONISED = 0x80;
const EXTENDED = 0x40;
const HAS_FOOTER = 0x10;
const NONE: Tags = { title: null, artist: null, cover: null, chapters: [] };

/** Reads the leading tag; unreadable fields are treated as missing. Never throws because of file content. */
export async function readTags(source: ByteSource): Promise<Tags> {
  const found = await headTags(source);
  const headBytes = found.at(-1)?.end ?? 0;
  if (headBytes === 0 || headBytes > MAX_TAG_BYTES || headBytes > source.size) return NONE;
  const head = await readSlice(source, 0, headBytes + AUDIO_BYTES);
  for (const { kind, start, end } of found) if (kind === 'id3v2') simplifyTag(head.subarray(start, end));
  const { parseBuffer, selectCover } = await import('music-metadata');
  try {
    const fileInfo = { mimeType: 'audio/mpeg', size: head.length };
    const { common, format } = await parseBuffer(head, fileInfo, { includeChapters: true });
    const picture = selectCover(common.picture);
    return {
      title: textOf(common.title),
      artist: textOf(common.artist),
      cover: picture ? { bytes: picture.data, contentType: picture.format } : null,
      chapters: (format.chapters ?? []).slice(0, MAX_CHAPTERS).flatMap(chapterOf),
    };
  } catch {
    return NONE;
  }
}

/**
 * Rewrites a tag in place for the parser, which reads neither sizes in plain numbers, nor a tag that is unsynchronised
 * as a whole (before version 2.4), nor the extended headers of both versions. The bytes left over become padding.
 */
function simplifyTag(tag: Uint8Array): void {
  const [version = 0, , flags = 0] = tag.subarray(3);
  const end = tag.length - (flags & HAS_FOOTER ? TAG_HEAD : 0);
  const isUnsynchronised = version < 4 && (flags & UNSYNCHRONISED) > 0;
  const isExtended = version > 2 && (flags & EXTENDED) > 0;
  tag.set(syncsafe(end - TAG_HEAD), 6);
  if (!isUnsynchronised && !isExtended) return;
  let body = Buffer.from(tag.subarray(TAG_HEAD, end));
  if (isUnsynchronised) body = synchronise(body);
  if (isExtended) body = body.subarray(extendedHeaderLength(body, version));
  tag[5] = flags & ~(EXTENDED | (version < 4 ? UNSYNCHRONISED : 0));
  tag.fill(0, TAG_HEAD, end).set(body, TAG_HEAD);
}

/** Removes the zero after each byte of 255, which was added so that no byte pair looks like the start of a frame. */
function synchronise(body: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  let length = 0;
  for (let i = 0; i < body.length; i++) {
    body[length++] = body[i]!;
    if (body[i] === 0xff && body[i + 1] === 0) i += 1;
  }
  return body.subarray(0, length);
}

/** Version 2.3 does not count the four bytes of the size itself. */
function extendedHeaderLength(body: Buffer, version: number): number {
  if (body.length < 4) return body.length;
  return version === 3 ? 4 + body.readUInt32BE(0) : sizeOf(body);
}

const sizeOf = (bytes: Uint8Array) => bytes.subarray(0, 4).reduce((size, byte) => (size << 7) | (byte & 0x7f), 0);

function textOf(text: unknown): string | null {
  // with a wrong length, the "title" includes everything after it
  const trimmed = typeof text === 'string' ? text.split('\0', 1)[0]!.slice(0, MAX_TEXT).trim() : '';
  return trimmed === '' ? null : trimmed;
}

type FoundChapter = { start: number; end?: number; title: string; timeScale?: number; url?: { url?: unknown } };

function chapterOf({ start, end = start, title, timeScale = 1, url }: FoundChapter): Chapter[] {
  const [startMs, endMs] = [Math.round((start * 1000) / timeScale), Math.round((end * 1000) / timeScale)];
  if (!Number.isFinite(startMs) || !Number.isFinite(endMs)) return [];
  return [{ startMs, endMs: Math.max(startMs, endMs), title: textOf(title) ?? '', url: textOf(url?.url) ?? undefined }];
}

/**
 * Writes an ID3v2.3 tag, the version that every player reads. Chapter times refer to the file that the tag will be
 * part of. Returns no bytes if there is nothing to write.
 */
export function writeId3(tags: Partial<Tags>): Uint8Array {
  const { title, artist, cover, chapters = [] } = tags;
  const frames = [
    ...(title ? [textFrame('TIT2', title)] : []),
    ...(artist ? [textFrame('TPE1', artist)] : []),
    ...(cover ? [tagFrame('APIC', [[0], latinBytes(cover.contentType), [3, 0], cover.bytes])] : []),
    ...chapterFrames(chapters.slice(0, MAX_IN_CONTENTS)),
  ];
  if (frames.length === 0) return new Uint8Array();
  const body = Buffer.concat(frames);
  return Buffer.concat([Buffer.from('ID3\x03\x00\x00', 'latin1'), syncsafe(body.length), body]);
}

/** A table of contents has a one-byte entry count. */
const MAX_IN_CONTENTS = 255;
const NO_OFFSET = 0xffffffff;

function chapterFrames(chapters: Chapter[]): Buffer[] {
  if (chapters.length === 0) return [];
  const name = (i: number) => latinBytes(`ch${i}`);
  const contents = tagFrame('CTOC', [latinBytes('toc'), [3, chapters.length], ...chapters.map((_, i) => name(i))]);
  return [contents, ...chapters.map((chapter, i) => chapterFrame(name(i), chapter))];
}

function chapterFrame(name: Uint8Array, { startMs, endMs, title, url }: Chapter): Buffer {
  const times = Buffer.alloc(16);
  [Math.round(startMs), Math.round(endMs), NO_OFFSET, NO_OFFSET].forEach((time, i) => {
    times.writeUInt32BE(Math.min(time, NO_OFFSET), i * 4);
  });
  const link = url ? [tagFrame('WXXX', [[0, 0], Buffer.from(url, 'latin1')])] : [];
  return tagFrame('CHAP', [name, times, textFrame('TIT2', title), ...link]);
}

/** UTF-16 with a byte order mark is the only encoding of version 2.3 that covers all of Unicode. */
function textFrame(id: string, text: string): Buffer {
  return tagFrame(id, [[1, 0xff, 0xfe], Buffer.from(text.toWellFormed(), 'utf16le')]);
}

function tagFrame(id: string, parts: (Uint8Array | number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Uint8Array.from(part)));
  const head = Buffer.alloc(10);
  head.write(id, 'latin1');
  head.writeUInt32BE(body.length, 4);
  return Buffer.concat([head, body]);
}

function latinBytes(text: string): Uint8Array {
  return Buffer.from(`${text}\0`, 'latin1');
}

function syncsafe(length: number): Uint8Array {
  return Uint8Array.from([21, 14, 7, 0], (shift) => (length >> shift) & 0x7f);
}

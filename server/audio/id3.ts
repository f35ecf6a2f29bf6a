import { type ByteSource, hasTextAt, readSlice, uint32 } from './bytes';
import { frameLength, HEADER_BYTES, LONGEST_FRAME, signature } from './frame-header';

const ID3V2_HEAD = 10;
const ID3V1_BYTES = 128;
const ID3V1_EXTENDED_BYTES = 227;
const APE_FOOTER = 32;
/** Files edited by several programs have a few tags at each end; more are ignored. */
const MAX_TAGS = 8;

export type TagSpan = { kind: 'id3v2' | 'id3v1' | 'ape' | 'lyrics3'; start: number; end: number };

/** The tag at `at` and its size with header, padding and footer; 0 if there is none. */
export function leadingTag(bytes: Uint8Array, at: number): [TagSpan['kind'], number] {
  if (hasTextAt(bytes, at, 'ID3')) return ['id3v2', id3v2Length(bytes, at)];
  if (hasTextAt(bytes, at, 'APETAGEX')) return ['ape', apeLength(bytes, at)];
  if (hasTextAt(bytes, at, 'TAG+')) return ['id3v1', ID3V1_EXTENDED_BYTES];
  return ['id3v1', hasTextAt(bytes, at, 'TAG') ? ID3V1_BYTES : 0];
}

function id3v2Length(bytes: Uint8Array, at: number): number {
  if (at + ID3V2_HEAD > bytes.length || bytes[at + 3] === 0xff) return 0;
  const size = syncsafe(bytes, at + 6);
  if (size === null) return 0;
  const footer = bytes[at + 5]! & 0x10 ? ID3V2_HEAD : 0;
  return ID3V2_HEAD + size + footer;
}

/** The tags before the audio. The last one can extend past the end of a truncated file. */
export async function headTags(source: ByteSource): Promise<TagSpan[]> {
  const tags: TagSpan[] = [];
  let at = 0;
  while (tags.length < MAX_TAGS) {
    const start = await readSlice(source, at, APE_FOOTER);
    const [kind, stated] = leadingTag(start, 0);
    // three letters are too few to recognise a tag
    if (kind === 'id3v1') break;
    const length = kind === 'id3v2' ? await actualLength(source, at, { start, stated }) : stated;
    if (length === 0) break;
    tags.push({ kind, start: at, end: at + length });
    at += length;
  }
  return tags;
}

type Stated = { start: Uint8Array; stated: number };

/**
 * Some programs write the size of a tag as a plain number. That reading is used only if the tag then ends where it
 * should.
 */
async function actualLength(source: ByteSource, at: number, { start, stated }: Stated): Promise<number> {
  if (start.length < ID3V2_HEAD || start[3] === 0xff) return 0;
  const plain = ID3V2_HEAD + uint32(start, 6);
  if (plain === stated || (stated > 0 && (await isContinued(source, at + stated)))) return stated;
  return (await isContinued(source, at + plain)) ? plain : stated;
}

/** Whether two frames or another tag start here. */
async function isContinued(source: ByteSource, at: number): Promise<boolean> {
  const bytes = await readSlice(source, at, LONGEST_FRAME + HEADER_BYTES);
  if (hasTextAt(bytes, 0, 'ID3') || hasTextAt(bytes, 0, 'APETAGEX')) return true;
  const length = bytes.length < HEADER_BYTES ? 0 : frameLength(bytes, 0);
  if (length === 0 || length + HEADER_BYTES > bytes.length) return false;
  return frameLength(bytes, length) > 0 && signature(bytes, length) === signature(bytes, 0);
}

/** The tags after the audio, last first: ID3v1, APE, Lyrics3 and appended ID3v2, in any order. */
export async function tailTags(source: ByteSource, from: number): Promise<TagSpan[]> {
  const tags: TagSpan[] = [];
  let end = source.size;
  while (tags.length < MAX_TAGS) {
    const [kind, length] = await lastTag(source, end);
    if (length === 0 || end - length < from) break;
    tags.push({ kind, start: end - length, end });
    end -= length;
  }
  return tags;
}

async function lastTag(source: ByteSource, end: number): Promise<[TagSpan['kind'], number]> {
  const start = Math.max(0, end - ID3V1_BYTES - ID3V1_EXTENDED_BYTES);
  const last = await readSlice(source, start, end - start);
  const size = last.length;
  if (hasTextAt(last, size - ID3V1_BYTES, 'TAG')) {
    return ['id3v1', hasTextAt(last, size - ID3V1_BYTES - ID3V1_EXTENDED_BYTES, 'TAG+') ? size : ID3V1_BYTES];
  }
  if (hasTextAt(last, size - APE_FOOTER, 'APETAGEX')) return ['ape', apeLength(last, size - APE_FOOTER)];
  if (hasTextAt(last, size - 9, 'LYRICS200')) return ['lyrics3', lyricsLength(last, size - 15)];
  if (hasTextAt(last, size - ID3V2_HEAD, '3DI')) {
    return ['id3v2', 2 * ID3V2_HEAD + (syncsafe(last, size - 4) ?? 0)];
  }
  return ['id3v2', 0];
}

/** The size in an APE header or footer includes the footer but not the optional header. */
function apeLength(bytes: Uint8Array, footer: number): number {
  if (footer + APE_FOOTER > bytes.length) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset + footer, APE_FOOTER);
  const hasHeader = view.getUint32(20, true) >>> 31 === 1;
  return view.getUint32(12, true) + (hasHeader ? APE_FOOTER : 0);
}

/** Six digits before the end marker hold the size of everything before them. */
function lyricsLength(bytes: Uint8Array, at: number): number {
  const digits = String.fromCharCode(...bytes.subarray(at, at + 6));
  return /^\d{6}$/.test(digits) ? Number(digits) + 15 : 0;
}

/** Four bytes of seven bits; a set eighth bit means that this is not a tag size. */
function syncsafe(bytes: Uint8Array, at: number): number | null {
  let value = 0;
  for (let i = at; i < at + 4; i++) {
    if (bytes[i]! & 0x80) return null;
    value = (value << 7) | bytes[i]!;
  }
  return value;
}

import { type ByteSource, says, slice } from './bytes';

const ID3V2_HEAD = 10;
const ID3V1_BYTES = 128;
const ID3V1_EXTENDED_BYTES = 227;
const APE_FOOTER = 32;
/** Files that passed through several programs carry a few tags at each end; nobody needs more. */
const MAX_TAGS = 8;

export type TagSpan = { kind: 'id3v2' | 'id3v1' | 'ape' | 'lyrics3'; start: number; end: number };

/** Which tag begins at `at`, and its bytes with head, padding and footer; 0 when none does. */
export function leadingTag(bytes: Uint8Array, at: number): [TagSpan['kind'], number] {
  if (says(bytes, at, 'ID3')) return ['id3v2', id3v2Length(bytes, at)];
  if (says(bytes, at, 'APETAGEX')) return ['ape', apeLength(bytes, at)];
  if (says(bytes, at, 'TAG+')) return ['id3v1', ID3V1_EXTENDED_BYTES];
  return ['id3v1', says(bytes, at, 'TAG') ? ID3V1_BYTES : 0];
}

function id3v2Length(bytes: Uint8Array, at: number): number {
  if (at + ID3V2_HEAD > bytes.length || bytes[at + 3] === 0xff) return 0;
  const size = syncsafe(bytes, at + 6);
  if (size === null) return 0;
  const footer = bytes[at + 5]! & 0x10 ? ID3V2_HEAD : 0;
  return ID3V2_HEAD + size + footer;
}

/** The tags before the audio. The last may reach beyond the end of a file that was cut inside it. */
export async function headTags(source: ByteSource): Promise<TagSpan[]> {
  const tags: TagSpan[] = [];
  let at = 0;
  while (tags.length < MAX_TAGS) {
    const [kind, length] = leadingTag(await slice(source, at, APE_FOOTER), 0);
    // three letters are too little to know a file by
    if (length === 0 || kind === 'id3v1') break;
    tags.push({ kind, start: at, end: at + length });
    at += length;
  }
  return tags;
}

/** The tags behind the audio, last first: ID3v1, APE, Lyrics3 and appended ID3v2, in whatever order they were added. */
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
  const last = await slice(source, start, end - start);
  const size = last.length;
  if (says(last, size - ID3V1_BYTES, 'TAG')) {
    return ['id3v1', says(last, size - ID3V1_BYTES - ID3V1_EXTENDED_BYTES, 'TAG+') ? size : ID3V1_BYTES];
  }
  if (says(last, size - APE_FOOTER, 'APETAGEX')) return ['ape', apeLength(last, size - APE_FOOTER)];
  if (says(last, size - 9, 'LYRICS200')) return ['lyrics3', lyricsLength(last, size - 15)];
  if (says(last, size - ID3V2_HEAD, '3DI')) {
    return ['id3v2', 2 * ID3V2_HEAD + (syncsafe(last, size - 4) ?? 0)];
  }
  return ['id3v2', 0];
}

/** The size in an APE head or footer counts the footer but not the optional header. */
function apeLength(bytes: Uint8Array, footer: number): number {
  if (footer + APE_FOOTER > bytes.length) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset + footer, APE_FOOTER);
  const hasHeader = view.getUint32(20, true) >>> 31 === 1;
  return view.getUint32(12, true) + (hasHeader ? APE_FOOTER : 0);
}

/** Six digits before the closing word count everything up to themselves. */
function lyricsLength(bytes: Uint8Array, at: number): number {
  const digits = String.fromCharCode(...bytes.subarray(at, at + 6));
  return /^\d{6}$/.test(digits) ? Number(digits) + 15 : 0;
}

/** Four bytes of seven bits; a set eighth bit means that this is no tag size. */
function syncsafe(bytes: Uint8Array, at: number): number | null {
  let value = 0;
  for (let i = at; i < at + 4; i++) {
    if (bytes[i]! & 0x80) return null;
    value = (value << 7) | bytes[i]!;
  }
  return value;
}

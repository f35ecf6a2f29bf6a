import { type ByteSource, says, slice } from './bytes';

const ID3V2_HEAD = 10;
const ID3V1_BYTES = 128;
const ID3V1_EXTENDED_BYTES = 227;
const APE_FOOTER = 32;
/** Files that passed through several programs carry a few tags at each end; nobody needs more. */
const MAX_TAGS = 8;

/** Bytes of the ID3v2 tag that begins at `at`, its head, padding and footer included; 0 when there is none. */
export function id3v2Length(bytes: Uint8Array, at: number): number {
  if (!says(bytes, at, 'ID3') || at + ID3V2_HEAD > bytes.length || bytes[at + 3] === 0xff) return 0;
  const size = syncsafe(bytes, at + 6);
  if (size === null) return 0;
  const footer = bytes[at + 5]! & 0x10 ? ID3V2_HEAD : 0;
  return ID3V2_HEAD + size + footer;
}

/** Where the ID3v2 tags at the head end. May lie behind the end of a file that was cut inside its tag. */
export async function headLength(source: ByteSource): Promise<number> {
  let at = 0;
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const length = id3v2Length(await slice(source, at, ID3V2_HEAD), 0);
    if (length === 0) break;
    at += length;
  }
  return at;
}

/** Where the audio ends: before the ID3v1, APE, Lyrics3 and appended ID3v2 tags, in whatever order they were added. */
export async function tailStart(source: ByteSource, from: number): Promise<number> {
  let end = source.size;
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const length = await lastTagLength(source, end);
    if (length === 0 || end - length < from) break;
    end -= length;
  }
  return end;
}

async function lastTagLength(source: ByteSource, end: number): Promise<number> {
  const start = Math.max(0, end - ID3V1_BYTES - ID3V1_EXTENDED_BYTES);
  const last = await slice(source, start, end - start);
  const size = last.length;
  if (says(last, size - ID3V1_BYTES, 'TAG')) {
    return says(last, size - ID3V1_BYTES - ID3V1_EXTENDED_BYTES, 'TAG+') ? size : ID3V1_BYTES;
  }
  if (says(last, size - APE_FOOTER, 'APETAGEX')) return apeLength(last, size - APE_FOOTER);
  if (says(last, size - 9, 'LYRICS200')) return lyricsLength(last, size - 15);
  if (says(last, size - ID3V2_HEAD, '3DI')) return 2 * ID3V2_HEAD + (syncsafe(last, size - 4) ?? 0);
  return 0;
}

/** The size in an APE footer counts the footer but not the optional header. */
function apeLength(bytes: Uint8Array, footer: number): number {
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

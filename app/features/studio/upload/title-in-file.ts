import { EPISODE_LIMITS } from '~/server/limits/episodes';
import { nameFromFile } from './check-file';

/** The title frame of ID3v2.2 and of later versions. */
const TITLE_FRAMES = ['TT2', 'TIT2'];
/** Titles come before pictures, which make a tag long, so this many bytes suffice. */
const READ_BYTES = 64 * 1024;
const TAG_HEAD = 10;
const ENCODINGS = ['latin1', 'utf-16', 'utf-16be', 'utf-8'];

/** The name of the episode that a file becomes: its own title, or the file's name. */
export async function episodeNameIn(file: File): Promise<string> {
  const title = await titleInFile(file).catch(() => null);
  return (title ?? nameFromFile(file.name)).slice(0, EPISODE_LIMITS.nameLength) || file.name;
}

/** The title in an MP3's ID3 tag, as a draft's name; null without a title. Malformed tags count as missing. */
export async function titleInFile(file: Blob): Promise<string | null> {
  const bytes = new Uint8Array(await file.slice(0, READ_BYTES).arrayBuffer());
  if (latin(bytes.subarray(0, 3)) !== 'ID3') return null;
  const version = bytes[3] ?? 0;
  return titleAmong(bytes, { head: version === 2 ? 6 : TAG_HEAD, version });
}

function titleAmong(bytes: Uint8Array, { head, version }: { head: number; version: number }): string | null {
  for (let at = TAG_HEAD; at + head < bytes.length; ) {
    const name = latin(bytes.subarray(at, at + (version === 2 ? 3 : 4)));
    const size = sizeAt(bytes, at, version);
    if (!/^[A-Z0-9]+$/.test(name) || size === 0) return null;
    if (TITLE_FRAMES.includes(name)) return textOf(bytes.subarray(at + head, at + head + size));
    at += head + size;
  }
  return null;
}

/** Version 2.4 does not use the highest bit of each byte. */
function sizeAt(bytes: Uint8Array, at: number, version: number): number {
  const digits = version === 2 ? bytes.subarray(at + 3, at + 6) : bytes.subarray(at + 4, at + 8);
  return digits.reduce((size, byte) => size * (version === 4 ? 128 : 256) + byte, 0);
}

function textOf(frame: Uint8Array): string | null {
  const encoding = ENCODINGS[frame[0] ?? 0];
  if (!encoding) return null;
  // a zero ends the text; further values may follow it
  const [text = ''] = new TextDecoder(encoding).decode(frame.subarray(1)).split('\0');
  return text.trim() || null;
}

const latin = (bytes: Uint8Array) => String.fromCharCode(...bytes);

import { WINDOWS } from '../markup/entities';
import { guessEncoding } from './guess-encoding';
import type { Notes } from './model';

export type Decoded = { text: string; encoding: string };

/**
 * Bytes of a feed as text. A byte order mark counts most (RFC 7303 §3); bytes that are sound UTF-8 are UTF-8 whatever
 * is declared; then the header, the declaration and what the bytes look like. Never fails.
 */
export function decodeFeed(bytes: Uint8Array, contentType: string | null, notes: Notes): Decoded {
  const marked = byteOrderMark(bytes) ?? wide(bytes);
  const declared = [charsetOf(contentType), declaredIn(bytes)].filter((label) => label !== null);
  const known = declared.map(canonical).filter((label) => label !== null);
  if (known.length < declared.length) notes.repaired('encoding_unknown');
  const decoded = marked ? (sound(bytes, marked) ?? mended(bytes, marked, notes)) : chosen(bytes, known, notes);
  if (known.length > 0 && !known.some((label) => agree(label, decoded.encoding)))
    notes.repaired('encoding_other_than_declared');
  return decoded;
}

function chosen(bytes: Uint8Array, known: string[], notes: Notes): Decoded {
  // all of it is ASCII, so that it would pass for UTF-8
  const shifting = known.includes('iso-2022-jp') && bytes.includes(0x1b) ? sound(bytes, 'iso-2022-jp') : null;
  const found = shifting ?? sound(bytes, 'utf-8');
  if (found) return found;
  for (const label of known) {
    const said = /^utf-/.test(label) ? null : sound(bytes, label);
    if (said) return said;
  }
  if (isMostlyUtf8(bytes)) return mended(bytes, 'utf-8', notes);
  notes.repaired('encoding_guessed');
  return mended(bytes, guessEncoding(bytes), notes);
}

function byteOrderMark(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return null;
}

/** UTF-16 without a mark: every other byte of the beginning is zero. */
function wide(bytes: Uint8Array): string | null {
  const start = bytes.subarray(0, 64);
  const zeros = [0, 1].map((offset) => start.filter((byte, at) => at % 2 === offset && byte === 0).length);
  if (start.length < 4) return null;
  if (zeros[1]! > start.length / 3 && zeros[0] === 0) return 'utf-16le';
  if (zeros[0]! > start.length / 3 && zeros[1] === 0) return 'utf-16be';
  return null;
}

function charsetOf(contentType: string | null): string | null {
  return /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType ?? '')?.[1] ?? null;
}

const DECLARATION = /<\?xml[^>]{0,200}?encoding\s*=\s*["']?([^\s"'?>]+)/i;

function declaredIn(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  // of UTF-16 every other byte is none
  return DECLARATION.exec(start.replaceAll('\0', ''))?.[1] ?? null;
}

const OTHER_NAMES: Record<string, string> = { utf8: 'utf-8', 'utf-8-sig': 'utf-8', 'x-sjis': 'shift_jis' };

function canonical(label: string): string | null {
  const name = OTHER_NAMES[label.toLowerCase()] ?? label;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return null;
  }
}

function agree(declared: string, encoding: string): boolean {
  return declared === encoding || (declared.startsWith('utf-16') && encoding.startsWith('utf-16'));
}

/** Null where a byte is none of the encoding's. */
function sound(bytes: Uint8Array, encoding: string): Decoded | null {
  try {
    return { text: windows(new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding), encoding };
  } catch {
    return null;
  }
}

function mended(bytes: Uint8Array, encoding: string, notes: Notes): Decoded {
  const { text, strange } = /^utf-8$|^windows-1252$/.test(encoding) ? mixed(bytes) : lossy(bytes, encoding);
  if (strange > 0 && encoding !== 'windows-1252') notes.repaired('bytes_invalid', 0, strange);
  return { text, encoding };
}

/** What is no character of the encoding is lost. */
function lossy(bytes: Uint8Array, encoding: string) {
  const text = new TextDecoder(encoding).decode(bytes);
  return { text, strange: text.match(/\ufffd/g)?.length ?? 0 };
}

/** 0x80 to 0xff as Windows-1252 reads them, in UTF-8. */
const PASTED = Array.from({ length: 128 }, (_, at) => Buffer.from(WINDOWS[at] ?? String.fromCharCode(0x80 + at)));

/**
 * Texts of UTF-8 and of Windows-1252 that somebody pasted into one document: hardly any text of the latter looks like
 * the former, so that each byte is read as what it can only be.
 */
function mixed(bytes: Uint8Array) {
  const whole = Buffer.allocUnsafe(bytes.length * 3);
  let [written, from, strange] = [0, 0, 0];
  const keep = (to: number) => {
    whole.set(bytes.subarray(from, to), written);
    written += to - from;
  };
  for (let at = 0; at < bytes.length; ) {
    const length = characterAt(bytes, at);
    at += Math.max(length, 1);
    if (length > 0) continue;
    keep(at - 1);
    written += PASTED[bytes[at - 1]! - 0x80]!.copy(whole, written);
    from = at;
    strange += 1;
  }
  keep(bytes.length);
  return { text: new TextDecoder().decode(whole.subarray(0, written)), strange };
}

/** How many bytes the character of UTF-8 has that begins here (RFC 3629 §4); 0 where there is none. */
function characterAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  const second = bytes[at + 1] ?? 0;
  // no longer than need be, no half of a surrogate pair, nothing beyond Unicode
  if ((first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90)) return 0;
  if ((first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f)) return 0;
  for (let next = 1; next < length; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Node 20 reads windows-1252 as ISO-8859-1, so that quotes and dashes come out as control characters. */
function windows(text: string, encoding: string): string {
  return encoding === 'windows-1252'
    ? text.replace(/[\u0080-\u009f]/g, (char) => WINDOWS[char.charCodeAt(0) - 0x80]!)
    : text;
}

const SAMPLE = 1_000_000;

/** Many characters of several bytes, and only few bytes that are none. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, SAMPLE));
  const bad = text.match(/\ufffd/g)?.length ?? 0;
  const good = text.match(/[\u0080-\ufffc]/g)?.length ?? 0;
  return good > 0 && good >= bad;
}

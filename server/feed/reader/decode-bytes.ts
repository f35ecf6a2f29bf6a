import { WINDOWS_1252 } from '../markup/entities';
import { guessEncoding } from './guess-encoding';
import type { ParseLog } from './model';
import { decodeRare, markedUtf32, rareLabel } from './rare-encodings';

export type Decoded = { text: string; encoding: string };

/**
 * Decodes the bytes of a feed. A byte order mark wins (RFC 7303 §3). Valid UTF-8 is read as UTF-8 whatever the
 * declaration says. Then the Content-Type header, the XML declaration and finally a guess decide. Never throws.
 */
export function decodeFeed(bytes: Uint8Array, contentType: string | null, log: ParseLog): Decoded {
  // the mark of UTF-32 begins with that of UTF-16
  const marked = markedUtf32(bytes) ?? byteOrderMark(bytes) ?? unmarkedUtf16(bytes);
  const declared = [charsetOf(contentType), declaredIn(bytes)].filter((label) => label !== null);
  const known = declared.map(canonicalLabel).filter((label) => label !== null);
  if (known.length < declared.length) log.repaired('encoding_unknown');
  const decoded = marked
    ? (decodeStrictly(bytes, marked) ?? decodeInvalid(bytes, marked, log))
    : decodeUnmarked(bytes, known, log);
  if (known.length > 0 && !known.some((label) => encodingsAgree(label, decoded.encoding)))
    log.repaired('encoding_other_than_declared');
  return decoded;
}

const ESCAPE = 0x1b;

function decodeUnmarked(bytes: Uint8Array, known: string[], log: ParseLog): Decoded {
  // ISO-2022-JP consists of ASCII bytes, so it would be valid UTF-8 as well, but XML forbids the byte that starts it
  const shifted = bytes.includes(ESCAPE) ? decodeStrictly(bytes, 'iso-2022-jp') : null;
  if (shifted && !known.includes(shifted.encoding)) log.repaired('encoding_guessed');
  const found = shifted ?? decodeStrictly(bytes, 'utf-8');
  if (found) return found;
  for (const label of known) {
    const decoded = /^utf-/.test(label) ? null : decodeStrictly(bytes, label);
    if (decoded) return decoded;
  }
  if (isMostlyUtf8(bytes)) return decodeInvalid(bytes, 'utf-8', log);
  log.repaired('encoding_guessed');
  return decodeInvalid(bytes, guessEncoding(bytes), log);
}

function byteOrderMark(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return null;
}

/** In UTF-16 without a byte order mark, every other byte at the start is zero. */
function unmarkedUtf16(bytes: Uint8Array): string | null {
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
  // every other byte of UTF-16 is zero
  return DECLARATION.exec(start.replaceAll('\0', ''))?.[1] ?? null;
}

const ALIASES: Record<string, string> = { utf8: 'utf-8', 'utf-8-sig': 'utf-8', 'x-sjis': 'shift_jis' };

function canonicalLabel(label: string): string | null {
  const name = ALIASES[label.toLowerCase()] ?? label;
  const rare = rareLabel(name);
  if (rare) return rare;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return null;
  }
}

function encodingsAgree(declared: string, encoding: string): boolean {
  const family = /^utf-(?:16|32)/.exec(declared)?.[0];
  return declared === encoding || (family !== undefined && encoding.startsWith(family));
}

/** Null if a byte is invalid in the encoding. */
function decodeStrictly(bytes: Uint8Array, encoding: string): Decoded | null {
  const rare = decodeRare(bytes, encoding);
  if (rare !== null) return { text: rare, encoding };
  try {
    return { text: fixWindows1252(new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding), encoding };
  } catch {
    return null;
  }
}

function decodeInvalid(bytes: Uint8Array, encoding: string, log: ParseLog): Decoded {
  const { text, invalid } = /^utf-8$|^windows-1252$/.test(encoding)
    ? decodeMixed(bytes)
    : decodeLossily(bytes, encoding);
  if (invalid > 0 && encoding !== 'windows-1252') log.repaired('bytes_invalid', 0, invalid);
  return { text, encoding };
}

/** Invalid bytes become U+FFFD. */
function decodeLossily(bytes: Uint8Array, encoding: string) {
  const text = decodeRare(bytes, encoding) ?? new TextDecoder(encoding).decode(bytes);
  return { text, invalid: text.match(/\ufffd/g)?.length ?? 0 };
}

/** The Windows-1252 characters 0x80 to 0xff, as bytes of UTF-8. */
const WINDOWS_1252_AS_UTF8 = Array.from({ length: 128 }, (_, at) =>
  Buffer.from(WINDOWS_1252[at] ?? String.fromCharCode(0x80 + at)),
);

/**
 * Decodes a document in which UTF-8 and Windows-1252 are mixed. Windows-1252 text hardly ever forms valid UTF-8, so
 * bytes that are valid UTF-8 are read as such, and all others as Windows-1252.
 */
function decodeMixed(bytes: Uint8Array) {
  const output = Buffer.allocUnsafe(bytes.length * 3);
  let [written, from, invalid] = [0, 0, 0];
  const copyUntil = (to: number) => {
    output.set(bytes.subarray(from, to), written);
    written += to - from;
  };
  for (let at = 0; at < bytes.length; ) {
    const length = utf8LengthAt(bytes, at);
    at += Math.max(length, 1);
    if (length > 0) continue;
    copyUntil(at - 1);
    written += WINDOWS_1252_AS_UTF8[bytes[at - 1]! - 0x80]!.copy(output, written);
    from = at;
    invalid += 1;
  }
  copyUntil(bytes.length);
  return { text: new TextDecoder().decode(output.subarray(0, written)), invalid };
}

/** The length of the UTF-8 character at this index (RFC 3629 §4); 0 if the bytes are invalid. */
function utf8LengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  const second = bytes[at + 1] ?? 0;
  // excludes overlong forms, surrogates and code points beyond Unicode
  if ((first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90)) return 0;
  if ((first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f)) return 0;
  for (let next = 1; next < length; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Node 20 decodes windows-1252 as ISO-8859-1, which turns quotes and dashes into control characters. */
function fixWindows1252(text: string, encoding: string): string {
  return encoding === 'windows-1252'
    ? text.replace(/[\u0080-\u009f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80]!)
    : text;
}

const SAMPLE_BYTES = 1_000_000;

/** Whether multi-byte characters are at least as frequent as invalid bytes. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, SAMPLE_BYTES));
  const bad = text.match(/\ufffd/g)?.length ?? 0;
  const good = text.match(/[\u0080-\ufffc]/g)?.length ?? 0;
  return good > 0 && good >= bad;
}

const CRLF = '\r\n';
/** RFC 2045 §6.7: 76 characters with the `=` of a soft line break. */
const MAX_LINE = 75;
const HEX = Array.from({ length: 256 }, (_, byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`);
const [TAB, LF, SPACE, EQUALS, DOT, F] = [9, 10, 32, 61, 46, 70];

/** Ends a line that continues. A segment between two of them can be replaced without moving other line breaks. */
export const SOFT_BREAK = `=${CRLF}`;

/**
 * Encodes text as quoted-printable (RFC 2045). Line breaks of any kind become CRLF. Stricter than necessary, so that no
 * server on the way changes a byte: no line starts with a dot or `From`, ends with white space or contains two spaces in
 * a row. Therefore the body is also its own relaxed form for DKIM (RFC 6376 §3.4.4).
 */
export function encodeQuotedPrintable(text: string): string {
  const bytes = Buffer.from(text.replace(/\r\n?/g, '\n'), 'utf8');
  let encoded = '';
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === LF) {
      encoded += CRLF;
      length = 0;
      continue;
    }
    const next = isPlain(bytes, i, length) ? String.fromCharCode(byte) : HEX[byte]!;
    if (length + next.length > MAX_LINE) {
      encoded += SOFT_BREAK;
      // the first character of a line follows other rules
      length = 0;
      i -= 1;
      continue;
    }
    encoded += next;
    length += next.length;
  }
  return encoded;
}

function isPlain(bytes: Buffer, i: number, length: number): boolean {
  const byte = bytes[i]!;
  if (byte === SPACE) {
    const next = bytes[i + 1];
    return length > 0 && bytes[i - 1] !== SPACE && next !== undefined && next !== LF && next !== TAB;
  }
  if (length === 0 && (byte === DOT || byte === F)) return false;
  return byte > SPACE && byte < 127 && byte !== EQUALS;
}

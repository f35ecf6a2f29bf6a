import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../base/html';
import { fillSegment, type MergeSegment, splitAtFields } from '../../../base/merge-fields';
import type { Edition } from './message';
import { encodeQuotedPrintable, SOFT_BREAK } from './quoted-printable';

type Values = Readonly<Record<string, string>>;
type BodyPart = Buffer | ((values: Values) => Buffer);

export type EditionBody = {
  contentType: string;
  /** The body of one recipient in pieces, and its hash for DKIM. */
  fill(values: Values): Buffer[];
  hash(pieces: Buffer[]): string;
};

/** Encodes plain text and HTML once; per recipient, only the values of merge fields are encoded. */
export function editionBody({ text, html, fields }: Pick<Edition, 'text' | 'html' | 'fields'>): EditionBody {
  // quoted-printable never contains `=_` (RFC 2045 §6.7), so that no part can contain the boundary
  const boundary = `=_${createHash('sha256').update(text).update('\0').update(html).digest('hex').slice(0, 32)}`;
  const partHead = (type: string) =>
    `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`;
  const parts = joinStatic([
    Buffer.from(partHead('text/plain')),
    ...encodeSegments(splitAtFields(text, fields), (value) => value),
    Buffer.from(`\r\n${partHead('text/html')}`),
    ...encodeSegments(splitAtFields(html, fields), escapeHtml),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const beginning = createHash('sha256').update(parts[0] as Buffer);
  return {
    contentType: `multipart/alternative; boundary="${boundary}"`,
    fill: (values) => parts.map((part) => (Buffer.isBuffer(part) ? part : part(values))),
    hash(pieces) {
      const hash = beginning.copy();
      for (const piece of pieces.slice(1)) hash.update(piece);
      return hash.digest('base64');
    },
  };
}

/** Soft line breaks around values keep the line breaks of everything else where they are. */
function encodeSegments(segments: MergeSegment[], escapeValue: (value: string) => string): BodyPart[] {
  return segments.map((segment, i) => {
    if (typeof segment !== 'string') {
      return (values) => {
        const value = encodeQuotedPrintable(fillSegment(segment, values, escapeValue));
        return Buffer.from(value === '' ? '' : value + SOFT_BREAK, 'latin1');
      };
    }
    const encoded = encodeQuotedPrintable(segment);
    const isLast = i === segments.length - 1;
    return Buffer.from(isLast || encoded.endsWith('\r\n') ? encoded : encoded + SOFT_BREAK, 'latin1');
  });
}

function joinStatic(parts: BodyPart[]): BodyPart[] {
  const joined: BodyPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (Buffer.isBuffer(part) && Buffer.isBuffer(last)) joined[joined.length - 1] = Buffer.concat([last, part]);
    else joined.push(part);
  }
  return joined;
}

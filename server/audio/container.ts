import { hasTextAt } from './bytes';

/** First bytes of formats that users upload as '.mp3' by mistake. */
const MARKS: readonly [name: string, offset: number, text: string][] = [
  ['wav', 0, 'RIFF'],
  ['wav', 0, 'RF64'],
  ['aiff', 0, 'FORM'],
  ['flac', 0, 'fLaC'],
  ['ogg', 0, 'OggS'],
  ['m4a', 4, 'ftyp'],
  ['webm', 0, '\x1a\x45\xdf\xa3'],
  ['wma', 0, '\x30\x26\xb2\x75'],
  ['zip', 0, 'PK\x03\x04'],
  ['pdf', 0, '%PDF'],
  ['png', 0, '\x89PNG'],
  ['jpeg', 0, '\xff\xd8\xff'],
];

/** The name of the other format that the bytes start with, or null if they may be an MP3. */
export function detectOtherFormat(bytes: Uint8Array): string | null {
  const mark = MARKS.find(([, offset, text]) => hasTextAt(bytes, offset, text));
  if (mark) return mark[0];
  if (/^\s*<(!doctype|html|\?xml|head|body|rss)/i.test(String.fromCharCode(...bytes.subarray(0, 64)))) return 'html';
  return mpegRelative(bytes);
}

/** Layers I and II and AAC in ADTS share MP3's sync word; their layer bits differ. */
function mpegRelative(bytes: Uint8Array): string | null {
  if (bytes.length < 4 || bytes[0] !== 0xff || (bytes[1]! & 0xe0) !== 0xe0) return null;
  const layer = (bytes[1]! >> 1) & 3;
  if (layer === 0) return (bytes[1]! & 0xf0) === 0xf0 ? 'aac' : null;
  if (layer === 2) return 'mp2';
  if (layer === 3) return (bytes[1]! & 0xf0) === 0xf0 ? 'mp1' : null;
  return bytes[2]! >> 4 === 0 ? 'free format' : null;
}

/** Formats that FFmpeg converts to MP3, if it is installed (server/adapters/converter). */
export const CONVERTIBLE_FORMATS = ['m4a', 'wav', 'flac', 'ogg'] as const;
export type ConvertibleFormat = (typeof CONVERTIBLE_FORMATS)[number];

export function isConvertible(format: string | null | undefined): format is ConvertibleFormat {
  return CONVERTIBLE_FORMATS.some((known) => known === format);
}

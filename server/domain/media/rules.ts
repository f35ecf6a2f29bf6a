import { detectOtherFormat } from '../../audio/container';
import { AUDIO_LIMITS, COVER_LIMITS } from '../../limits/media';
import { MEGABYTES } from '../../limits/sizes';

/** Widths in pixels of the WebP versions of every stored picture. */
export const PICTURE_WIDTHS = [96, 320, 640, 1400] as const;

/** For clients that get one WebP per picture, such as the player: a cover on a phone at double density. */
export const SINGLE_WEBP_WIDTH = 640 satisfies (typeof PICTURE_WIDTHS)[number];

/** Root-relative addresses of a stored picture: the square JPEG, and WebP versions by width. */
export type CoverUrls = { jpg: string; webp: Record<(typeof PICTURE_WIDTHS)[number], string> };

/** @param base the picture's base key, `images/{user}/{sha256}` */
export function coverUrls(base: string): CoverUrls {
  const webp = (width: number) => `/media/${base}/${width}.webp`;
  return { jpg: `/media/${base}/full.jpg`, webp: { 96: webp(96), 320: webp(320), 640: webp(640), 1400: webp(1400) } };
}

export const UPLOAD_PURPOSES = ['episode_audio', 'cover', 'avatar'] as const;
export type UploadPurpose = (typeof UPLOAD_PURPOSES)[number];
/** The form field that holds the upload's key, for error messages. */
export const UPLOAD_FIELDS = { episode_audio: 'fileKey', cover: 'coverKey', avatar: 'avatarKey' } as const;

/** Why a file can't be uploaded: codes with a text in `locales/*\/errors.json`. */
export type UploadErrorCode =
  | 'upload.not_mp3'
  | 'upload.not_an_image'
  | 'upload.audio_too_large'
  | 'upload.too_large'
  | 'upload.empty';

/**
 * Browsers and phones use all these types for MP3, or none. This check only gives early feedback: the bytes are checked
 * later.
 */
const AUDIO_TYPES = ['audio/mpeg', 'audio/mp3', 'audio/mpeg3', 'audio/x-mpeg', 'audio/x-mp3', 'audio/x-mpeg-3'];
const UNKNOWN_TYPES = ['', 'application/octet-stream'];
const PICTURE_TYPES = ['image/jpeg', 'image/jpg', 'image/png'];

/**
 * Checks a file before its upload, in the form and on the server. Spec §5: audio must be MP3 with at most 300 MB,
 * pictures JPEG or PNG.
 */
export function checkUpload(file: {
  fileName: string;
  contentType: string;
  fileSize: number;
  purpose: UploadPurpose;
}): UploadErrorCode | null {
  const isAudio = file.purpose === 'episode_audio';
  if (contentTypeFor(file) === null) return isAudio ? 'upload.not_mp3' : 'upload.not_an_image';
  if (file.fileSize === 0) return 'upload.empty';
  if (file.fileSize <= maxBytesOf(file.purpose)) return null;
  return isAudio ? 'upload.audio_too_large' : 'upload.too_large';
}

/** Returns the content type to store the file with; null if its purpose does not accept such a file. */
export function contentTypeFor(file: { fileName: string; contentType: string; purpose: UploadPurpose }): string | null {
  const { contentType } = file;
  const extension = /\.([a-z0-9]+)$/i.exec(file.fileName)?.[1]?.toLowerCase();
  if (file.purpose === 'episode_audio') {
    const isMp3Type = AUDIO_TYPES.includes(contentType) || UNKNOWN_TYPES.includes(contentType);
    return isMp3Type && extension === 'mp3' ? 'audio/mpeg' : null;
  }
  if (PICTURE_TYPES.includes(contentType)) return contentType === 'image/png' ? 'image/png' : 'image/jpeg';
  if (!UNKNOWN_TYPES.includes(contentType)) return null;
  return extension === 'png' ? 'image/png' : extension === 'jpg' || extension === 'jpeg' ? 'image/jpeg' : null;
}

export function maxBytesOf(purpose: UploadPurpose): number {
  return purpose === 'episode_audio' ? AUDIO_LIMITS.maxBytes : COVER_LIMITS.maxBytes;
}

/** The limit as texts state it. */
export function statedMegabytesOf(purpose: UploadPurpose): number {
  return (purpose === 'episode_audio' ? AUDIO_LIMITS.statedBytes : COVER_LIMITS.maxBytes) / MEGABYTES;
}

/**
 * The format of a file that is no MP3, by its first bytes; null if it may be one. Names are spelled as people know
 * them.
 */
export function otherFormat(firstBytes: Uint8Array): string | null {
  const format = detectOtherFormat(firstBytes);
  // some players manage these, and the check names the reason
  if (format === null || format === 'free format') return null;
  return FORMAT_NAMES[format] ?? format.toUpperCase();
}

const FORMAT_NAMES: Record<string, string> = { ogg: 'Ogg', webm: 'WebM' };

/** The endpoint for resumable uploads (server/http/tus.ts). */
export const TUS_ENDPOINT = '/uploads/tus';

/** Storage key of an upload that has not been used yet. */
export function incomingKey(uploadKey: string): string {
  return `incoming/${uploadKey}`;
}

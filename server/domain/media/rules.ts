import { AUDIO_LIMITS, COVER_LIMITS } from '../../limits/media';

/** Widths in pixels of the webp sizes that every stored picture has. */
export const PICTURE_WIDTHS = [96, 320, 640, 1400] as const;

/** Root-relative addresses of a stored picture: the square JPEG, and webp by width. */
export type CoverUrls = { jpg: string; webp: Record<(typeof PICTURE_WIDTHS)[number], string> };

/** @param base its key, `images/{user}/{sha256}` */
export function coverUrls(base: string): CoverUrls {
  const webp = (width: number) => `/media/${base}/${width}.webp`;
  return { jpg: `/media/${base}/full.jpg`, webp: { 96: webp(96), 320: webp(320), 640: webp(640), 1400: webp(1400) } };
}

export const UPLOAD_PURPOSES = ['episode_audio', 'cover', 'avatar'] as const;
export type UploadPurpose = (typeof UPLOAD_PURPOSES)[number];

/** Why a file must not be uploaded: codes with a sentence in `locales/*\/errors.json`. */
export type UploadErrorCode =
  | 'upload.not_mp3'
  | 'upload.not_an_image'
  | 'upload.audio_too_large'
  | 'upload.too_large'
  | 'upload.empty';

/** Browsers and phones name MP3 in all these ways, or not at all. The bytes are read later; this is the polite early no. */
const AUDIO_TYPES = ['audio/mpeg', 'audio/mp3', 'audio/mpeg3', 'audio/x-mpeg', 'audio/x-mp3', 'audio/x-mpeg-3'];
const UNKNOWN_TYPES = ['', 'application/octet-stream'];
const PICTURE_TYPES = ['image/jpeg', 'image/jpg', 'image/png'];

/** Spec §5: audio is mp3 only, at most 300 MB; pictures are JPEG or PNG. For the form as well as for the server. */
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

/** The type that the file is kept under, from what the client says of it; null where its purpose does not take it. */
export function contentTypeFor(file: { fileName: string; contentType: string; purpose: UploadPurpose }): string | null {
  const { contentType } = file;
  const extension = /\.([a-z0-9]+)$/i.exec(file.fileName)?.[1]?.toLowerCase();
  if (file.purpose === 'episode_audio') {
    const named = AUDIO_TYPES.includes(contentType) || UNKNOWN_TYPES.includes(contentType);
    return named && extension === 'mp3' ? 'audio/mpeg' : null;
  }
  if (PICTURE_TYPES.includes(contentType)) return contentType === 'image/png' ? 'image/png' : 'image/jpeg';
  if (!UNKNOWN_TYPES.includes(contentType)) return null;
  return extension === 'png' ? 'image/png' : extension === 'jpg' || extension === 'jpeg' ? 'image/jpeg' : null;
}

export function maxBytesOf(purpose: UploadPurpose): number {
  return purpose === 'episode_audio' ? AUDIO_LIMITS.maxBytes : COVER_LIMITS.maxBytes;
}

/** Where resumable uploads are sent (server/http/tus.ts). */
export const TUS_ENDPOINT = '/uploads/tus';

/** Where the bytes of an upload wait to be used. */
export function incomingKey(uploadKey: string): string {
  return `incoming/${uploadKey}`;
}

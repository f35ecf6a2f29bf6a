import { CONTACT_IMPORT_LIMITS } from '../../limits/contact-imports';
import { AUDIO_LIMITS, CLIP_FILE_LIMITS, COVER_LIMITS, PROMO_LIMITS } from '../../limits/media';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../limits/moving';
import { PUBLICATION_LIMITS } from '../../limits/newsletter';
import { MEGABYTES } from '../../limits/sizes';
import { HISTORY_LIMITS } from '../../limits/statistics';

/** Widths in pixels of the WebP versions of every stored picture. */
export const PICTURE_WIDTHS = [96, 320, 640, 1400] as const;

/** For clients that get one WebP per picture, such as the player: the width of a cover on a phone at double density. */
export const SINGLE_WEBP_WIDTH = 640 satisfies (typeof PICTURE_WIDTHS)[number];

/** Root-relative addresses of a stored picture: the square JPEG, and WebP versions by width. */
export type CoverUrls = { jpg: string; webp: Record<(typeof PICTURE_WIDTHS)[number], string> };

/** @param base the picture's base key, `images/{user}/{sha256}` */
export function coverUrls(base: string): CoverUrls {
  const webp = (width: number) => `/media/${base}/${width}.webp`;
  return { jpg: `/media/${base}/full.jpg`, webp: { 96: webp(96), 320: webp(320), 640: webp(640), 1400: webp(1400) } };
}

/** Purposes that every user may upload for. A promo needs an episode and a plan (episodes/promos.ts). */
export const UPLOAD_PURPOSES = [
  'episode_audio',
  'insertion_audio',
  'cover',
  'avatar',
  'chapter_image',
  'edition_picture',
  'newsletter_logo',
] as const;
/** Tables of other hosts, for pages of their own. */
const TABLE_PURPOSES = ['subscribers', 'statistics', 'contacts'] as const;
/** Promos are uploaded on a page of their own, too. */
export type UploadPurpose = (typeof UPLOAD_PURPOSES)[number] | 'promo' | (typeof TABLE_PURPOSES)[number];
export const PICTURE_PURPOSES = [
  'cover',
  'avatar',
  'chapter_image',
  'edition_picture',
  'newsletter_logo',
] as const satisfies UploadPurpose[];
const isTable = (purpose: UploadPurpose) => (TABLE_PURPOSES as readonly UploadPurpose[]).includes(purpose);
export function isPicture(purpose: UploadPurpose): boolean {
  return (PICTURE_PURPOSES as readonly UploadPurpose[]).includes(purpose);
}

/** The form field that holds the upload's key, for error messages. */
export const UPLOAD_FIELDS = {
  episode_audio: 'fileKey',
  promo: 'promoKey',
  insertion_audio: 'clipKey',
  cover: 'coverKey',
  avatar: 'avatarKey',
  chapter_image: 'imageKey',
  edition_picture: 'pictureKey',
  newsletter_logo: 'logoKey',
  subscribers: 'subscribersKey',
  statistics: 'statisticsKey',
  contacts: 'contactsKey',
} as const;

/** The purpose of a file in this field of a page's form; null if pages take no file in this field. */
export function purposeOfField(field: string): UploadPurpose | null {
  return [...UPLOAD_PURPOSES, ...TABLE_PURPOSES].find((purpose) => UPLOAD_FIELDS[purpose] === field) ?? null;
}

/** Why a file can't be uploaded: codes with a text in `locales/*\/errors.json`. */
export type UploadErrorCode =
  | 'upload.not_mp3'
  | 'upload.not_audio'
  | 'upload.not_an_image'
  | 'upload.not_csv'
  | 'upload.not_csv_type'
  | 'upload.list_too_large'
  | 'upload.table_too_large'
  | 'upload.contacts_too_large'
  | 'upload.audio_too_large'
  | 'upload.too_large'
  | 'promo.too_long'
  | 'clip.too_long'
  | 'upload.empty';

/**
 * Browsers and phones send all these types for MP3, or none. This check only gives early feedback: the bytes are
 * checked later.
 */
const AUDIO_TYPES = ['audio/mpeg', 'audio/mp3', 'audio/mpeg3', 'audio/x-mpeg', 'audio/x-mp3', 'audio/x-mpeg-3'];
const UNKNOWN_TYPES = ['', 'application/octet-stream'];
const LIST_TYPES = [
  'text/csv',
  'text/plain',
  'text/tab-separated-values',
  'application/csv',
  'application/vnd.ms-excel',
];
const PICTURE_TYPES = ['image/jpeg', 'image/jpg', 'image/png'];
/** Pictures of editions are converted for emails, so that more formats are accepted. */
export const EDITION_PICTURE_TYPES = [...PICTURE_TYPES, 'image/webp'];

/** Other audio formats that FFmpeg can convert, by the extensions of their names. */
const CONVERTIBLE_TYPES = new Map([
  ['m4a', 'audio/mp4'],
  ['wav', 'audio/wav'],
  ['wave', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['ogg', 'audio/ogg'],
  ['oga', 'audio/ogg'],
  ['opus', 'audio/ogg'],
]);
/** The content types that browsers send for these formats. */
const CONVERTIBLE = /^(?:audio\/[\w.+-]+|video\/(?:mp4|ogg)|application\/(?:ogg|x-flac|octet-stream)|)$/;

/** The formats that a file picker offers. */
export function pickableAudio({ convertsAudio }: Installation): string {
  if (!convertsAudio) return '.mp3,audio/mpeg';
  return ['mp3', ...CONVERTIBLE_TYPES.keys()].map((extension) => `.${extension}`).join(',');
}

/** `convertsAudio`: episodes accept other formats than MP3. */
type Installation = { convertsAudio: boolean };
type FileFacts = { fileName: string; contentType: string; purpose: UploadPurpose };

/**
 * Checks a file before its upload, in the form and on the server. Spec §5: audio must be an MP3 of at most 300 MB, or
 * is converted to MP3; pictures are JPEG or PNG.
 */
export function checkUpload(
  file: FileFacts & { fileSize: number },
  installation: Installation,
): UploadErrorCode | null {
  if (contentTypeFor(file, installation) === null) {
    if (isTable(file.purpose)) return file.purpose === 'contacts' ? 'upload.not_csv_type' : 'upload.not_csv';
    if (!isAudio(file.purpose)) return 'upload.not_an_image';
    return isConverted(file.purpose, installation) ? 'upload.not_audio' : 'upload.not_mp3';
  }
  if (file.fileSize === 0) return 'upload.empty';
  if (file.fileSize <= maxBytesOf(file.purpose)) return null;
  return tooLargeCode(file.purpose);
}

const isAudio = (purpose: UploadPurpose) =>
  purpose === 'episode_audio' || purpose === 'promo' || purpose === 'insertion_audio';
/** Promos and clips must be MP3 everywhere: they are checked while their creator waits. */
const isConverted = (purpose: UploadPurpose, { convertsAudio }: Installation) =>
  purpose === 'episode_audio' && convertsAudio;

/** The longest promo or clip in any format is smaller than its limit, so a larger file is too long. */
export function tooLargeCode(purpose: UploadPurpose): UploadErrorCode {
  if (purpose === 'promo') return 'promo.too_long';
  if (purpose === 'insertion_audio') return 'clip.too_long';
  if (purpose === 'contacts') return 'upload.contacts_too_large';
  if (isTable(purpose)) return purpose === 'subscribers' ? 'upload.list_too_large' : 'upload.table_too_large';
  return purpose === 'episode_audio' ? 'upload.audio_too_large' : 'upload.too_large';
}

/** Returns the content type to store the file with; null if its purpose does not accept such a file. */
export function contentTypeFor(file: FileFacts, installation: Installation): string | null {
  const { contentType } = file;
  const extension = /\.([a-z0-9]+)$/i.exec(file.fileName)?.[1]?.toLowerCase();
  if (isAudio(file.purpose)) {
    const isMp3Type = AUDIO_TYPES.includes(contentType) || UNKNOWN_TYPES.includes(contentType);
    if (extension === 'mp3') return isMp3Type ? 'audio/mpeg' : null;
    const isAccepted = isConverted(file.purpose, installation) && CONVERTIBLE.test(contentType);
    return (isAccepted && CONVERTIBLE_TYPES.get(extension ?? '')) || null;
  }
  if (isTable(file.purpose))
    return LIST_TYPES.includes(contentType) ||
      (UNKNOWN_TYPES.includes(contentType) && /^(?:csv|tsv|txt)$/.test(extension ?? ''))
      ? 'text/csv'
      : null;
  if (contentType === 'image/webp' && file.purpose === 'edition_picture') return contentType;
  if (PICTURE_TYPES.includes(contentType)) return contentType === 'image/png' ? 'image/png' : 'image/jpeg';
  if (!UNKNOWN_TYPES.includes(contentType)) return null;
  return extension === 'png' ? 'image/png' : extension === 'jpg' || extension === 'jpeg' ? 'image/jpeg' : null;
}

/** Minimum size in pixels on each side. */
export function minPixelsOf(purpose: UploadPurpose): number {
  if (purpose === 'newsletter_logo') return PUBLICATION_LIMITS.logoMinPixels;
  return purpose === 'cover' ? COVER_LIMITS.coverMinPixels : COVER_LIMITS.minPixels;
}

export function maxBytesOf(purpose: UploadPurpose): number {
  if (purpose === 'promo') return PROMO_LIMITS.maxBytes;
  if (purpose === 'insertion_audio') return CLIP_FILE_LIMITS.maxBytes;
  if (purpose === 'subscribers') return SUBSCRIBER_IMPORT_LIMITS.bytes;
  if (purpose === 'statistics') return HISTORY_LIMITS.bytes;
  if (purpose === 'contacts') return CONTACT_IMPORT_LIMITS.bytes;
  return purpose === 'episode_audio' ? AUDIO_LIMITS.maxBytes : COVER_LIMITS.maxBytes;
}

/** The limit as texts show it. */
export function statedMegabytesOf(purpose: UploadPurpose): number {
  return (purpose === 'episode_audio' ? AUDIO_LIMITS.statedBytes : COVER_LIMITS.maxBytes) / MEGABYTES;
}

const FORMAT_NAMES: Record<string, string> = { ogg: 'Ogg', webm: 'WebM', aif: 'AIFF', wave: 'WAV', mp4: 'MP4' };
/** The common spelling of a format. */
export const formatName = (format: string): string => FORMAT_NAMES[format] ?? format.toUpperCase();

/** Audio and video that people upload instead of an MP3, by their names. */
const OTHER_EXTENSION = /\.(wav|wave|aiff?|flac|ogg|opus|m4a|aac|wma|webm|mp2|mp4|mov)$/i;

/** The format in a file's name, if it is an audio or video format other than MP3. */
export function formatOfName(fileName: string): string | null {
  const extension = OTHER_EXTENSION.exec(fileName)?.[1];
  return extension ? formatName(extension.toLowerCase()) : null;
}

/** In English the article depends on the format: "a WAV file", "an AAC file". */
const OTHER_FORMAT = {
  named: { a: 'upload.other_format', an: 'upload.other_format_an' },
  renamed: { a: 'upload.renamed', an: 'upload.renamed_an' },
} as const;

/** The error code for a file of another format, whose name shows (`named`) or hides (`renamed`) the format. */
export function otherFormatCode(how: keyof typeof OTHER_FORMAT, format: string) {
  return OTHER_FORMAT[how][/^[AHM]/.test(format) ? 'an' : 'a'];
}

/** The endpoint for resumable uploads (server/doors/uploads/tus.ts). */
export const TUS_ENDPOINT = '/uploads/tus';

/** Storage key of an upload that has not been used yet. */
export function incomingKey(uploadKey: string): string {
  return `incoming/${uploadKey}`;
}

/** The frame index of an episode's file, beside it; made once its sound is measured (recordings.ts). */
export const frameIndexKey = (audioKey: string): string => audioKey.replace(/(?:\.mp3)?$/, '.frames');

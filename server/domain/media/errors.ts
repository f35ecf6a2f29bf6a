import type { Mp3Reason } from '../../audio/check-mp3';
import type { ConformReason } from '../../audio/conform';
import type { SpliceReason } from '../../audio/splice';
import { AppError, defineError } from '../../base/errors';
import { CONTACT_IMPORT_LIMITS } from '../../limits/contact-imports';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../limits/moving';
import { MEGABYTES } from '../../limits/sizes';
import { HISTORY_LIMITS } from '../../limits/statistics';
import { formatName, formatOfName, otherFormatCode, statedMegabytesOf, type UploadErrorCode } from './rules';

export const uploadNotFound = defineError('upload.not_found', 'not_found');
export const uploadIncomplete = defineError('upload.incomplete', 'invalid');
/** The body of an upload with POST is not multipart/form-data. */
export const formRequired = defineError('upload.form_required', 'invalid');
export const uploadInterrupted = defineError('upload.interrupted', 'invalid');
export const uploadUsed = defineError('upload.used', 'invalid');
export const uploadExpired = defineError('upload.expired', 'expired');
export const tooManyUploads = defineError('upload.too_many_open', 'too_many');
export const tooManyPictures = defineError('upload.too_many_pictures', 'too_many');

const audioTooLarge = defineError('upload.audio_too_large', 'too_large', { field: 'fileSize' });
const listTooLarge = defineError('upload.list_too_large', 'too_large', { field: 'fileSize' });
const tableTooLarge = defineError('upload.table_too_large', 'too_large', { field: 'fileSize' });
const pictureTooLarge = defineError('upload.too_large', 'too_large', { field: 'fileSize' });

/** Spec §5. */
export const promoTooLong = defineError('promo.too_long', 'invalid');
export const clipTooLong = defineError('clip.too_long', 'invalid');

export const UPLOAD_ERRORS = {
  'promo.too_long': promoTooLong,
  'clip.too_long': clipTooLong,
  'upload.not_mp3': defineError('upload.not_mp3', 'invalid', { field: 'fileName' }),
  'upload.not_audio': defineError('upload.not_audio', 'invalid', { field: 'fileName' }),
  'upload.not_an_image': defineError('upload.not_an_image', 'invalid', { field: 'fileName' }),
  'upload.audio_too_large': () => audioTooLarge({ megabytes: statedMegabytesOf('episode_audio') }),
  'upload.too_large': () => pictureTooLarge({ megabytes: statedMegabytesOf('cover') }),
  'upload.not_csv': defineError('upload.not_csv', 'invalid', { field: 'fileName' }),
  'upload.not_csv_type': defineError('upload.not_csv_type', 'invalid', { field: 'fileName' }),
  'upload.list_too_large': () => listTooLarge({ megabytes: SUBSCRIBER_IMPORT_LIMITS.bytes / MEGABYTES }),
  'upload.contacts_too_large': () => tableTooLarge({ megabytes: CONTACT_IMPORT_LIMITS.bytes / MEGABYTES }),
  'upload.table_too_large': () => tableTooLarge({ megabytes: HISTORY_LIMITS.bytes / MEGABYTES }),
  'upload.empty': defineError('upload.empty', 'invalid', { field: 'fileSize' }),
} satisfies Record<UploadErrorCode, () => AppError>;

/** Why a file can't be uploaded. If the file name states another format than MP3, the error names that format. */
export function uploadError(code: UploadErrorCode, fileName: string): AppError {
  const format = code === 'upload.not_mp3' || code === 'upload.not_audio' ? formatOfName(fileName) : null;
  if (format && code === 'upload.not_audio') return unaccepted({ format });
  return format ? OTHER_FORMAT_ERRORS[otherFormatCode('named', format)]({ format }) : UPLOAD_ERRORS[code]();
}

const unaccepted = defineError('upload.unaccepted', 'invalid', { field: 'fileName' });

/** One error for each text about a file of another format. */
const OTHER_FORMAT_ERRORS = {
  'upload.other_format': defineError('upload.other_format', 'invalid', { field: 'fileName' }),
  'upload.other_format_an': defineError('upload.other_format_an', 'invalid', { field: 'fileName' }),
  'upload.renamed': defineError('upload.renamed', 'invalid'),
  'upload.renamed_an': defineError('upload.renamed_an', 'invalid'),
} satisfies Record<ReturnType<typeof otherFormatCode>, () => AppError>;

/** One error for each reason of the audio engine. */
export const AUDIO_ERRORS = {
  empty: defineError('audio.empty', 'invalid'),
  not_mp3: defineError('audio.not_mp3', 'invalid'),
  free_format: defineError('audio.free_format', 'invalid'),
  mixed_formats: defineError('audio.mixed_formats', 'invalid'),
  damaged: defineError('audio.damaged', 'invalid'),
  truncated: defineError('audio.truncated', 'invalid'),
  too_short: defineError('audio.too_short', 'invalid'),
  clip_mismatch: defineError('audio.clip_mismatch', 'invalid'),
  clip_begins_inside: defineError('audio.clip_begins_inside', 'invalid'),
  marker_outside: defineError('audio.marker_outside', 'invalid'),
  clip_too_long: defineError('audio.clip_too_long', 'invalid'),
  clip_undecodable: defineError('audio.clip_undecodable', 'invalid'),
  clip_encoder_failed: defineError('audio.clip_encoder_failed', 'upstream'),
} satisfies Record<Mp3Reason | SpliceReason | ConformReason, ReturnType<typeof defineError>>;

/** The error for a file that is not an MP3, although its name says so. */
export function renamedError(format: string): AppError {
  const name = formatName(format);
  return OTHER_FORMAT_ERRORS[otherFormatCode('renamed', name)]({ format: name });
}

export const promoOutside = defineError('promo.outside', 'invalid', { field: 'endMs' });

export const notAPicture = defineError('media.not_a_picture', 'invalid');
export const notSquare = defineError('media.not_square', 'invalid');
export const tooManyPixels = defineError('media.too_many_pixels', 'invalid');
export const tooSmall = defineError('media.too_small', 'invalid');

/**
 * Returns the error for another form field. `not_found` becomes `invalid`: a wrong key in a form is not a missing page.
 */
export function withField(error: AppError, field: string): AppError {
  return new AppError(error.code, error.kind === 'not_found' ? 'invalid' : error.kind, field, error.params);
}

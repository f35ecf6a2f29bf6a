import { checkUpload, contentTypeFor } from '~/server/domain/media/rules';
import { EPISODE_LIMITS } from '~/server/limits/episodes';
import { COVER_LIMITS } from '~/server/limits/media';

type PickedFile = { name: string; type: string; size: number };

/** Checks a picked MP3 like the server, before the upload starts. @returns an error code */
export function audioFileError({ name, type, size }: PickedFile): string | null {
  return checkUpload({ fileName: name, contentType: type.toLowerCase(), fileSize: size, purpose: 'episode_audio' });
}

/** The browser crops a picture and uploads a JPEG, so the original may exceed the size limit. */
export function pictureFileError({ name, type, size }: PickedFile): string | null {
  const stored = contentTypeFor({ fileName: name, contentType: type.toLowerCase(), purpose: 'cover' });
  if (stored === null) return 'upload.not_an_image';
  return size > COVER_LIMITS.maxBytes * MAX_CROP_FACTOR ? 'upload.too_large' : null;
}

const MAX_CROP_FACTOR = 5;

/** Proposes an episode name: `2024-03_ep-12__El_mar.mp3` → `2024-03 ep-12 El mar`. */
export function nameFromFile(fileName: string): string {
  return fileName
    .replace(/\.[a-z0-9]{2,4}$/i, '')
    .replace(/[_\s]+/g, ' ')
    .trim()
    .slice(0, EPISODE_LIMITS.nameLength);
}

type FileIdentity = { name: string; size: number; fingerprint: string };

/** Whether a picked file is the one whose upload was interrupted. Mixing two files would produce noise. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.name === b.name && a.size === b.size && a.fingerprint === b.fingerprint;
}

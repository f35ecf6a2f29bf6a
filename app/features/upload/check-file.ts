import { checkUpload, contentTypeFor } from '~/server/domain/media/rules';
import { EPISODE_LIMITS } from '~/server/limits/episodes';
import { COVER_LIMITS } from '~/server/limits/media';

type PickedFile = { name: string; type: string; size: number };

/** What the server will say of an MP3 that was picked, before a byte is sent. Answers an error's code. */
export function audioFileError({ name, type, size }: PickedFile): string | null {
  return checkUpload({ fileName: name, contentType: type.toLowerCase(), fileSize: size, purpose: 'episode_audio' });
}

/** A picture is cropped here and sent as a JPEG, so its own size may be larger than what is taken. */
export function pictureFileError({ name, type, size }: PickedFile): string | null {
  const stored = contentTypeFor({ fileName: name, contentType: type.toLowerCase(), purpose: 'cover' });
  if (stored === null) return 'upload.not_an_image';
  return size > COVER_LIMITS.maxBytes * MAX_CROP_FACTOR ? 'upload.too_large' : null;
}

const MAX_CROP_FACTOR = 5;

/** A name for an episode from its file's: `2024-03_ep-12__El_mar.mp3` → `2024-03 ep-12 El mar`. */
export function nameFromFile(fileName: string): string {
  return fileName
    .replace(/\.[a-z0-9]{2,4}$/i, '')
    .replace(/[_\s]+/g, ' ')
    .trim()
    .slice(0, EPISODE_LIMITS.nameLength);
}

type FileIdentity = { name: string; size: number; fingerprint: string };

/** Whether a file that was picked again is the one of before: half of one and half of another would be noise. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.name === b.name && a.size === b.size && a.fingerprint === b.fingerprint;
}

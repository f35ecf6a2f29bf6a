import { storedType, uploadFault } from '~/server/domain/media/rules';
import { LIMITS } from '~/server/limits';

type Picked = { name: string; type: string; size: number };

/** What the server will say of an MP3 that was picked, before a byte is sent. Answers an error's code. */
export function audioFault({ name, type, size }: Picked): string | null {
  return uploadFault({ fileName: name, contentType: type.toLowerCase(), fileSize: size, purpose: 'episode_audio' });
}

/** A picture is cropped here and sent as a JPEG, so its own size may be larger than what is taken. */
export function pictureFault({ name, type, size }: Picked): string | null {
  const stored = storedType({ fileName: name, contentType: type.toLowerCase(), purpose: 'cover' });
  if (stored === null) return 'upload.not_an_image';
  return size > LIMITS.cover.maxBytes * CROPPED_AWAY ? 'upload.too_large' : null;
}

const CROPPED_AWAY = 5;

/** A name for an episode from its file's: `2024-03_ep-12__El_mar.mp3` → `2024-03 ep-12 El mar`. */
export function nameFromFile(fileName: string): string {
  return fileName
    .replace(/\.[a-z0-9]{2,4}$/i, '')
    .replace(/[_\s]+/g, ' ')
    .trim()
    .slice(0, LIMITS.episode.nameLength);
}

/** Whether a file that was picked again is the one of before: name and size are what a browser lets us see. */
export function isSameFile(a: { name: string; size: number }, b: { name: string; size: number }): boolean {
  return a.name === b.name && a.size === b.size;
}

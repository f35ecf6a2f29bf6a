import { LIMITS } from '~/server/limits';

type Picked = { name: string; type: string; size: number };

const AUDIO_TYPES = ['audio/mpeg', 'audio/mp3', 'audio/mpeg3', 'audio/x-mp3', 'audio/x-mpeg-3', ''];
const PICTURE_TYPES = ['image/jpeg', 'image/png'];

/** Spec §5: mp3 only, at most 300 MB. What is really inside is for the server to read. Answers an error's code. */
export function audioFault({ name, type, size }: Picked): string | null {
  if (!/\.mp3$/i.test(name) || !AUDIO_TYPES.includes(type.toLowerCase())) return 'upload.not_mp3';
  if (size === 0) return 'audio.empty';
  return size > LIMITS.audio.maxBytes ? 'upload.audio_too_large' : null;
}

/** A picture to be cropped here: its own size does not matter much, what is sent is a JPEG. */
export function pictureFault({ type, size }: Picked): string | null {
  if (!PICTURE_TYPES.includes(type.toLowerCase())) return 'upload.not_an_image';
  return size > LIMITS.cover.maxBytes * 5 ? 'upload.too_large' : null;
}

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

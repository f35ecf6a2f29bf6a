import type { Values } from '~/locales/translate';
import { contentTypeFor, statedMegabytesOf } from '~/server/domain/media/rules';
import { COVER_LIMITS } from '~/server/limits/media';

export type PickedFile = Pick<File, 'name' | 'type' | 'size' | 'slice'>;
/** An error code, and the values of its text. */
export type FileProblem = { code: string; values: Values };

/** The limit applies to the picked file, although the browser may shrink it. */
export function pictureFileProblem(file: PickedFile): FileProblem | null {
  const stored = contentTypeFor({ ...factsOf(file), purpose: 'cover' }, { convertsAudio: false });
  if (stored === null) return { code: 'upload.not_an_image', values: {} };
  if (file.size <= COVER_LIMITS.maxBytes) return null;
  return { code: 'upload.too_large', values: { megabytes: statedMegabytesOf('cover') } };
}

export const factsOf = ({ name, type }: PickedFile) => ({ fileName: name, contentType: type.toLowerCase() });

/** Proposes an episode name: `2024-03_ep-12__El_mar.mp3` → `2024-03 ep-12 El mar`. */
export function nameFromFile(fileName: string): string {
  return fileName
    .replace(/\.[a-z0-9]{2,4}$/i, '')
    .replace(/[_\s]+/g, ' ')
    .trim();
}

type FileIdentity = { name: string; size: number; fingerprint: string };

/** Whether a picked file is the one whose upload was interrupted. Mixing two files would produce noise. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.name === b.name && a.size === b.size && a.fingerprint === b.fingerprint;
}

import { cut } from '../../base/cut-text';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { AUDIO_LIMITS } from '../../limits/media';
import type { Ctx } from '../../runtime/ctx';
import { isConvertibleName } from './audio-formats';
import { formatOfName, incomingKey } from './rules';
import { assertDiskSpace, type FetchedFile } from './uploads';

/** `bytes`: the space that must be free. `withinMs`: how long it may take. */
type Source = { url: string; key: string; userId: number; bytes?: number; withinMs?: number };

/**
 * Copies audio of another host to an upload's key, for `recordFetchedAudio`. A repeated attempt continues the copy.
 * @throws fetch.*, upload.disk_full
 */
export async function downloadAudio(ctx: Ctx, { url, key, userId, bytes = 0, withinMs }: Source): Promise<FetchedFile> {
  await assertDiskSpace(ctx, bytes);
  const { storage, fetcher } = ctx.ports;
  const request = { url, key: incomingKey(key), maxBytes: AUDIO_LIMITS.maxBytes, withinMs };
  const downloaded = await fetcher.download(storage, request);
  return { key, userId, fileName: fileNameOf(url), bytes: downloaded.bytes };
}

/**
 * The name of the format if such files can't become episodes here; null if they can, or if the address does not show
 * the format.
 */
export function unsupportedFormat(url: string, { convertsAudio }: { convertsAudio: boolean }): string | null {
  const format = formatOfName(fileNameOf(url));
  if (format === null) return null;
  return convertsAudio && isConvertibleName(format) ? null : format;
}

/** The last part of the address, shown in the studio. */
export function fileNameOf(url: string): string {
  const last = URL.canParse(url) ? (new URL(url).pathname.split('/').at(-1) ?? '') : '';
  return cut(decoded(last), EPISODE_LIMITS.fileNameLength) || 'audio.mp3';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

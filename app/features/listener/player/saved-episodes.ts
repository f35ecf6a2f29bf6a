import { checkAccess, forget, recordPath, SAVED_CACHE, type SavedRecord } from '~/app/service-worker/stored';
import type { Track } from './state';
import { registerWorker } from './worker';

/**
 * A saved episode's record: the player's data, and when access was last checked. Older records have no `bytes` and no
 * `picture`. `picture`: the cover as a data URL, because pages without a connection load no pictures.
 */
export type SavedEpisode = SavedRecord & { track: Track; savedAt: number; bytes?: number; picture?: string };

/** Newest first. */
export async function listSaved(): Promise<SavedEpisode[]> {
  if (!(await caches.has(SAVED_CACHE))) return [];
  const cache = await caches.open(SAVED_CACHE);
  const addresses = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(recordPath('')));
  const records = await Promise.all(addresses.map(async (address) => (await cache.match(address))?.json()));
  return (records as SavedEpisode[]).filter(Boolean).sort((a, b) => b.savedAt - a.savedAt);
}

export async function isSaved(track: Track): Promise<boolean> {
  return (await caches.match(recordPath(track.url), { cacheName: SAVED_CACHE })) !== undefined;
}

/**
 * Loads the audio into the browser's cache, and then its record: only a complete file counts as saved.
 * @param onProgress gets the loaded share, from 0 to 1
 * @throws if the audio can't be loaded, or the browser has no room for it
 */
export async function saveEpisode(track: Track, onProgress: (share: number) => void): Promise<void> {
  await registerWorker();
  const response = await fetch(track.url, { cache: 'no-store' });
  if (!response.ok || !response.body) throw new Error(`the audio has status ${response.status}`);
  const size = Number(response.headers.get('content-length'));
  const cache = await caches.open(SAVED_CACHE);
  const headers = { 'content-type': 'audio/mpeg' };
  let bytes = 0;
  const count = (counted: number) => {
    bytes = counted;
    onProgress(size > 0 ? bytes / size : 0);
  };
  const body = response.body.pipeThrough(countBytes(count));
  await cache.put(track.url, new Response(body, { headers }));
  const now = Date.now();
  const picture = await pictureOf(track.coverWebp ?? track.cover).catch(() => undefined);
  const record: SavedEpisode = { track: { ...track, description: null }, savedAt: now, checkedAt: now, bytes, picture };
  await cache.put(recordPath(track.url), Response.json(record));
  // otherwise a browser that runs out of space may delete everything
  await navigator.storage?.persist?.().catch(() => false);
}

/** A few kilobytes: players have small covers. @throws if it can't be loaded */
async function pictureOf(address: string | null): Promise<string | undefined> {
  const blob = address ? await (await fetch(address)).blob() : null;
  if (!blob?.type.startsWith('image/')) return undefined;
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = reject;
    reader.readAsDataURL(blob);
  });
}

export const removeSaved = (track: Track) => forget(track.url);

export const removeAllSaved = () => caches.delete(SAVED_CACHE);

/** Deletes the episodes that the listener may no longer play. Does nothing without a connection. */
export async function checkSaved(): Promise<void> {
  for (const { track } of await listSaved()) await checkAccess(track.url, Date.now());
}

function countBytes(onCount: (bytes: number) => void) {
  let bytes = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      onCount(bytes);
      controller.enqueue(chunk);
    },
  });
}

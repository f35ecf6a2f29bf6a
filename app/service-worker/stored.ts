/** The data that this site stores in a browser's caches. The worker and the pages share these names (decision 0171). */

/** The page of saved episodes in both languages, and its code: it opens without a connection. */
export const SHELL_CACHE = 'shell';
/** Audio that a listener saved, each with its record. */
export const SAVED_CACHE = 'saved-episodes';

/** An episode no longer plays after this long without a check of its access. */
export const UNCHECKED_DAYS = 30;
const DAY_MS = 86_400_000;

/** The statuses for an episode that may no longer be played, or no longer exists. Other failures do not mean that. */
const ENDED = [401, 403, 404, 410];

export type SavedRecord = { checkedAt: number };
/** The path under which the record of an audio file is stored. No page has this path. */
export const recordPath = (audioPath: string) => `/saved/record${audioPath}`;

export const isOutdated = ({ checkedAt }: SavedRecord, now: number) => now - checkedAt > UNCHECKED_DAYS * DAY_MS;

/**
 * Asks the server, without loading the audio, whether the listener may still play it. Deletes it if not.
 * @returns null if the server did not answer
 */
export async function checkAccess(audioPath: string, now: number): Promise<boolean | null> {
  const init = { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(4000) } as const;
  const response = await fetch(audioPath, init).catch(() => null);
  if (!response) return null;
  if (ENDED.includes(response.status)) await forget(audioPath);
  else if (response.ok) await markChecked(audioPath, now);
  return ENDED.includes(response.status) ? false : response.ok || null;
}

export async function forget(audioPath: string): Promise<void> {
  const cache = await caches.open(SAVED_CACHE);
  await cache.delete(audioPath);
  await cache.delete(recordPath(audioPath));
}

async function markChecked(audioPath: string, now: number): Promise<void> {
  const cache = await caches.open(SAVED_CACHE);
  const record = await (await cache.match(recordPath(audioPath)))?.json();
  if (record) await cache.put(recordPath(audioPath), Response.json({ ...record, checkedAt: now }));
}

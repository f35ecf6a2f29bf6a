import { LRUCache } from 'lru-cache';
import type { ObjectStore } from '../../adapters/storage/port';
import type { FilePart } from '../../http/body-sections';
import { AUDIO_LIMITS } from '../../limits/listening';

/** When the newest stored part of a file was written; null if a part is missing or none is stored. */
export type FindModification = (parts: readonly FilePart[]) => Promise<Date | null>;

/** Asks the store once per object, because the content under a key never changes. */
export function modificationTimes({ head }: Pick<ObjectStore, 'head'>): FindModification {
  const known = new LRUCache<string, Date>({ max: AUDIO_LIMITS.cachedRows });

  async function find(key: string): Promise<Date | undefined> {
    const found = known.get(key) ?? (await head(key))?.modifiedAt;
    if (found) known.set(key, found);
    return found;
  }

  /** A rendition has dozens of parts, and the same list of them for each of its requests. */
  const ofParts = new WeakMap<readonly FilePart[], Date>();
  return async (parts) => {
    const same = ofParts.get(parts);
    if (same) return same;
    const keys = new Set(parts.flatMap(({ from }) => ('key' in from ? [from.key] : [])));
    const times = await Promise.all([...keys].map(find));
    if (times.length === 0 || times.includes(undefined)) return null;
    const newest = new Date(Math.max(...times.map(Number)));
    ofParts.set(parts, newest);
    return newest;
  };
}

import { LRUCache } from 'lru-cache';
import type { Database } from '~/db/client';
import { type Enclosure, lookupEnclosure } from '../domain/listening/enclosure';
import { AUDIO_LIMITS } from '../limits/listening';
import { VISITOR } from '../policy/actor';
import { describeProblem } from '../problems';

/** What everybody may hear, by episode: a player asks for one file in many ranges. */
export type EnclosureCache = {
  /** The file that a visitor may hear; null if there is none, which is not cached. */
  find(episodeId: number): Promise<Enclosure | null>;
  /** After any change: reading a few rows again is cheaper than knowing which ones depend on it. */
  clear(): void;
};

export function createEnclosureCache(db: Database): EnclosureCache {
  const { cachedRows: max, rowCachedFor: ttl } = AUDIO_LIMITS;
  const found = new LRUCache<number, Enclosure>({ max, ttl, noDeleteOnStaleGet: true });
  let changes = 0;
  return {
    async find(episodeId) {
      const cached = found.get(episodeId);
      if (cached) return cached;
      const startedAt = changes;
      const enclosure = await lookupEnclosure({ db, actor: VISITOR }, episodeId).catch((error) => {
        // while the database is away, no change can have been missed
        const expired = found.get(episodeId, { allowStale: true });
        if (expired && describeProblem(error).kind === 'unavailable') return expired;
        throw error;
      });
      // a row that was read before a change must not outlive it
      if (enclosure && startedAt === changes) found.set(episodeId, enclosure);
      return enclosure;
    },
    clear() {
      changes += 1;
      found.clear();
    },
  };
}

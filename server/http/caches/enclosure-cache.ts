import type { Database } from '~/db/client';
import { type Enclosure, lookupEnclosure } from '../../domain/listening/enclosure';
import { AUDIO_LIMITS } from '../../limits/listening';
import { VISITOR } from '../../policy/actor';
import { type RecentRows, recentRows } from './recent-rows';

/** The file that a visitor may hear, by episode: a player asks for one file in many ranges. */
export type EnclosureCache = RecentRows<number, Enclosure>;

export function createEnclosureCache({ db, now }: { db: Database; now(): Date }): EnclosureCache {
  const { cachedRows: max, rowCachedFor: ttl } = AUDIO_LIMITS;
  return recentRows((episodeId) => lookupEnclosure({ db, actor: VISITOR, now }, episodeId), { max, ttl });
}

import { LRUCache } from 'lru-cache';
import { CACHE_LIMITS } from '../limits/http';

/** An answer of the REST API that is equal for equal requests: only JSON, without headers of its own. */
export type KeptAnswer = { status: number; body: string | null };

export type AnswerCache = {
  /**
   * Returns the answer that was kept under this key, otherwise a new one.
   * @param key everything on which the answer depends: the caller, the language and the request
   */
  find(key: string, keptFor: number, make: () => Promise<KeptAnswer>): Promise<KeptAnswer>;
  /** Called after any change: creating an answer again is cheaper than tracking which of them depend on it. */
  clear(): void;
};

/**
 * Answers of the calls that allow it (`keptFor` in the table), because clients request the same list repeatedly.
 * @param isHearing whether this process receives the changes of all processes now; otherwise nothing is kept (decision
 * 0121)
 */
export function createAnswerCache(isHearing: () => boolean): AnswerCache {
  const kept = new LRUCache<string, KeptAnswer>({
    max: CACHE_LIMITS.answers,
    maxSize: CACHE_LIMITS.answerBytes,
    // a character may take two bytes
    sizeCalculation: ({ body }, key) => 2 * (key.length + (body?.length ?? 0)),
  });
  let changes = 0;
  return {
    async find(key, keptFor, make) {
      if (key.length > CACHE_LIMITS.addressLength || !isHearing()) return make();
      const known = kept.get(key);
      if (known) return known;
      const startedAt = changes;
      const answer = await make();
      // an answer from rows that were read before a change must not outlive it
      if (startedAt === changes) kept.set(key, answer, { ttl: keptFor });
      return answer;
    },
    clear() {
      changes += 1;
      kept.clear();
    },
  };
}

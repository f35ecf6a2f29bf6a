import { LRUCache } from 'lru-cache';
import { CACHE_LIMITS } from '../limits/http';

/** An answer of the REST API that is the same for each equal request: only JSON, without headers of its own. */
export type Answer = { status: number; body: string | null };

export type AnswerCache = {
  /**
   * The answer that was kept under this key, otherwise a new one.
   * @param key everything that the answer depends on: who asks, in which language and for what
   */
  find(key: string, keptFor: number, make: () => Promise<Answer>): Promise<Answer>;
  /** After any change: making an answer again is cheaper than knowing which ones depend on it. */
  clear(): void;
};

/**
 * Answers of the calls that allow it (`keptFor` in the table), because clients ask for the same list again and again.
 * @param isHearing whether changes of all processes are heard now; otherwise nothing is kept (decision 0121)
 */
export function createAnswerCache(isHearing: () => boolean): AnswerCache {
  const kept = new LRUCache<string, Answer>({
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

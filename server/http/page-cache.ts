import { LRUCache } from 'lru-cache';
import { type CachedAnswer, cachedAnswer, isSame, type Rendered } from './cached-answer';

export type PageCache = ReturnType<typeof createPageCache>;

/** Shared by all visitors, or rendered for one visitor only. */
export type Loaded = { shared: CachedAnswer } | { own: Rendered };

type Flight = { startedAt: number; result: Promise<Loaded> };

/**
 * Responses for anonymous visitors, kept until a tag changes, for at most `ceiling` milliseconds and within `bytes`: the
 * least recently used one is evicted first. After half of its time a response is refreshed while it is still served, so
 * that no visitor waits. In memory only: a restart loses nothing that cannot be rendered again.
 */
export function createPageCache(options: { bytes: number; ceiling: number; now: () => number }) {
  const answers = new LRUCache<string, CachedAnswer>({
    maxSize: options.bytes,
    sizeCalculation: ({ bytes }) => bytes,
    dispose: removeTags,
  });
  const keysOf = new Map<string, Set<string>>();
  const flights = new Map<string, Flight>();
  /** Counts changes. A rendering that began before a change may have read the old data. */
  let changes = 0;
  const changedAt = new Map<string, number>();
  let clearedAt = 0;
  let flying = 0;

  function removeTags(answer: CachedAnswer, key: string) {
    for (const tag of answer.tags) {
      const keys = keysOf.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(tag);
    }
  }

  /** The cached response if the new one equals it, because it already has its compressed encodings. */
  function latest(key: string, made: CachedAnswer): CachedAnswer {
    const kept = answers.peek(key);
    if (!kept || !isSame(kept, made)) return made;
    return Object.assign(kept, { staleAt: made.staleAt, expiresAt: made.expiresAt });
  }

  function keep(key: string, answer: CachedAnswer) {
    // the cache measures a response only when it is added
    answers.delete(key);
    answers.set(key, answer);
    // larger than the whole cache
    if (!answers.has(key)) return;
    for (const tag of answer.tags) {
      const keys = keysOf.get(tag) ?? new Set();
      keysOf.set(tag, keys.add(key));
    }
  }

  async function fly(key: string, startedAt: number, render: () => Promise<Rendered>): Promise<Loaded> {
    flying += 1;
    try {
      const rendered = await render();
      if (rendered.status !== 200 || rendered.tags.length === 0) return { own: rendered };
      const answer = latest(key, cachedAnswer(rendered, options.now(), options.ceiling));
      const overtaken = rendered.tags.some((tag) => Math.max(changedAt.get(tag) ?? 0, clearedAt) > startedAt);
      if (!overtaken) keep(key, answer);
      return { shared: answer };
    } finally {
      flying -= 1;
      if (flights.get(key)?.startedAt === startedAt) flights.delete(key);
      if (flying === 0) changedAt.clear();
    }
  }

  return {
    /** The cached response, if it has not expired. */
    find(key: string): CachedAnswer | undefined {
      const answer = answers.get(key);
      if (!answer || answer.expiresAt > options.now()) return answer;
      answers.delete(key);
      return undefined;
    },

    /** Whether a refresh is due and none is running. */
    wantsRenewal: (key: string, answer: CachedAnswer) => answer.staleAt <= options.now() && !flights.has(key),

    /** Renders once for concurrent requests. A response for one visitor only is rendered for each of them. */
    async load(key: string, render: () => Promise<Rendered>): Promise<Loaded> {
      const waiting = flights.get(key);
      if (waiting && waiting.startedAt === changes) {
        const loaded = await waiting.result;
        return 'shared' in loaded ? loaded : { own: await render() };
      }
      const startedAt = changes;
      const result = fly(key, startedAt, render);
      flights.set(key, { startedAt, result });
      return result;
    },

    /** Drops every response with `tag`; renderings of it that are running now are served but not cached. */
    invalidate(tag: string) {
      changes += 1;
      if (flying > 0) changedAt.set(tag, changes);
      for (const key of [...(keysOf.get(tag) ?? [])]) answers.delete(key);
    },

    clear() {
      changes += 1;
      clearedAt = changes;
      answers.clear();
      flights.clear();
    },

    /** Measures a response again after an encoding was added to it. */
    grew(answer: CachedAnswer, key: string) {
      if (answers.peek(key) === answer) keep(key, answer);
    },

    size: () => ({ answers: answers.size, bytes: answers.calculatedSize, tags: keysOf.size, flights: flying }),
  };
}

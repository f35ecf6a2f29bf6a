import { LRUCache } from 'lru-cache';
import { type CachedResponse, cachedResponse, isSame, type Rendered } from './cached-response';

/** The tag of pages that would be wrong while the database is away, such as the status page. */
const LIVE_TAG = 'live';

export type PageCache = ReturnType<typeof createPageCache>;

/** Shared by all visitors, or rendered for one visitor only. */
export type Loaded = { shared: CachedResponse } | { own: Rendered };

type Pending = { startedAt: number; result: Promise<Loaded> };

/**
 * Responses for anonymous visitors, cached until a tag changes, for at most `ceiling` milliseconds and within `bytes`:
 * the least recently used one is evicted first. After half of its time a response is refreshed while it is still
 * served, so that no visitor waits. In memory only: a restart loses nothing that cannot be rendered again.
 */
export function createPageCache(options: { bytes: number; ceiling: number; now: () => number }) {
  const responses = new LRUCache<string, CachedResponse>({
    maxSize: options.bytes,
    sizeCalculation: ({ bytes }) => bytes,
    dispose: removeTags,
  });
  const keysOf = new Map<string, Set<string>>();
  const pending = new Map<string, Pending>();
  /** Counts changes. A rendering that began before a change may have read the old data. */
  let changes = 0;
  const changedAt = new Map<string, number>();
  let clearedAt = 0;
  let running = 0;

  function removeTags(response: CachedResponse, key: string) {
    for (const tag of response.tags) {
      const keys = keysOf.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(tag);
    }
  }

  /** The cached response if the new one equals it, because it already has its compressed encodings. */
  function latest(key: string, fresh: CachedResponse): CachedResponse {
    const cached = responses.peek(key);
    if (!cached || !isSame(cached, fresh)) return fresh;
    return Object.assign(cached, { staleAt: fresh.staleAt, expiresAt: fresh.expiresAt });
  }

  function add(key: string, response: CachedResponse) {
    // the cache measures a response only when it is added
    responses.delete(key);
    responses.set(key, response);
    // the response is larger than the whole cache
    if (!responses.has(key)) return;
    for (const tag of response.tags) {
      const keys = keysOf.get(tag) ?? new Set();
      keysOf.set(tag, keys.add(key));
    }
  }

  async function renderAndCache(key: string, startedAt: number, render: () => Promise<Rendered>): Promise<Loaded> {
    running += 1;
    try {
      const rendered = await render();
      if (rendered.status !== 200 || rendered.tags.length === 0) {
        // otherwise, an outage would show a page that is gone
        if (rendered.status < 500) responses.delete(key);
        return { own: rendered };
      }
      const response = latest(key, cachedResponse(rendered, options.now(), options.ceiling));
      const isStale = rendered.tags.some((tag) => Math.max(changedAt.get(tag) ?? 0, clearedAt) > startedAt);
      if (!isStale) add(key, response);
      return { shared: response };
    } finally {
      running -= 1;
      if (pending.get(key)?.startedAt === startedAt) pending.delete(key);
      if (running === 0) changedAt.clear();
    }
  }

  function startOver() {
    changes += 1;
    clearedAt = changes;
    pending.clear();
  }

  return {
    /** The cached response, if it has not expired. */
    find(key: string): CachedResponse | undefined {
      const response = responses.get(key);
      return response && response.expiresAt > options.now() ? response : undefined;
    },

    /** Also returns an expired response, for use while the database is away. */
    findExpired(key: string): CachedResponse | undefined {
      const response = responses.get(key);
      return response?.tags.includes(LIVE_TAG) ? undefined : response;
    },

    /** Whether a refresh is due and none is running. */
    needsRefresh: (key: string, response: CachedResponse) => response.staleAt <= options.now() && !pending.has(key),

    /** Renders once for concurrent requests, but a response for one visitor only is rendered for each request. */
    async load(key: string, render: () => Promise<Rendered>): Promise<Loaded> {
      const current = pending.get(key);
      if (current && current.startedAt === changes) {
        const loaded = await current.result;
        return 'shared' in loaded ? loaded : { own: await render() };
      }
      const startedAt = changes;
      const result = renderAndCache(key, startedAt, render);
      pending.set(key, { startedAt, result });
      return result;
    },

    /** Drops every response with `tag`; renderings of it that are running now are served but not cached. */
    invalidate(tag: string) {
      changes += 1;
      if (running > 0) changedAt.set(tag, changes);
      for (const key of [...(keysOf.get(tag) ?? [])]) responses.delete(key);
    },

    /** From now on, responses serve only while the database is away. */
    expire() {
      startOver();
      for (const response of responses.values()) response.expiresAt = 0;
    },

    clear() {
      startOver();
      responses.clear();
    },

    /** Measures a response again after an encoding was added to it. */
    measureAgain(response: CachedResponse, key: string) {
      if (responses.peek(key) === response) add(key, response);
    },

    size: () => ({ responses: responses.size, bytes: responses.calculatedSize, tags: keysOf.size, pending: running }),
  };
}

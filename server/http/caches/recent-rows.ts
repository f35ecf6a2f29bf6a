import { LRUCache } from 'lru-cache';
import { describeProblem } from '../../base/problems';

/** Rows that were read a moment ago: many requests need the same ones. */
export type RecentRows<Key, Row> = {
  /** Null if the row does not exist, which is not cached. */
  find(key: Key): Promise<Row | null>;
  /** Called after any change: reading a few rows again is cheaper than tracking which of them depend on it. */
  clear(): void;
  /** From now on, rows serve only while the database is away. */
  expire(): void;
};

/** In the cache's milliseconds, which count from the start of the process. */
const LONG_AGO = { ttl: 1, start: 1 };

export function recentRows<Key extends string | number, Row extends object | string>(
  read: (key: Key) => Promise<Row | null>,
  { max, ttl }: { max: number; ttl: number },
): RecentRows<Key, Row> {
  const found = new LRUCache<Key, Row>({ max, ttl, noDeleteOnStaleGet: true });
  let changes = 0;

  async function readNow(key: Key): Promise<Row | null> {
    const startedAt = changes;
    const row = await read(key);
    // a row that was read before a change must not outlive it, and an outage must not show one that is gone
    if (row === null) found.delete(key);
    else if (startedAt === changes) found.set(key, row);
    return row;
  }

  return {
    async find(key) {
      const cached = found.get(key);
      if (cached) return cached;
      return readNow(key).catch((error) => {
        // while the database is away, no change can have been missed
        const expired = found.get(key, { allowStale: true });
        if (expired && describeProblem(error).kind === 'unavailable') return expired;
        throw error;
      });
    },
    clear() {
      changes += 1;
      found.clear();
    },
    expire() {
      changes += 1;
      // a copy, because setting a row moves it to the front of those that are still to come
      for (const [key, row] of [...found.entries()]) found.set(key, row, LONG_AGO);
    },
  };
}

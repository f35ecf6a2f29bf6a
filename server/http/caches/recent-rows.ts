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

export function recentRows<Key extends string | number, Row extends object | string>(
  read: (key: Key) => Promise<Row | null>,
  { max, ttl }: { max: number; ttl: number },
): RecentRows<Key, Row> {
  const found = new LRUCache<Key, Row>({ max, ttl, noDeleteOnStaleGet: true });
  let changes = 0;
  return {
    async find(key) {
      const cached = found.get(key);
      if (cached) return cached;
      const startedAt = changes;
      const row = await read(key).catch((error) => {
        // while the database is away, no change can have been missed
        const expired = found.get(key, { allowStale: true });
        if (expired && describeProblem(error).kind === 'unavailable') return expired;
        throw error;
      });
      // a row that was read before a change must not outlive it, and an outage must not show one that is gone
      if (row === null) found.delete(key);
      else if (startedAt === changes) found.set(key, row);
      return row;
    },
    clear() {
      changes += 1;
      found.clear();
    },
    expire() {
      changes += 1;
      for (const [key, row] of found.entries()) found.set(key, row, { ttl: 1 });
    },
  };
}

import { LRUCache } from 'lru-cache';

/** The most recently read credentials, so that the requests of one client share one query. */
export function createCredentialCache<Credential extends object>(limits: { max: number; ttl: number }) {
  const kept = new LRUCache<string, Credential>(limits);
  let changes = 0;
  return {
    /** @param keep what the next readers get, if it differs from what the first one gets */
    async read(
      key: string,
      load: () => Promise<Credential | null>,
      keep: (loaded: Credential) => Credential = (loaded) => loaded,
    ): Promise<Credential | null> {
      const known = kept.get(key);
      if (known) return known;
      const startedAt = changes;
      const loaded = await load();
      // what was read before it ended must not be kept
      if (loaded && startedAt === changes) kept.set(key, keep(loaded));
      return loaded;
    },
    /** Forgets everything, because credentials end and change far less often than they are read. */
    clear() {
      changes += 1;
      kept.clear();
    },
  };
}

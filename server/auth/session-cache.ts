import { LRUCache } from 'lru-cache';
import { SESSION_LIMITS } from '../limits/accounts';

/** The most recently read sessions, so that the requests of one page or one client share one query. */
export function createSessionCache<Session extends { renewed: boolean }>() {
  const kept = new LRUCache<string, Session>({ max: SESSION_LIMITS.kept, ttl: SESSION_LIMITS.keptFor });
  let changes = 0;
  return {
    async read(token: string, load: () => Promise<Session | null>): Promise<Session | null> {
      const known = kept.get(token);
      if (known) return known;
      const startedAt = changes;
      const session = await load();
      // a session that was read before it ended must not be kept; only its first reader renews the cookie
      if (session && startedAt === changes) kept.set(token, { ...session, renewed: false });
      return session;
    },
    /** Forgets all sessions, because they end and change far less often than they are read. */
    clear() {
      changes += 1;
      kept.clear();
    },
  };
}

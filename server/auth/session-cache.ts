import { SESSION_LIMITS } from '../limits/accounts';
import { createCredentialCache } from './credential-cache';

/** The most recently read sessions, so that the requests of one page or one client share one query. */
export function createSessionCache<Session extends { renewed: boolean }>() {
  const { read, clear } = createCredentialCache<Session>({ max: SESSION_LIMITS.kept, ttl: SESSION_LIMITS.keptFor });
  return {
    /** Only the first reader of a session renews its cookie. */
    read: (token: string, load: () => Promise<Session | null>) =>
      read(token, load, (session) => ({ ...session, renewed: false })),
    clear,
  };
}

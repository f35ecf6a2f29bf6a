import { eq, lte, sql } from 'drizzle-orm';
import {
  type Adapter,
  type DatabaseSession,
  type DatabaseUser,
  generateIdFromEntropySize,
  Lucia,
  TimeSpan,
} from 'lucia';
import type { Database } from '~/db/client';
import { sessions, users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import type { Language } from '~/locales/languages';
import { SESSION_LIMITS } from '../limits/accounts';
import { earlier } from '../time';
import { createSessionCache } from './session-cache';
import { hashToken } from './token-hash';

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<Record<never, never>, Attributes>;
    UserId: number;
    DatabaseUserAttributes: Attributes;
    DatabaseSessionAttributes: SessionClient;
  }
}
type Attributes = { language: Language | null; creatorId: number | null };
/** Where a session was opened, for the user's list of sessions. `country`: of the IP address, if known. */
export type SessionClient = { channel: 'web' | 'rest'; userAgent: string; country: string | null };

export const SESSION_COOKIE = 'token';
const ENTROPY_BYTES = 25;

/** Lucia's storage in our tables. It stores only a hash of the token. */
function adapter(db: Database): Adapter {
  const toDatabaseSession = (row: typeof sessions.$inferSelect, token: string): DatabaseSession => ({
    id: token,
    userId: row.userId,
    expiresAt: row.expiresAt,
    attributes: { channel: row.channel, userAgent: row.userAgent ?? '', country: row.country },
  });
  /** Notes the use of a session, at most once an hour. */
  const touch = async ({ id, lastUsedAt }: typeof sessions.$inferSelect) => {
    const now = new Date();
    if (lastUsedAt > earlier(now, SESSION_LIMITS.touchedEvery)) return;
    await db.update(sessions).set({ lastUsedAt: now }).where(eq(sessions.id, id));
  };
  return {
    async getSessionAndUser(token): Promise<[DatabaseSession | null, DatabaseUser | null]> {
      const [row] = await db
        .select({ session: sessions, language: users.language, creatorId: creators.id })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .leftJoin(creators, eq(creators.userId, users.id))
        .where(eq(sessions.id, hashToken(token)));
      if (!row) return [null, null];
      await touch(row.session);
      const attributes = { language: row.language, creatorId: row.creatorId };
      return [toDatabaseSession(row.session, token), { id: row.session.userId, attributes }];
    },
    async getUserSessions() {
      // impossible: only hashes of tokens are stored
      return [];
    },
    async setSession(session) {
      const { id, userId, expiresAt, attributes } = session;
      const { channel, userAgent, country } = attributes;
      const shortened = userAgent.slice(0, SESSION_LIMITS.userAgentLength) || null;
      const values = { id: hashToken(id), userId, expiresAt, channel, userAgent: shortened, country };
      await db.insert(sessions).values(values);
    },
    async updateSessionExpiration(token, expiresAt) {
      await db
        .update(sessions)
        .set({ expiresAt })
        .where(eq(sessions.id, hashToken(token)));
    },
    async deleteSession(token) {
      await db.delete(sessions).where(eq(sessions.id, hashToken(token)));
    },
    async deleteUserSessions(userId) {
      await db.delete(sessions).where(eq(sessions.userId, userId));
    },
    async deleteExpiredSessions() {
      await db.delete(sessions).where(lte(sessions.expiresAt, new Date()));
    },
  };
}

/** The tag of the channel `changed` that announces ended and changed sessions. */
export const SESSIONS_TAG = 'sessions';

export type Sessions = ReturnType<typeof createSessions>;
export type ActiveSession = {
  userId: number;
  creatorId: number | null;
  /** Null until the user has chosen one. */
  language: Language | null;
  token: string;
  renewed: boolean;
};

/**
 * Sessions behind a few functions, so that Lucia can be replaced (decision 0010). Lucia creates session ids, sets
 * expiry times, extends a session in the second half of its life and deletes expired ones. We hash the token before
 * storing it, write the cookies (cookies.ts), read the REST header (rest/credentials.ts) and join the user's language
 * and creator. A session is kept in memory for five seconds (decision 0107).
 */
export function createSessions(db: Database) {
  const lucia = new Lucia(adapter(db), {
    sessionExpiresIn: new TimeSpan(SESSION_LIMITS.days, 'd'),
    getUserAttributes: (attributes) => attributes,
  });
  const kept = createSessionCache<ActiveSession>();
  /** After the change is committed: this process forgets at once, the others when Postgres notifies them. */
  const announce = async () => {
    kept.clear();
    await db.execute(sql`select pg_notify('changed', ${SESSIONS_TAG})`);
  };
  return {
    /** Starts a session. The token cannot be read again later. */
    async start(userId: number, client: SessionClient): Promise<{ token: string }> {
      const session = await lucia.createSession(userId, client, {
        sessionId: generateIdFromEntropySize(ENTROPY_BYTES),
      });
      return { token: session.id };
    },
    /** The session of a token; null if unknown or expired. `renewed`: its cookie needs a new expiry. */
    read: (token: string): Promise<ActiveSession | null> =>
      kept.read(token, async () => {
        const { session, user } = await lucia.validateSession(token);
        if (!session) return null;
        return { userId: user.id, creatorId: user.creatorId, language: user.language, token, renewed: session.fresh };
      }),
    async end(token: string): Promise<void> {
      await lucia.invalidateSession(token);
      await announce();
    },
    async endAll(userId: number): Promise<void> {
      await lucia.invalidateUserSessions(userId);
      await announce();
    },
    /** After the language or the creator of a user has changed. */
    refresh: announce,
    /** After a notification by another process. */
    forget: kept.clear,
    sweep: () => lucia.deleteExpiredSessions(),
  };
}

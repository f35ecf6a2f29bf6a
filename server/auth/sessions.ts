import { and, eq, isNull, lte, sql } from 'drizzle-orm';
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
import { members } from '~/db/schema/team';
import type { Language } from '~/locales/languages';
import { earlier } from '../base/time';
import { SESSION_LIMITS } from '../limits/accounts';
import { APP_LIMITS } from '../limits/apps';
import { DEVELOPER_LIMITS } from '../limits/developers';
import type { Role } from '../policy/roles';
import { type ActiveKey, selectKey } from './api-keys';
import { APP_PREFIX, isToken, KEY_PREFIX } from './api-tokens';
import { type ActiveAppToken, selectAppToken } from './app-tokens';
import { createCredentialCache } from './credential-cache';
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
type Attributes = { language: Language | null; country: string | null; own: number | null; works: Work };
/** The creator for whom a user works. */
type Work = { creatorId: number | null; role: Role };
/**
 * The client that opened a session, for the user's list of sessions. `country`: the country of the IP address, if
 * known.
 */
export type SessionClient = { channel: 'web' | 'rest'; userAgent: string; country: string | null };

export const SESSION_COOKIE = 'token';
const ENTROPY_BYTES = 25;

/**
 * The membership in which a session works: the chosen one, or for users without a page of their own, the first. Former
 * members have no row, so none of their sessions can choose it.
 */
const currentMembership = sql`(
  select m.id from ${members} m inner join ${creators} c on c.id = m.creator_id and c.closed_at is null
  where m.user_id = ${users.id} and (m.creator_id = ${sessions.worksFor} or ${creators.id} is null)
  order by m.creator_id = ${sessions.worksFor} desc nulls last, m.id limit 1)`;

/** Lucia's storage in our tables. It stores only a hash of the token. */
function luciaAdapter(db: Database): Adapter {
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
        .select({
          session: sessions,
          language: users.language,
          country: users.country,
          own: creators.id,
          member: members,
        })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .leftJoin(creators, eq(creators.userId, users.id))
        .leftJoin(members, eq(members.id, currentMembership))
        // a login in progress can create a session after its account was suspended
        .where(and(eq(sessions.id, hashToken(token)), isNull(users.suspendedAt)));
      if (!row) return [null, null];
      await touch(row.session);
      const works: Work = row.member ?? { creatorId: row.own, role: 'owner' };
      const attributes = { language: row.language, country: row.country, own: row.own, works };
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
  /** The user's own creator page. */
  ownCreatorId: number | null;
  /** The creator for whom the session works and the user's role there: the user's own page, or a team. */
  creatorId: number | null;
  role: Role;
  /** Null until the user has chosen one. */
  language: Language | null;
  /** The country of the account, ISO 3166-1 alpha-2. Null until the user has chosen one. */
  country: string | null;
  token: string;
  renewed: boolean;
};

/**
 * Sessions behind a few functions, so that Lucia can be replaced (decision 0010). Lucia creates session ids, sets
 * expiry times, extends a session in the second half of its life and deletes expired ones. We hash the token before
 * storing it, write the cookies (cookies.ts), read the REST header (rest/credentials.ts) and join the user's language
 * and creator. A session is kept in memory for five seconds (decision 0107), a key of the API or a token of an app for one.
 */
export function createSessions(db: Database) {
  const lucia = new Lucia(luciaAdapter(db), {
    sessionExpiresIn: new TimeSpan(SESSION_LIMITS.days, 'd'),
    getUserAttributes: (attributes) => attributes,
  });
  const kept = createSessionCache<ActiveSession>();
  const keys = createCredentialCache<ActiveKey>({ max: DEVELOPER_LIMITS.cached, ttl: DEVELOPER_LIMITS.cachedFor });
  const apps = createCredentialCache<ActiveAppToken>({ max: APP_LIMITS.cached, ttl: APP_LIMITS.cachedFor });
  const forget = () => {
    kept.clear();
    keys.clear();
    apps.clear();
  };
  /** Called after the change is committed: this process forgets at once, the others when Postgres notifies them. */
  const announce = async () => {
    forget();
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
        const { language, country, own: ownCreatorId, works } = user;
        const { creatorId, role } = works;
        return { userId: user.id, ownCreatorId, creatorId, role, language, country, token, renewed: session.fresh };
      }),
    /** A key of the API; null if it is malformed, unknown or revoked. Its expiry is for the caller to check. */
    readKey: (token: string): Promise<ActiveKey | null> =>
      keys.read(token, async () => (isToken(KEY_PREFIX, token) ? selectKey(db, hashToken(token)) : null)),
    /** The access token of an app, in the same way. */
    readAppToken: (token: string): Promise<ActiveAppToken | null> =>
      apps.read(token, async () => (isToken(APP_PREFIX, token) ? selectAppToken(db, hashToken(token)) : null)),
    async end(token: string): Promise<void> {
      await lucia.invalidateSession(token);
      await announce();
    },
    async endAll(userId: number): Promise<void> {
      await lucia.invalidateUserSessions(userId);
      await announce();
    },
    /** Chooses the creator for whom a session works. Every read of the session checks whether the user may. */
    async workFor(token: string, creatorId: number): Promise<void> {
      await db
        .update(sessions)
        .set({ worksFor: creatorId })
        .where(eq(sessions.id, hashToken(token)));
      await announce();
    },
    /** Call it after the language, the creator or a role of a user has changed, or a key of the API. */
    refresh: announce,
    /** Call it after a notification by another process. */
    forget,
    sweep: () => lucia.deleteExpiredSessions(),
  };
}

import { and, eq, isNull, lt, or } from 'drizzle-orm';
import type { Database } from '~/db/client';
import { users } from '~/db/schema/accounts';
import { oauthCodes, oauthGrants, oauthTokens } from '~/db/schema/apps';
import { creators } from '~/db/schema/creators';
import { members } from '~/db/schema/team';
import type { Scope } from '~/db/values/api-scopes';
import type { Audience } from '~/db/values/apps';
import type { Language } from '~/locales/languages';
import { earlier } from '../base/time';
import { APP_LIMITS } from '../limits/apps';
import type { Role } from '../policy/roles';

/** A token of an app that may be used, with the role that its person has now. `id`: of the connection. */
export type ActiveAppToken = {
  id: number;
  userId: number;
  creatorId: number;
  ownCreatorId: number | null;
  role: Role;
  scopes: Scope[];
  audience: Audience;
  language: Language | null;
  country: string | null;
  expiresAt: Date;
  lastUsedAt: Date | null;
};

/**
 * The access token with this hash; null if it is unknown or was ended, and if its person may no longer work for the
 * creator. Its expiry is for the caller to check.
 */
export async function selectAppToken(db: Database, tokenHash: string): Promise<ActiveAppToken | null> {
  const [row] = await db
    .select({ grant: oauthGrants, token: oauthTokens, ownerId: creators.userId, member: members.role, user: users })
    .from(oauthTokens)
    .innerJoin(oauthCodes, and(eq(oauthCodes.id, oauthTokens.codeId), isNull(oauthCodes.revokedAt)))
    .innerJoin(oauthGrants, and(eq(oauthGrants.id, oauthCodes.grantId), isNull(oauthGrants.revokedAt)))
    .innerJoin(creators, and(eq(creators.id, oauthGrants.creatorId), isNull(creators.closedAt)))
    .innerJoin(users, and(eq(users.id, oauthGrants.userId), isNull(users.suspendedAt)))
    .leftJoin(members, and(eq(members.creatorId, oauthGrants.creatorId), eq(members.userId, oauthGrants.userId)))
    .where(and(eq(oauthTokens.tokenHash, tokenHash), eq(oauthTokens.kind, 'access')));
  if (!row) return null;
  const { id, userId, creatorId, audience, lastUsedAt } = row.grant;
  const isOwner = row.ownerId === userId;
  const role = isOwner ? 'owner' : row.member;
  if (role === null) return null;
  // a later consent may have fewer
  const scopes = row.token.scopes.filter((scope) => row.grant.scopes.includes(scope));
  const { language, country } = row.user;
  const ownCreatorId = isOwner ? creatorId : null;
  const { expiresAt } = row.token;
  return { id, userId, creatorId, ownCreatorId, role, scopes, audience, language, country, expiresAt, lastUsedAt };
}

/** Notes that a connection is used, at most once a minute in all processes together. */
export async function noteAppUse(db: Database, id: number, at: Date): Promise<void> {
  const isDue = or(isNull(oauthGrants.lastUsedAt), lt(oauthGrants.lastUsedAt, earlier(at, APP_LIMITS.notedEvery)));
  await db
    .update(oauthGrants)
    .set({ lastUsedAt: at })
    .where(and(eq(oauthGrants.id, id), isDue));
}

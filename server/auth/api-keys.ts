import { and, eq, isNull, lt, or } from 'drizzle-orm';
import type { Database } from '~/db/client';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { apiKeys } from '~/db/schema/developers';
import { members } from '~/db/schema/team';
import type { Scope } from '~/db/values/api-scopes';
import type { Language } from '~/locales/languages';
import { earlier } from '../base/time';
import { DEVELOPER_LIMITS } from '../limits/developers';
import type { Role } from '../policy/roles';

/** A key that may be used, with the role that its creator has now. */
export type ActiveKey = {
  id: number;
  userId: number;
  creatorId: number;
  ownCreatorId: number | null;
  role: Role;
  scopes: Scope[];
  language: Language | null;
  country: string | null;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
};

/** The key with this hash; null for an unknown or revoked key, and for one whose creator has left the team. */
export async function selectKey(db: Database, tokenHash: string): Promise<ActiveKey | null> {
  const [row] = await db
    .select({ key: apiKeys, ownerId: creators.userId, member: members.role, user: users })
    .from(apiKeys)
    .innerJoin(creators, and(eq(creators.id, apiKeys.creatorId), isNull(creators.closedAt)))
    .innerJoin(users, and(eq(users.id, apiKeys.userId), isNull(users.suspendedAt)))
    .leftJoin(members, and(eq(members.creatorId, apiKeys.creatorId), eq(members.userId, apiKeys.userId)))
    .where(and(eq(apiKeys.tokenHash, tokenHash), isNull(apiKeys.revokedAt)));
  if (!row) return null;
  const { id, userId, creatorId, scopes, expiresAt, lastUsedAt } = row.key;
  const isOwner = row.ownerId === userId;
  const role = isOwner ? 'owner' : row.member;
  if (role === null) return null;
  const { language, country } = row.user;
  const ownCreatorId = isOwner ? creatorId : null;
  return { id, userId, creatorId, ownCreatorId, role, scopes, language, country, expiresAt, lastUsedAt };
}

/** Notes the use of a key, at most once a minute in all processes together. */
export async function noteKeyUse(db: Database, id: number, { at, network }: { at: Date; network: string }) {
  const isDue = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, earlier(at, DEVELOPER_LIMITS.notedEvery)));
  await db
    .update(apiKeys)
    .set({ lastUsedAt: at, lastUsedNetwork: network })
    .where(and(eq(apiKeys.id, id), isDue));
}

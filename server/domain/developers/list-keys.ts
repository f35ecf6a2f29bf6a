import { and, desc, eq, gt, isNull, or } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { apiKeys } from '~/db/schema/developers';
import { members } from '~/db/schema/team';
import { pick } from '../../base/fields';
import { earlier } from '../../base/time';
import { DEVELOPER_LIMITS } from '../../limits/developers';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import type { KeyState } from './kinds';
import { type ApiKeyRow, keyState } from './rules';

const SHOWN = [
  'id',
  'name',
  'lastFour',
  'scopes',
  'createdAt',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
  'lastUsedNetwork',
] as const satisfies (keyof ApiKeyRow)[];

export type KeyView = Pick<ApiKeyRow, (typeof SHOWN)[number]> & { state: KeyState; createdBy: string };

/** The creator's keys, the latest first; for some months also those that have ended. */
export async function listKeys(ctx: Ctx): Promise<KeyView[]> {
  const { id: creatorId } = authorize(ctx, 'creator.manageKeys', currentCreator(ctx));
  const now = ctx.now();
  const since = earlier(now, DEVELOPER_LIMITS.listedFor);
  const rows = await ctx.db
    .select({ key: apiKeys, name: users.name, ownerId: creators.userId, role: members.role })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .innerJoin(creators, eq(creators.id, apiKeys.creatorId))
    .leftJoin(members, and(eq(members.creatorId, apiKeys.creatorId), eq(members.userId, apiKeys.userId)))
    .where(
      and(
        eq(apiKeys.creatorId, creatorId),
        or(isNull(apiKeys.revokedAt), gt(apiKeys.revokedAt, since)),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, since)),
      ),
    )
    .orderBy(desc(apiKeys.id))
    .limit(DEVELOPER_LIMITS.listed);
  return rows.map(({ key, name, ownerId, role }) => ({
    ...pick(key, SHOWN),
    createdBy: name,
    state: keyState(key, key.userId === ownerId ? 'owner' : role, now),
  }));
}

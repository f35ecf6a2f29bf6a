import { and, asc, eq, gt, isNull, or } from 'drizzle-orm';
import { oauthClients, oauthGrants } from '~/db/schema/apps';
import { apiKeys } from '~/db/schema/developers';
import { WORKING_ACCESS_LIMITS } from '../../../limits/accounts';
import type { Ctx } from '../../../runtime/ctx';

/** The names of keys and apps that work for a person without the password, the oldest first; not all of very many. */
export async function listWorkingAccess({ db, now }: Pick<Ctx, 'db' | 'now'>, userId: number): Promise<string[]> {
  const isLive = and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now())));
  const { named } = WORKING_ACCESS_LIMITS;
  const [keys, apps] = [
    await db
      .select({ name: apiKeys.name })
      .from(apiKeys)
      .where(and(eq(apiKeys.userId, userId), isLive))
      .orderBy(asc(apiKeys.id))
      .limit(named),
    await db
      .select({ name: oauthClients.name })
      .from(oauthGrants)
      .innerJoin(oauthClients, eq(oauthClients.id, oauthGrants.appId))
      .where(and(eq(oauthGrants.userId, userId), isNull(oauthGrants.revokedAt)))
      .orderBy(asc(oauthGrants.id))
      .limit(named),
  ];
  return [...new Set([...keys, ...apps].map(({ name }) => name))];
}

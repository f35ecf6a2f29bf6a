import { and, eq, inArray, isNotNull, isNull, lt, notExists, or } from 'drizzle-orm';
import { oauthClients, oauthCodes, oauthGrants, oauthTokens } from '~/db/schema/apps';
import { creators } from '~/db/schema/creators';
import { earlier } from '../../base/time';
import { APP_LIMITS } from '../../limits/apps';
import type { Ctx } from '../../runtime/ctx';

/**
 * Deletes what nobody can use any more: expired tokens, consents without tokens, connections without consents, and
 * registrations without connections. Used refresh tokens stay until they expire, so that a stolen one is noticed.
 */
export async function sweepApps({ db, now }: Ctx): Promise<void> {
  const at = now();
  await db.delete(oauthTokens).where(lt(oauthTokens.expiresAt, at));
  const hasTokens = db.select().from(oauthTokens).where(eq(oauthTokens.codeId, oauthCodes.id));
  await db.delete(oauthCodes).where(and(lt(oauthCodes.expiresAt, at), notExists(hasTokens)));
  const hasCodes = db.select().from(oauthCodes).where(eq(oauthCodes.grantId, oauthGrants.id));
  await db.delete(oauthGrants).where(or(isNotNull(oauthGrants.revokedAt), notExists(hasCodes)));
  const hasGrants = db.select().from(oauthGrants).where(eq(oauthGrants.appId, oauthClients.id));
  const { usedAt, createdAt } = oauthClients;
  const isUnused = and(isNull(usedAt), lt(createdAt, earlier(at, APP_LIMITS.unused)));
  const isForgotten = and(lt(usedAt, earlier(at, APP_LIMITS.forgotten)), notExists(hasGrants));
  await db.delete(oauthClients).where(or(isUnused, isForgotten));
}

/** Disconnects all apps of a deleted account, and those of its creator page. Repeating it is harmless. */
export async function eraseConnections(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = ctx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  await ctx.db.delete(oauthGrants).where(or(eq(oauthGrants.userId, userId), inArray(oauthGrants.creatorId, own)));
  await ctx.sessions.announceEnded();
}

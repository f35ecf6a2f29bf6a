import { and, eq, isNull } from 'drizzle-orm';
import { oauthClients, oauthCodes, oauthGrants, oauthTokens } from '~/db/schema/apps';
import type { Ctx } from '../../runtime/ctx';

export type AppRow = typeof oauthClients.$inferSelect;

export async function lookupApp({ db }: Pick<Ctx, 'db'>, clientId: string): Promise<AppRow | null> {
  const [row] = await db.select().from(oauthClients).where(eq(oauthClients.clientId, clientId));
  return row ?? null;
}

/** A code with its connection and its app, even if it has expired or was used. */
export async function lookupCode({ db }: Pick<Ctx, 'db'>, codeHash: string) {
  const [row] = await db
    .select({ code: oauthCodes, grant: oauthGrants, clientId: oauthClients.clientId })
    .from(oauthCodes)
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthCodes.grantId))
    .innerJoin(oauthClients, eq(oauthClients.id, oauthGrants.appId))
    .where(eq(oauthCodes.codeHash, codeHash));
  return row ?? null;
}

/** A token with the consent that it comes from, even if it has expired. */
export async function lookupToken({ db }: Pick<Ctx, 'db'>, tokenHash: string) {
  const [row] = await db
    .select({ token: oauthTokens, code: oauthCodes, grant: oauthGrants, clientId: oauthClients.clientId })
    .from(oauthTokens)
    .innerJoin(oauthCodes, eq(oauthCodes.id, oauthTokens.codeId))
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthCodes.grantId))
    .innerJoin(oauthClients, eq(oauthClients.id, oauthGrants.appId))
    .where(eq(oauthTokens.tokenHash, tokenHash));
  return row ?? null;
}

/** Ends all tokens that came from one consent. Every process learns of it at once. */
export async function endFamily(ctx: Ctx, codeId: number): Promise<void> {
  await ctx.db
    .update(oauthCodes)
    .set({ revokedAt: ctx.now() })
    .where(and(eq(oauthCodes.id, codeId), isNull(oauthCodes.revokedAt)));
  await ctx.sessions.announceEnded();
}

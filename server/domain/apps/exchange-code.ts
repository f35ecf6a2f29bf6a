import { and, eq, gt, isNull } from 'drizzle-orm';
import { oauthCodes } from '~/db/schema/apps';
import { hashToken } from '../../auth/token-hash';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { invalidClient, invalidGrant, invalidTarget } from './errors';
import { endFamily, lookupApp, lookupCode } from './queries';
import { audienceOf, provesChallenge } from './rules';
import type { ExchangeCode } from './schema';
import { type IssuedTokens, issueTokens, randomTokens } from './tokens';

/**
 * Exchanges a code for tokens, once. A code that comes a second time was stolen, before or after: the tokens of the
 * first exchange end (RFC 9700 §2.1.1).
 * @throws app.invalid_grant, app.invalid_client, app.invalid_target
 */
export async function exchangeCode(ctx: Ctx, input: ExchangeCode): Promise<IssuedTokens> {
  const found = await lookupCode(ctx, hashToken(input.code));
  if (!found) return refuseUnknown(ctx, input.client_id);
  const { code, grant, clientId } = found;
  if (code.usedAt) return refuseFamily(ctx, code.id);
  const isForIt = clientId === input.client_id && code.redirectUri === input.redirect_uri;
  if (!isForIt || !provesChallenge(input.code_verifier, code.challenge)) throw invalidGrant();
  if (audienceOf(input.resource, ctx.urls.settings.appUrl) !== grant.audience && input.resource !== undefined)
    throw invalidTarget();
  await ctx.reach('app.code_read');
  const issued = await transact(ctx, async (tx) => {
    if (grant.revokedAt || !(await useCode(tx, code.id))) return null;
    const { scopes } = code;
    return issueTokens(tx, { ...randomTokens(), codeId: code.id, scopes, refreshScopes: scopes, at: tx.now() });
  });
  return issued ?? refuseCode(ctx, code.id);
}

async function useCode(tx: TxCtx, id: number): Promise<boolean> {
  const { usedAt, revokedAt, expiresAt } = oauthCodes;
  const isFresh = and(eq(oauthCodes.id, id), isNull(usedAt), isNull(revokedAt), gt(expiresAt, tx.now()));
  const used = await tx.db.update(oauthCodes).set({ usedAt: tx.now() }).where(isFresh).returning({ id: oauthCodes.id });
  return used.length > 0;
}

/** The code has expired, or another exchange used it meanwhile. */
async function refuseCode(ctx: Ctx, id: number): Promise<never> {
  const [row] = await ctx.db.select({ usedAt: oauthCodes.usedAt }).from(oauthCodes).where(eq(oauthCodes.id, id));
  if (row?.usedAt) return refuseFamily(ctx, id);
  throw invalidGrant();
}

/** An app whose registration was deleted learns that it needs a new one. */
export async function refuseUnknown(ctx: Ctx, clientId: string): Promise<never> {
  throw (await lookupApp(ctx, clientId)) ? invalidGrant() : invalidClient();
}

/** Ends the tokens of a consent, one of whose secrets came again. */
export async function refuseFamily(ctx: Ctx, codeId: number): Promise<never> {
  await endFamily(ctx, codeId);
  ctx.log.warn({ codeId }, 'used OAuth secret came again: its tokens end');
  throw invalidGrant();
}

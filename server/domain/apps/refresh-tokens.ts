import { and, eq, gt, isNull } from 'drizzle-orm';
import { oauthTokens } from '~/db/schema/apps';
import { hashToken } from '../../auth/token-hash';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { invalidGrant, invalidScope, invalidTarget } from './errors';
import { refuseFamily, refuseUnknown } from './exchange-code';
import { lookupToken } from './queries';
import { audienceOf, isJustReplaced, narrowedScopes } from './rules';
import type { RefreshTokens } from './schema';
import { type IssuedTokens, issueTokens, successorsOf } from './tokens';

/**
 * Exchanges a refresh token for new tokens. For some seconds, it gets the same ones again, because apps send two requests
 * at once, and lose answers. If it comes later, one of two holders is a thief, so all tokens of its consent end (RFC 9700
 * §4.14.2). The new access token may have fewer scopes, and never more.
 * @throws app.invalid_grant, app.invalid_client, app.invalid_scope, app.invalid_target
 */
export async function refreshTokens(ctx: Ctx, input: RefreshTokens): Promise<IssuedTokens> {
  const found = await lookupToken(ctx, hashToken(input.refresh_token));
  if (!found) return refuseUnknown(ctx, input.client_id);
  if (found.token.kind !== 'refresh' || found.clientId !== input.client_id) throw invalidGrant();
  const { token, code, grant } = found;
  if (token.usedAt && !isJustReplaced(token.usedAt, ctx.now())) return refuseFamily(ctx, code.id);
  const scopes = narrowedScopes(input.scope, token.scopes);
  if (!scopes) throw invalidScope();
  if (input.resource !== undefined && audienceOf(input.resource, ctx.urls.settings.appUrl) !== grant.audience)
    throw invalidTarget();
  await ctx.reach('app.refresh_read');
  const issued = await transact(ctx, async (tx) => {
    if (grant.revokedAt || code.revokedAt) return null;
    const at = await useRefreshToken(tx, token.id);
    const pair = successorsOf(tx, input.refresh_token, scopes);
    return at && issueTokens(tx, { ...pair, codeId: code.id, scopes, refreshScopes: token.scopes, at });
  });
  return issued ?? refuseRefresh(ctx, token.id, code.id);
}

/** @returns when it was first used; null if it has expired, or was used too long ago */
async function useRefreshToken(tx: TxCtx, id: number): Promise<Date | null> {
  const now = tx.now();
  const { usedAt, expiresAt } = oauthTokens;
  const isFresh = and(eq(oauthTokens.id, id), isNull(usedAt), gt(expiresAt, now));
  const used = await tx.db.update(oauthTokens).set({ usedAt: now }).where(isFresh).returning({ id: oauthTokens.id });
  if (used.length > 0) return now;
  const first = await usedAtOf(tx, id);
  return first && isJustReplaced(first, now) ? first : null;
}

async function refuseRefresh(ctx: Ctx, id: number, codeId: number): Promise<never> {
  const usedAt = await usedAtOf(ctx, id);
  if (usedAt && !isJustReplaced(usedAt, ctx.now())) return refuseFamily(ctx, codeId);
  throw invalidGrant();
}

async function usedAtOf({ db }: Pick<Ctx, 'db'>, id: number): Promise<Date | null> {
  const [row] = await db.select({ usedAt: oauthTokens.usedAt }).from(oauthTokens).where(eq(oauthTokens.id, id));
  return row?.usedAt ?? null;
}

import { oauthTokens } from '~/db/schema/apps';
import type { Scope } from '~/db/values/api-scopes';
import { APP_PREFIX, createToken, REFRESH_PREFIX } from '../../auth/api-tokens';
import { hashToken } from '../../auth/token-hash';
import { later, wholeSeconds } from '../../base/time';
import { APP_LIMITS } from '../../limits/apps';
import type { Ctx, TxCtx } from '../../runtime/ctx';

/** The answer to an app: seconds until the access token expires, and the scopes that it has. */
export type IssuedTokens = { accessToken: string; refreshToken: string; expiresIn: number; scopes: Scope[] };

type TokenPair = Pick<IssuedTokens, 'accessToken' | 'refreshToken'>;
/** `at`: when they begin to count. */
type Issued = TokenPair & { codeId: number; scopes: Scope[]; refreshScopes: Scope[]; at: Date };

export const randomTokens = (): TokenPair => ({
  accessToken: createToken(APP_PREFIX),
  refreshToken: createToken(REFRESH_PREFIX),
});

/**
 * The tokens for which a refresh token is exchanged, always the same ones: requests at the same time get one successor,
 * so a thief has none of his own. Only our secret leads from one token to the next.
 */
export function successorsOf({ vault }: Pick<Ctx, 'vault'>, refreshToken: string, scopes: Scope[]): TokenPair {
  const bytesOf = (text: string) => Buffer.from(vault.fingerprint(text, 'oauth tokens'), 'base64url');
  return {
    accessToken: createToken(APP_PREFIX, bytesOf(`access ${scopes.join(' ')}\n${refreshToken}`)),
    refreshToken: createToken(REFRESH_PREFIX, bytesOf(`refresh\n${refreshToken}`)),
  };
}

/** Stores an access token and the refresh token of the same consent. Repeating it changes nothing. */
export async function issueTokens(tx: TxCtx, issued: Issued): Promise<IssuedTokens> {
  const { codeId, accessToken, refreshToken, scopes, refreshScopes, at: createdAt } = issued;
  const expiresAt = later(createdAt, APP_LIMITS.access);
  const shared = { codeId, createdAt };
  const access = { ...shared, kind: 'access' as const, tokenHash: hashToken(accessToken), scopes, expiresAt };
  const refresh = { ...shared, kind: 'refresh' as const, tokenHash: hashToken(refreshToken), scopes: refreshScopes };
  await tx.db
    .insert(oauthTokens)
    .values([access, { ...refresh, expiresAt: later(createdAt, APP_LIMITS.refresh) }])
    .onConflictDoNothing();
  return { accessToken, refreshToken, expiresIn: wholeSeconds(expiresAt.getTime() - tx.now().getTime()), scopes };
}

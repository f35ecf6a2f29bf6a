import { hashToken } from '../../auth/token-hash';
import type { Ctx } from '../../runtime/ctx';
import { endFamily, lookupToken } from './queries';
import type { RevokeToken } from './schema';

/**
 * An app gives back a token of its own, access or refresh: all tokens of that consent end. An unknown token is no error
 * (RFC 7009 §2.2), and one of another app stays.
 */
export async function revokeToken(ctx: Ctx, { token, client_id: clientId }: RevokeToken): Promise<void> {
  const found = await lookupToken(ctx, hashToken(token));
  if (found?.clientId === clientId) await endFamily(ctx, found.code.id);
}

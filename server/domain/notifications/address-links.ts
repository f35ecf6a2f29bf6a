import { sql } from 'drizzle-orm';
import { earlier } from '../../base/time';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { readSignedToken, signToken } from './signed-tokens';

/**
 * The content of a link with which the owner of an address confirms a request that another person may have made with
 * it: nothing is done before. `id` is the subject of the request. It needs no row, and each purpose has separate links.
 */
export type AddressClaim = { email: string; id: number; issuedAt: Date };

export function addressToken(ctx: Pick<Ctx, 'vault'>, { email, id, issuedAt }: AddressClaim, purpose: string): string {
  return signToken(ctx, `${id} ${issuedAt.getTime()} ${email}`, purpose);
}

/** Null for a token that was not signed for this purpose, or that has expired. */
export function readAddressToken(
  ctx: Pick<Ctx, 'vault' | 'now'>,
  token: string,
  { purpose, lifetime }: { purpose: string; lifetime: number },
): AddressClaim | null {
  const text = readSignedToken(ctx, token, purpose) ?? '';
  const [, id, issued, email] = /^([1-9]\d{0,14}) (\d{1,15}) (\S+)$/.exec(text) ?? [];
  const issuedAt = new Date(Number(issued));
  if (email === undefined || issuedAt < earlier(ctx.now(), lifetime)) return null;
  return { email, id: Number(id), issuedAt };
}

/** Serializes requests with one address, so that its emails are counted one after the other. */
export async function lockAddress(tx: TxCtx, email: string): Promise<void> {
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${email}, 0))`);
}

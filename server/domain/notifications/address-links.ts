import { sql } from 'drizzle-orm';
import { earlier } from '../../base/time';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { readSignedToken, signToken } from './signed-tokens';

/**
 * What a link states with which the owner of an address confirms a wish of somebody who typed the address: nothing is
 * done before. `id` is what the wish is about. No row is needed, and each purpose has links of its own.
 */
export type AddressClaim = { email: string; id: number; issuedAt: Date };

export function addressToken(ctx: Pick<Ctx, 'vault'>, { email, id, issuedAt }: AddressClaim, purpose: string): string {
  return signToken(ctx, `${id} ${issuedAt.getTime()} ${email}`, purpose);
}

/** Null for a token that we have not signed for this purpose, or longer ago than its lifetime. */
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

/** Concurrent requests with one address wait for each other, so that its emails are counted one after the other. */
export async function lockAddress(tx: TxCtx, email: string): Promise<void> {
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${email}, 0))`);
}

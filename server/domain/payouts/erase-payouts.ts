import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { payouts } from '~/db/schema/payouts';
import type { Ctx, TxCtx } from '../../runtime/ctx';

const NOTHING = { destination: '', holder: '' };

/**
 * Call it when an owner's account is deleted: the bank no longer needs the payout addresses of ended payouts. A running
 * payout keeps its address, and invoices and credit notes stay, as the law requires. Repeating it is harmless.
 */
export async function erasePayouts({ db, now }: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  const hasEnded = inArray(payouts.status, ['paid', 'reversed']);
  await db
    .update(payouts)
    .set({ ...NOTHING, updatedAt: now() })
    .where(and(inArray(payouts.creatorId, own), hasEnded));
}

/** Call it when a payout ends whose owner's account was deleted meanwhile. */
export async function forgetAddress(
  { db, now }: TxCtx,
  { id, creatorId }: { id: number; creatorId: number },
): Promise<void> {
  const deleted = db
    .select({ id: creators.id })
    .from(creators)
    .innerJoin(users, eq(users.id, creators.userId))
    .where(and(eq(creators.id, creatorId), isNotNull(users.deletedAt)));
  await db
    .update(payouts)
    .set({ ...NOTHING, updatedAt: now() })
    .where(and(eq(payouts.id, id), inArray(payouts.creatorId, deleted)));
}

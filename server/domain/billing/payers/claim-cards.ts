import { and, desc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { checkouts, paymentCustomers } from '~/db/schema/checkouts';
import { MANAGING_LIMITS } from '../../../limits/billing';
import type { Ctx } from '../../../runtime/ctx';
import { findUser } from '../../accounts/base/queries';
import { syncCards } from '../provider-sync/cards';

/**
 * Gives an account the cards that its owner has saved as a guest, with the account's address. It does nothing until the
 * address is verified: another person may have signed up with it. Repeating it is harmless.
 */
export async function claimCards(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const { email, emailVerifiedAt, deletedAt } = await findUser(ctx, userId);
  if (!emailVerifiedAt || deletedAt) return;
  // a purchase belongs to the account already, a donation to its address
  const isOwn = or(eq(checkouts.userId, userId), and(isNull(checkouts.userId), eq(checkouts.email, email)));
  const savesCard = sql`(${checkouts.terms} ->> 'savesCard')::boolean`;
  const saved = ctx.db
    .select({ id: checkouts.customerId })
    .from(checkouts)
    .where(and(isOwn, isNotNull(checkouts.email), eq(checkouts.status, 'settled'), savesCard))
    .orderBy(desc(checkouts.createdAt))
    .limit(MANAGING_LIMITS.listed);
  const isFree = or(isNull(paymentCustomers.userId), eq(paymentCustomers.userId, userId));
  const customers = await ctx.db
    .update(paymentCustomers)
    .set({ userId, updatedAt: ctx.now() })
    .where(and(inArray(paymentCustomers.providerId, saved), isFree))
    .returning({ id: paymentCustomers.providerId });
  for (const { id } of customers) await syncCards(ctx, id);
}

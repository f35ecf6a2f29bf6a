import { and, eq, inArray, isNotNull, or } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { creators } from '~/db/schema/creators';
import { donationSettings, donations } from '~/db/schema/donations';
import { type Ctx, transact } from '../../runtime/ctx';
import { queueEnds } from '../billing/subscriptions/end-subscriptions';

/**
 * Call it when an account is deleted: its monthly donations end, and so do the donations to its creator page. Past
 * donations stay as financial records, without name, address and message. Repeating it is harmless.
 */
export async function eraseDonations(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const { db } = ctx;
  const own = db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  const isInvolved = or(eq(donations.userId, userId), inArray(donations.creatorId, own));
  const monthly = db.select({ id: donations.subscriptionId }).from(donations).where(isInvolved);
  await transact(ctx, (tx) =>
    queueEnds(tx, inArray(subscriptions.id, monthly), { reason: 'account_deleted', when: 'now' }),
  );
  const address = db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.emailVerifiedAt)));
  await db
    .update(donations)
    .set({ name: '', email: '', message: '', updatedAt: ctx.now() })
    .where(or(eq(donations.userId, userId), inArray(donations.email, address)));
  await db.delete(donationSettings).where(inArray(donationSettings.creatorId, own));
}

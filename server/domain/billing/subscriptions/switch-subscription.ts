import { and, eq } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { paymentCustomers } from '~/db/schema/checkouts';
import type { Subscription } from '../../../adapters/payments/objects';
import type { Ctx, TxCtx } from '../../../runtime/ctx';
import { onAccount } from '../../payouts/seller-status';
import { createCustomer } from '../base/customers';
import { lookupCheckout, lookupSubscription } from '../base/queries';
import type { SubscriptionRow } from '../base/rules';
import { repeatEnds } from './end-subscriptions';
import { applyAccess } from './subscriptions';

type Customer = { userId: number; account: string };

/** The person's customer on a creator's own account, created with the first subscription that moves. */
export async function customerOnAccount(ctx: Ctx, { userId, account }: Customer): Promise<string> {
  const known = await lookupCustomer(ctx, { userId, account });
  if (known) return known;
  const id = await createCustomer(onAccount(ctx, account), { userId, scope: 'main' });
  const times = { createdAt: ctx.now(), updatedAt: ctx.now() };
  await ctx.db
    .insert(paymentCustomers)
    .values({ providerId: id, userId, account, isMain: true, ...times })
    .onConflictDoNothing();
  return (await lookupCustomer(ctx, { userId, account })) ?? id;
}

async function lookupCustomer({ db }: Pick<Ctx, 'db'>, { userId, account }: Customer): Promise<string | null> {
  const { providerId, isMain } = paymentCustomers;
  const isOwn = and(eq(paymentCustomers.userId, userId), eq(paymentCustomers.account, account), eq(isMain, true));
  const [row] = await db.select({ id: providerId }).from(paymentCustomers).where(isOwn);
  return row?.id ?? null;
}

type Switch = { fromId: string; to: Subscription; account: string };

/**
 * Makes the subscription on the creator's own account the current one; the former one only ends with its period. Access
 * continues without interruption. Repeating it changes nothing. @returns null if it was switched before
 */
export async function switchSubscription(tx: TxCtx, { fromId, to, account }: Switch): Promise<SubscriptionRow | null> {
  const { id: providerId, customer: customerId, card: cardId, status, latestInvoice } = to;
  const { periodStart, periodEnd, trialEnd } = to;
  const [row] = await tx.db
    .update(subscriptions)
    .set({
      ...{ providerId, customerId, cardId, account, status, latestInvoice, periodStart, periodEnd, trialEnd },
      ...{ endsAt: null, syncedAt: tx.now(), updatedAt: tx.now() },
    })
    .where(eq(subscriptions.providerId, fromId))
    .returning();
  if (!row) return null;
  await applyAccess(tx, row);
  // an end that was decided during the move was reported only for the former subscription
  await repeatEnds(tx, eq(subscriptions.id, row.id), 1);
  return row;
}

/** The subscription and its checkout, which its replacement needs; null unless both exist. */
export async function findMovable(ctx: Pick<Ctx, 'db'>, providerId: string) {
  const row = await lookupSubscription(ctx, providerId);
  const checkout = row?.checkoutId ? await lookupCheckout(ctx, row.checkoutId) : null;
  return row && checkout && { row, checkout };
}

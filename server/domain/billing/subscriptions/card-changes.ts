import { and, eq, ne } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { paymentCards } from '~/db/schema/checkouts';
import { applyCard } from '../../../queue/jobs/billing';
import type { TxCtx } from '../../../runtime/ctx';
import { queueEnds } from './end-subscriptions';

/**
 * Reacts when a customer's cards change, here or at the provider (decisions, 'Card deleted'). Without any card,
 * subscriptions end with their period and monthly donations end now; with a new card, subscriptions that ended for this
 * reason continue. If another card is left, it takes over the charges of the removed card.
 */
export async function reactToCards(tx: TxCtx, change: { customer: string; added: string[]; removed: string[] }) {
  const { customer, added, removed } = change;
  const left = await tx.db.$count(paymentCards, eq(paymentCards.customerId, customer));
  if (left > 0 && (added.length > 0 || removed.length > 0)) await tx.jobs.enqueue(applyCard, { customer });
  if (left === 0 && removed.length > 0) await endWithoutCard(tx, customer);
}

/** Subscriptions with a price of 0 need no card. */
async function endWithoutCard(tx: TxCtx, customer: string): Promise<void> {
  const charged = and(eq(subscriptions.customerId, customer), ne(subscriptions.priceMinor, 0));
  const isDonation = eq(subscriptions.purpose, 'donation');
  await queueEnds(tx, and(charged, ne(subscriptions.purpose, 'donation')), {
    reason: 'card_removed',
    when: 'at_period_end',
  });
  await queueEnds(tx, and(charged, isDonation), { reason: 'card_removed', when: 'now' });
}

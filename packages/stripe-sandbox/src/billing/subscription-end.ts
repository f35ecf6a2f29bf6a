import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { idOf } from '../wire/objects';

export type EndReason = 'cancellation_requested' | 'payment_failed';

/** Ends a subscription. Its open and draft invoices stay, but are no longer collected. */
export async function endSubscription(work: Work, subscription: Stripe.Subscription, reason: EndReason): Promise<void> {
  await stopCollecting(work, subscription);
  closeSubscription(work, subscription, reason);
}

export async function stopCollecting(work: Work, subscription: Stripe.Subscription): Promise<void> {
  const latest = subscription.latest_invoice ? await work.get('invoice', idOf(subscription.latest_invoice)) : null;
  if (latest?.status !== 'open' && latest?.status !== 'draft') return;
  latest.auto_advance = false;
  latest.next_payment_attempt = null;
  latest.automatically_finalizes_at = null;
  work.emitUpdate(latest);
}

export function closeSubscription(work: Work, subscription: Stripe.Subscription, reason: EndReason): void {
  const now = work.now();
  subscription.status = 'canceled';
  subscription.canceled_at ??= now;
  subscription.ended_at = now;
  subscription.pause_collection = null;
  const none = { comment: null, feedback: null, feedback_option: null };
  subscription.cancellation_details = { ...none, ...subscription.cancellation_details, reason };
  work.hidden(subscription).pending = [];
  work.emit('customer.subscription.deleted', subscription);
}

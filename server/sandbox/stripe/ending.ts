import type Stripe from 'stripe';
import { idOf } from './kinds';
import type { Work } from './work';

/** The end of a subscription. Its open and draft invoices are left, and tried no more. */
export async function endSubscription(
  work: Work,
  subscription: Stripe.Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
): Promise<void> {
  const now = work.now();
  subscription.status = 'canceled';
  subscription.canceled_at ??= now;
  subscription.ended_at = now;
  subscription.pause_collection = null;
  subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason };
  work.hidden(subscription).pending = [];
  const latest = subscription.latest_invoice ? await work.get('invoice', idOf(subscription.latest_invoice)) : null;
  if (latest && (latest.status === 'open' || latest.status === 'draft')) {
    latest.auto_advance = false;
    latest.next_payment_attempt = null;
    latest.automatically_finalizes_at = null;
    work.changed(latest);
  }
  work.emit('customer.subscription.deleted', subscription);
}

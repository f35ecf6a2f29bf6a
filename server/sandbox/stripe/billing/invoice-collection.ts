import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { DAY } from '../engine/time';
import { attemptIntent, cancelIntent, type Outcome } from '../money/payment-intents';
import { refused } from '../wire/faults';
import { idOf, subscriptionOf } from '../wire/objects';
import { dunningOf } from './dunning';
import { markPaid } from './invoice-lifecycle';
import { intentOf, payOff } from './invoice-payments';
import { endSubscription } from './subscription-end';

export type Collecting = {
  offSession: boolean;
  method?: string | null;
  returnUrl?: string | null;
  authenticated?: boolean;
};

/** The card that pays an invoice: the one said, the subscription's own, or the customer's. */
export async function methodFor(
  work: Work,
  invoice: Stripe.Invoice,
  said?: string | null,
): Promise<Stripe.PaymentMethod | null> {
  const subscription = await subscriptionFor(work, invoice);
  const customer = await work.find('customer', idOf(invoice.customer) ?? '');
  const id =
    said ?? idOf(subscription?.default_payment_method) ?? idOf(customer.invoice_settings.default_payment_method);
  return id ? work.find('payment_method', id, 'payment_method') : null;
}

async function subscriptionFor(work: Work, invoice: Stripe.Invoice): Promise<Stripe.Subscription | null> {
  const id = subscriptionOf(invoice);
  return id === null ? null : work.get('subscription', id);
}

/** One attempt at an open invoice, and what follows from it. */
export async function collect(work: Work, invoice: Stripe.Invoice, how: Collecting): Promise<Outcome> {
  const intent = await intentOf(work, invoice);
  if (!intent) throw refused('This invoice has nothing to pay.', { code: 'invoice_not_editable' });
  const method = await methodFor(work, invoice, how.method);
  if (how.authenticated) work.hidden(intent).authenticated = true;
  const missing = { code: 'invoice_payment_intent_requires_action', declineCode: 'missing' };
  const { decline } = method ? await attemptIntent(work, intent, method, how) : { decline: missing };
  await concludeInvoice(work, invoice, intent);
  return { decline };
}

/** Brings an invoice and its subscription to where the payment stands. */
export async function concludeInvoice(
  work: Work,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
): Promise<void> {
  invoice.attempted = true;
  const subscription = await subscriptionFor(work, invoice);
  if (intent.status === 'succeeded') {
    invoice.attempt_count += 1;
    await payOff(work, invoice);
    markPaid(work, invoice);
    if (subscription) await revive(work, subscription, invoice, intent);
    return;
  }
  if (intent.status === 'requires_action') work.emit('invoice.payment_action_required', invoice);
  invoice.attempt_count += 1;
  await planNextAttempt(work, invoice, subscription);
  work.emit('invoice.payment_failed', invoice);
  if (subscription) await letDown(work, subscription, invoice);
}

/** A subscription whose latest invoice is paid is active (again). */
async function revive(
  work: Work,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
): Promise<void> {
  if (idOf(subscription.latest_invoice) !== invoice.id) return;
  if (
    subscription.status === 'incomplete' &&
    !subscription.default_payment_method &&
    subscription.payment_settings?.save_default_payment_method === 'on_subscription'
  )
    subscription.default_payment_method = idOf(intent.payment_method);
  if (['incomplete', 'past_due', 'unpaid'].includes(subscription.status)) subscription.status = 'active';
  work.changed(subscription);
}

const isFirst = (invoice: Stripe.Invoice) => invoice.billing_reason === 'subscription_create';

/** Renewals are tried again on fixed days (Stripe's own choose theirs by experience); first payments are not. */
async function planNextAttempt(
  work: Work,
  invoice: Stripe.Invoice,
  subscription: Stripe.Subscription | null,
): Promise<void> {
  const first = invoice.status_transitions.finalized_at ?? work.now();
  const { days } = await dunningOf(work);
  const day = days[invoice.attempt_count - 1];
  const goesOn = subscription !== null && !isFirst(invoice) && !['canceled', 'unpaid'].includes(subscription.status);
  invoice.next_payment_attempt = goesOn && day !== undefined ? Math.max(first + day * DAY, work.now() + 1) : null;
}

async function letDown(work: Work, subscription: Stripe.Subscription, invoice: Stripe.Invoice): Promise<void> {
  if (isFirst(invoice) || !['active', 'trialing', 'past_due'].includes(subscription.status)) return;
  subscription.status = 'past_due';
  work.changed(subscription);
  if (invoice.next_payment_attempt !== null) return;
  const { finally: end } = await dunningOf(work);
  if (end === 'unpaid') {
    subscription.status = 'unpaid';
    work.changed(subscription);
  } else if (end === 'cancel') await endSubscription(work, subscription, 'payment_failed');
}

export async function dropPayment(work: Work, invoice: Stripe.Invoice): Promise<void> {
  const intent = await intentOf(work, invoice);
  if (intent && !['succeeded', 'canceled'].includes(intent.status)) cancelIntent(work, intent, 'void_invoice');
}

import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { DAY } from '../engine/time';
import { attemptIntent, type Outcome } from '../money/payment-attempts';
import { cancelIntent } from '../money/payment-intents';
import { invalidRequest } from '../wire/faults';
import { idOf, subscriptionOf } from '../wire/objects';
import { readDunning } from './dunning';
import { markInvoicePaid } from './invoice-lifecycle';
import { markPaid, markPaymentPaid, newInvoicePayment, paymentIntentOf } from './invoice-payments';
import { endSubscription } from './subscription-end';

export type CollectOptions = {
  offSession: boolean;
  method?: string | null;
  returnUrl?: string | null;
  authenticated?: boolean;
};

/** The card that pays an invoice: the requested one, the subscription's, or the customer's default. */
export async function paymentMethodFor(
  work: Work,
  invoice: Stripe.Invoice,
  requested?: string | null,
): Promise<Stripe.PaymentMethod | null> {
  const subscription = await subscriptionFor(work, invoice);
  const customer = await work.find('customer', idOf(invoice.customer) ?? '');
  const id =
    requested ?? idOf(subscription?.default_payment_method) ?? idOf(customer.invoice_settings.default_payment_method);
  return id ? work.find('payment_method', id, 'payment_method') : null;
}

async function subscriptionFor(work: Work, invoice: Stripe.Invoice): Promise<Stripe.Subscription | null> {
  const id = subscriptionOf(invoice);
  return id === null ? null : work.get('subscription', id);
}

/** Makes one attempt to collect an open invoice, and applies its result. */
export async function collectInvoice(work: Work, invoice: Stripe.Invoice, options: CollectOptions): Promise<Outcome> {
  const intent = await paymentIntentOf(work, invoice);
  if (!intent) throw invalidRequest('This invoice has nothing to pay.', { code: 'invoice_not_editable' });
  const method = await paymentMethodFor(work, invoice, options.method);
  if (options.authenticated) work.hidden(intent).authenticated = true;
  const missing = { code: 'invoice_payment_intent_requires_action', declineCode: 'missing' };
  const { decline } = method ? await attemptIntent(work, intent, method, options) : { decline: missing };
  await applyPaymentResult(work, invoice, intent);
  return { decline };
}

/**
 * A scheduled attempt. A bank that asked for authentication is not asked again for the same card: the attempt only counts
 * ("Automate payment retries", hard decline codes).
 */
export async function retryInvoice(work: Work, invoice: Stripe.Invoice): Promise<void> {
  const intent = await paymentIntentOf(work, invoice);
  const method = await paymentMethodFor(work, invoice);
  const isWaiting = intent?.status === 'requires_action' && idOf(intent.payment_method) === method?.id;
  if (!isWaiting) return void (await collectInvoice(work, invoice, { offSession: true }));
  const subscription = await subscriptionFor(work, invoice);
  invoice.attempt_count += 1;
  await scheduleNextAttempt(work, invoice, subscription);
  if (subscription) await markPastDue(work, subscription, invoice);
}

/** Updates an invoice and its subscription after a payment attempt. */
export async function applyPaymentResult(
  work: Work,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
): Promise<void> {
  invoice.attempted = true;
  const subscription = await subscriptionFor(work, invoice);
  if (intent.status === 'succeeded') {
    invoice.attempt_count += 1;
    await markPaymentPaid(work, invoice);
    markInvoicePaid(work, invoice);
    if (subscription) await reactivate(work, subscription, invoice, intent);
    return;
  }
  if (intent.status === 'requires_action') work.emit('invoice.payment_action_required', invoice);
  invoice.attempt_count += 1;
  await scheduleNextAttempt(work, invoice, subscription);
  work.emit('invoice.payment_failed', invoice);
  if (subscription) await markPastDue(work, subscription, invoice);
}

/** A subscription becomes active when its latest invoice is paid. */
async function reactivate(
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
  work.emitUpdate(subscription);
}

const isFirst = (invoice: Stripe.Invoice) => invoice.billing_reason === 'subscription_create';

/** Renewals are retried on fixed days (Stripe's smart retries pick their own); first payments are not retried. */
async function scheduleNextAttempt(
  work: Work,
  invoice: Stripe.Invoice,
  subscription: Stripe.Subscription | null,
): Promise<void> {
  const first = invoice.status_transitions.finalized_at ?? work.now();
  const { days } = await readDunning(work);
  const day = days[invoice.attempt_count - 1];
  const willRetry = subscription !== null && !isFirst(invoice) && !['canceled', 'unpaid'].includes(subscription.status);
  invoice.next_payment_attempt = willRetry && day !== undefined ? Math.max(first + day * DAY, work.now() + 1) : null;
}

async function markPastDue(work: Work, subscription: Stripe.Subscription, invoice: Stripe.Invoice): Promise<void> {
  if (isFirst(invoice) || !['active', 'trialing', 'past_due'].includes(subscription.status)) return;
  subscription.status = 'past_due';
  work.emitUpdate(subscription);
  if (invoice.next_payment_attempt !== null) return;
  const { finally: end } = await readDunning(work);
  if (end === 'unpaid') {
    subscription.status = 'unpaid';
    work.emitUpdate(subscription);
  } else if (end === 'cancel') await endSubscription(work, subscription, 'payment_failed');
}

export async function cancelPayment(work: Work, invoice: Stripe.Invoice): Promise<void> {
  const intent = await paymentIntentOf(work, invoice);
  if (!intent || ['succeeded', 'canceled'].includes(intent.status)) return;
  cancelIntent(work, intent, 'void_invoice');
  const payment = await work.find('invoice_payment', work.hidden(invoice).payment ?? '');
  payment.status = 'canceled';
  payment.status_transitions.canceled_at = work.now();
}

/** Pays an open invoice with another payment that has succeeded; its own payment is canceled ("Attach a payment"). */
export async function attachPayment(work: Work, invoice: Stripe.Invoice, id: string): Promise<Stripe.Invoice> {
  const intent = await work.find('payment_intent', id, 'payment_intent');
  if (invoice.status !== 'open')
    throw invalidRequest('Payments can only be attached to open invoices.', { code: 'invoice_not_editable' });
  if (intent.status !== 'succeeded' || intent.amount !== invoice.amount_due || work.hidden(intent).invoice)
    throw invalidRequest('This sandbox attaches only a succeeded payment of the whole amount, without an invoice.', {
      param: 'payment_intent',
    });
  await cancelPayment(work, invoice);
  const payment = newInvoicePayment(work, invoice, intent, { isDefault: false });
  work.hidden(intent).invoice = invoice.id;
  markPaid(work, invoice, payment);
  markInvoicePaid(work, invoice);
  const subscription = await subscriptionFor(work, invoice);
  if (subscription) await reactivate(work, subscription, invoice, intent);
  return invoice;
}

import type Stripe from 'stripe';
import { signatureInvalid } from './errors';
import { subscriptionOf } from './invoices';
import type { PaymentEvent } from './objects';
import { idOf, toDate } from './reading';

/** How old a signature may be, in seconds: what Stripe's own libraries allow. */
const TOLERANCE = 300;

type Facts = PaymentEvent extends infer E
  ? E extends PaymentEvent
    ? Omit<E, 'id' | 'at' | 'account' | 'live'>
    : never
  : never;

/** What an event means to us; the payload is trusted for ids only. */
function factsOf(event: Stripe.Event): Facts {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return { type: 'checkout_completed', checkout: event.data.object.id };
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed':
      return { type: 'checkout_expired', checkout: event.data.object.id };
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
      return { type: 'subscription_changed', subscription: event.data.object.id };
    case 'customer.subscription.deleted':
      return { type: 'subscription_ended', subscription: event.data.object.id };
    case 'customer.subscription.trial_will_end':
      return { type: 'trial_ending', subscription: event.data.object.id };
    case 'invoice.paid':
      return invoiceFacts('invoice_paid', event.data.object);
    case 'invoice.payment_failed':
      return invoiceFacts('invoice_failed', event.data.object);
    case 'invoice.payment_action_required':
      return invoiceFacts('invoice_needs_customer', event.data.object);
    case 'payment_intent.succeeded':
      return { type: 'payment_succeeded', payment: event.data.object.id };
    case 'payment_intent.payment_failed':
      return { type: 'payment_failed', payment: event.data.object.id };
    default:
      return rarerFacts(event);
  }
}

function rarerFacts(event: Stripe.Event): Facts {
  switch (event.type) {
    case 'charge.refunded':
      return { type: 'refunded', payment: idOf(event.data.object.payment_intent) };
    case 'charge.dispute.created':
      return disputeFacts('dispute_opened', event.data.object);
    case 'charge.dispute.updated':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return disputeFacts('dispute_changed', event.data.object);
    case 'charge.dispute.closed':
      return disputeFacts('dispute_closed', event.data.object);
    case 'payment_method.attached':
      return cardFacts('card_added', event.data.object);
    case 'payment_method.updated':
    case 'payment_method.automatically_updated':
      return cardFacts('card_changed', event.data.object);
    case 'payment_method.detached':
      return cardFacts('card_removed', event.data.object);
    case 'account.updated':
      return { type: 'account_changed', connected: event.data.object.id };
    default:
      return { type: 'other', name: event.type };
  }
}

function invoiceFacts(
  type: 'invoice_paid' | 'invoice_failed' | 'invoice_needs_customer',
  invoice: Stripe.Invoice,
): Facts {
  return { type, invoice: invoice.id ?? '', subscription: subscriptionOf(invoice) };
}

function disputeFacts(type: 'dispute_opened' | 'dispute_changed' | 'dispute_closed', dispute: Stripe.Dispute): Facts {
  return { type, dispute: dispute.id, payment: idOf(dispute.payment_intent) };
}

function cardFacts(type: 'card_added' | 'card_changed' | 'card_removed', method: Stripe.PaymentMethod): Facts {
  return { type, card: method.id, customer: idOf(method.customer) };
}

/** While secrets are rotated, the old and the new are both good. */
export function readWebhook(
  stripe: Stripe,
  secrets: string[],
  { body, signature, now }: { body: string; signature: string; now: Date },
): PaymentEvent {
  for (const secret of secrets) {
    const event = verified(stripe, secret, { body, signature, now });
    if (event)
      return {
        ...factsOf(event),
        id: event.id,
        at: toDate(event.created),
        account: event.account ?? null,
        live: event.livemode,
      };
  }
  throw signatureInvalid();
}

function verified(
  stripe: Stripe,
  secret: string,
  { body, signature, now }: { body: string; signature: string; now: Date },
): Stripe.Event | null {
  try {
    return stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE, undefined, now.getTime());
  } catch {
    return null;
  }
}

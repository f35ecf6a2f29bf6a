import type Stripe from 'stripe';
import { idOf, toDate } from './convert';
import { signatureInvalid } from './errors';
import { subscriptionOf } from './invoices';
import type { PaymentWarning } from './objects';
import type { PaymentEvent } from './payment-events';

/** Maximum age of a signature in seconds, as in Stripe's own libraries. */
const TOLERANCE = 300;

type EventDetails = PaymentEvent extends infer E
  ? E extends PaymentEvent
    ? Omit<E, 'id' | 'at' | 'account' | 'live'>
    : never
  : never;

type Type = Stripe.Event['type'];
type DataOf<T extends Type> = Extract<Stripe.Event, { type: T }>['data'];
type ObjectOf<T extends Type> = DataOf<T>['object'];
type PreviousOf<T extends Type> = DataOf<T>['previous_attributes'];

const checkout = (type: 'checkout_completed' | 'checkout_expired') => (session: Stripe.Checkout.Session) => ({
  type,
  checkout: session.id,
});
const subscription =
  (type: 'subscription_changed' | 'subscription_ended' | 'trial_ending') => (changed: Stripe.Subscription) => ({
    type,
    subscription: changed.id,
  });
const invoice = (type: 'invoice_paid' | 'invoice_failed' | 'invoice_needs_customer') => (object: Stripe.Invoice) => ({
  type,
  invoice: object.id,
  subscription: subscriptionOf(object),
});
const payment = (type: 'payment_succeeded' | 'payment_failed') => (intent: Stripe.PaymentIntent) => ({
  type,
  payment: intent.id,
  customer: idOf(intent.customer),
  reference: intent.metadata,
});
const refund = (object: Stripe.Refund) => ({
  type: 'refund_changed' as const,
  refund: object.id,
  payment: idOf(object.payment_intent),
});
const dispute = (type: 'dispute_opened' | 'dispute_changed' | 'dispute_closed') => (object: Stripe.Dispute) => ({
  type,
  dispute: object.id,
  payment: idOf(object.payment_intent),
});
const warning =
  (kind: PaymentWarning['kind']) =>
  ({ id, payment_intent }: Stripe.Review | Stripe.Radar.EarlyFraudWarning) => ({
    ...{ type: 'payment_warning' as const, kind, warning: id, payment: idOf(payment_intent) },
  });
const card = (type: 'card_added' | 'card_changed') => (method: Stripe.PaymentMethod) => ({
  type,
  card: method.id,
  customer: idOf(method.customer),
});

/** A removed card no longer names its customer; the previous values do. */
const removedCard = (method: Stripe.PaymentMethod, previous: PreviousOf<'payment_method.detached'> = {}) => ({
  type: 'card_removed' as const,
  card: method.id,
  customer: idOf(method.customer ?? previous.customer),
});

/** Converts an event to ours. From the payload we use only what never changes: ids and references. */
const CONVERTERS: { [T in Type]?: (object: ObjectOf<T>, previous?: PreviousOf<T>) => EventDetails } = {
  'checkout.session.completed': checkout('checkout_completed'),
  'checkout.session.async_payment_succeeded': checkout('checkout_completed'),
  'checkout.session.expired': checkout('checkout_expired'),
  'checkout.session.async_payment_failed': checkout('checkout_expired'),
  'customer.subscription.created': subscription('subscription_changed'),
  'customer.subscription.updated': subscription('subscription_changed'),
  'customer.subscription.paused': subscription('subscription_changed'),
  'customer.subscription.resumed': subscription('subscription_changed'),
  'customer.subscription.deleted': subscription('subscription_ended'),
  'customer.subscription.trial_will_end': subscription('trial_ending'),
  'invoice.paid': invoice('invoice_paid'),
  'invoice.payment_failed': invoice('invoice_failed'),
  'invoice.payment_action_required': invoice('invoice_needs_customer'),
  'payment_intent.succeeded': payment('payment_succeeded'),
  'payment_intent.payment_failed': payment('payment_failed'),
  'charge.updated': ({ payment_intent }) => ({ type: 'charge_changed', payment: idOf(payment_intent) }),
  'charge.refunded': ({ payment_intent, customer, metadata }) => ({
    type: 'refunded',
    payment: idOf(payment_intent),
    customer: idOf(customer),
    reference: metadata,
  }),
  'refund.updated': refund,
  'refund.failed': refund,
  'charge.dispute.created': dispute('dispute_opened'),
  'charge.dispute.updated': dispute('dispute_changed'),
  'charge.dispute.funds_withdrawn': dispute('dispute_changed'),
  'charge.dispute.funds_reinstated': dispute('dispute_changed'),
  'charge.dispute.closed': dispute('dispute_closed'),
  'radar.early_fraud_warning.created': warning('fraud'),
  'radar.early_fraud_warning.updated': warning('fraud'),
  'review.opened': warning('review'),
  'review.closed': warning('review'),
  'payment_method.attached': card('card_added'),
  'payment_method.updated': card('card_changed'),
  'payment_method.automatically_updated': card('card_changed'),
  'payment_method.detached': removedCard,
  'account.application.deauthorized': () => ({ type: 'account_disconnected' }),
  'account.updated': (account) => ({ type: 'account_changed', connected: account.id }),
};

/** The events that we handle; all others are read as `other`. */
export const HANDLED_EVENTS = Object.keys(CONVERTERS) as Type[];

function toDetails({ type, data }: Stripe.Event): EventDetails {
  const convert = CONVERTERS[type] as ((...of: [typeof data.object, object?]) => EventDetails) | undefined;
  return convert ? convert(data.object, data.previous_attributes) : { type: 'other', name: type };
}

export const toEvent = (event: Stripe.Event): PaymentEvent => ({
  ...toDetails(event),
  id: event.id,
  at: toDate(event.created),
  account: event.account ?? null,
  live: event.livemode,
});

/** During rotation, both the old and the new secret are valid. */
export function readWebhook(
  stripe: Stripe,
  secrets: string[],
  { body, signature, now }: { body: string; signature: string; now: Date },
): PaymentEvent {
  for (const secret of secrets) {
    const event = verifySignature(stripe, secret, { body, signature, now });
    if (event) return toEvent(event);
  }
  throw signatureInvalid();
}

function verifySignature(
  stripe: Stripe,
  secret: string,
  { body, signature, now }: { body: string; signature: string; now: Date },
): Stripe.Event | null {
  try {
    const event = stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE, undefined, now.getTime());
    // signed, but not an event: it has nothing that we could store
    return event.id && event.type && event.data?.object ? event : null;
  } catch {
    return null;
  }
}

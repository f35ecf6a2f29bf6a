import { accountOperations, toAccount } from './accounts';
import { bookOperations } from './books';
import { cardOperations, fetchCard } from './cards';
import { chargeOperations } from './charges';
import { checkoutOperations, fetchCheckout } from './checkouts';
import type { ClientSettings } from './client';
import { connectOperations } from './connections';
import { couponOperations, toCoupon } from './coupons';
import { customerOperations, toCustomer } from './customers';
import { endingOperations } from './endings';
import { notSetUp } from './errors';
import { importOperations } from './imports';
import { fetchInvoice, invoiceOperations } from './invoices';
import { listOperations } from './listing';
import { fetchPayment, paymentOperations, TAKEN, toDispute, toRefund } from './payments';
import type { FetchOperations, PaymentsPort } from './port';
import { setupOperations } from './setup';
import { type CallStripe, type StripeSettings, stripeCaller } from './stripe-call';
import { fetchSubscription, subscriptionOperations } from './subscriptions';
import { fetchWarning } from './warnings';
import { readWebhook } from './webhooks';

/** The port implemented with the real SDK, for Stripe or (through `fetch`) for the sandbox. */
export const stripePayments = (settings: StripeSettings): PaymentsPort =>
  createPort((place) => stripeCaller({ ...settings, ...place }), settings);

/** A port on which every call fails with `payments.not_set_up`. */
export const noPayments = (): PaymentsPort =>
  createPort(() => () => Promise.reject(notSetUp()), { webhookSecrets: [] });

/** The account on which calls act, and whether someone waits for them. */
type Place = Pick<ClientSettings, 'account' | 'urgency'>;
type Connect = (place: Place) => CallStripe;

type PortSettings = Pick<StripeSettings, 'webhookSecrets' | 'connect'>;

function createPort(connect: Connect, settings: PortSettings, place: Place = {}): PaymentsPort {
  const callStripe = connect(place);
  const connectTo = (account?: string) => connect({ ...place, account });
  return {
    account: place.account ?? null,
    on: (other) => createPort(connect, settings, { ...place, account: other ?? undefined }),
    inBackground: () => createPort(connect, settings, { ...place, urgency: 'background' }),
    ...connectOperations(connectTo(), settings.connect),
    ...importOperations(callStripe, connectTo),
    fetch: fetchOperations(callStripe),
    setup: setupOperations(connectTo()),
    ...customerOperations(callStripe),
    ...cardOperations(callStripe),
    ...checkoutOperations(callStripe),
    ...chargeOperations(callStripe),
    ...subscriptionOperations(callStripe),
    ...endingOperations(callStripe),
    ...couponOperations(callStripe),
    ...paymentOperations(callStripe),
    ...invoiceOperations(callStripe),
    ...accountOperations(callStripe),
    ...listOperations(callStripe),
    ...bookOperations(callStripe),
    readWebhook: (body, signature, now) =>
      callStripe(async (stripe) => readWebhook(stripe, settings.webhookSecrets, { body, signature, now })),
  };
}

function fetchOperations(callStripe: CallStripe): FetchOperations {
  return {
    customer: (id) => callStripe(async (stripe) => toCustomer(await stripe.customers.retrieve(id))),
    card: (id) => callStripe((stripe) => fetchCard(stripe, id)),
    checkout: (id) => callStripe((stripe) => fetchCheckout(stripe, id)),
    subscription: (id) => callStripe((stripe) => fetchSubscription(stripe, id)),
    payment: (id) => callStripe((stripe) => fetchPayment(stripe, id)),
    invoice: (id) => callStripe((stripe) => fetchInvoice(stripe, id)),
    refund: (id) => callStripe(async (stripe) => toRefund(await stripe.refunds.retrieve(id, { expand: [TAKEN] }))),
    dispute: (id) => callStripe(async (stripe) => toDispute(await stripe.disputes.retrieve(id))),
    warning: (kind, id) => callStripe((stripe) => fetchWarning(stripe, kind, id)),
    coupon: (id) => callStripe(async (stripe) => toCoupon(await stripe.coupons.retrieve(id))),
    account: (id) => callStripe(async (stripe) => toAccount(await stripe.accounts.retrieve(id))),
  };
}

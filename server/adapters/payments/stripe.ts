import Stripe from 'stripe';
import { SECONDS } from '../../time';
import { accountVerbs, readAccount } from './accounts';
import { checkoutVerbs, fetchCheckout } from './checkouts';
import { couponVerbs, readCoupon } from './coupons';
import { customerVerbs, fetchCard, readCustomer } from './customers';
import { notSetUp } from './errors';
import { spoken } from './failures';
import { fetchInvoice, invoiceVerbs } from './invoices';
import { fetchPayment, paymentVerbs, readDispute, readRefund } from './payments';
import type { Fetching, PaymentsPort } from './port';
import { readSubscription, subscriptionVerbs } from './subscriptions';
import { readWebhook } from './webhooks';

export type StripeSettings = {
  /** `sk_…` or `rk_…`. */
  secretKey: string;
  /** `whsec_…`; more than one while they are rotated. */
  webhookSecrets: string[];
  /** Answers in place of the network: the sandbox. */
  fetch?: typeof globalThis.fetch;
  /** Whether `sk_live_` keys are welcome. */
  production: boolean;
  timeout?: number;
  maxNetworkRetries?: number;
};

/** A page waits for some of these calls; a job comes back by itself. */
const TIMEOUT = SECONDS(20);
const RETRIES = 2;

/**
 * The client as production has it. It speaks over fetch: the SDK's default client is not stopped by its own timeout
 * where a test stands in between.
 */
export function stripeClient({ secretKey, fetch, production, timeout, maxNetworkRetries }: StripeSettings): Stripe {
  if (/^(?:sk|rk)_live_/.test(secretKey) && !production) throw notSetUp();
  return new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(fetch),
    maxNetworkRetries: maxNetworkRetries ?? RETRIES,
    timeout: timeout ?? TIMEOUT,
    telemetry: false,
    appInfo: { name: 'Altavoz' },
  });
}

/** The port over the real SDK: Stripe itself, or the sandbox at the other end of `fetch`. */
export function stripePayments(settings: StripeSettings): PaymentsPort {
  const stripe = stripeClient(settings);
  return {
    fetch: fetching(stripe),
    ...customerVerbs(stripe),
    ...checkoutVerbs(stripe),
    ...subscriptionVerbs(stripe),
    ...couponVerbs(stripe),
    ...paymentVerbs(stripe),
    ...invoiceVerbs(stripe),
    ...accountVerbs(stripe),
    readWebhook: (body, signature, now) => readWebhook(stripe, settings.webhookSecrets, { body, signature, now }),
  };
}

function fetching(stripe: Stripe): Fetching {
  return {
    customer: (id) => spoken(async () => readCustomer(await stripe.customers.retrieve(id))),
    card: (id) => spoken(() => fetchCard(stripe, id)),
    checkout: (id) => spoken(() => fetchCheckout(stripe, id)),
    subscription: (id) => spoken(async () => readSubscription(await stripe.subscriptions.retrieve(id))),
    payment: (id) => spoken(() => fetchPayment(stripe, id)),
    invoice: (id) => spoken(() => fetchInvoice(stripe, id)),
    refund: (id) => spoken(async () => readRefund(await stripe.refunds.retrieve(id))),
    dispute: (id) => spoken(async () => readDispute(await stripe.disputes.retrieve(id))),
    coupon: (id) => spoken(async () => readCoupon(await stripe.coupons.retrieve(id))),
    account: (id) => spoken(async () => readAccount(await stripe.accounts.retrieve(id))),
  };
}

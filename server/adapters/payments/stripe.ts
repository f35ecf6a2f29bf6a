import { accountVerbs, readAccount } from './accounts';
import { cardVerbs, fetchCard } from './cards';
import { checkoutVerbs, fetchCheckout } from './checkouts';
import { couponVerbs, readCoupon } from './coupons';
import { customerVerbs, readCustomer } from './customers';
import { notSetUp } from './errors';
import { fetchInvoice, invoiceVerbs } from './invoices';
import { fetchPayment, paymentVerbs, readDispute, readRefund } from './payments';
import type { Fetching, PaymentsPort } from './port';
import { type Speak, type StripeSettings, speaking } from './stripe-call';
import { fetchSubscription, subscriptionVerbs } from './subscriptions';
import { readWebhook } from './webhooks';

/** The port over the real SDK: Stripe itself, or the sandbox at the other end of `fetch`. */
export const stripePayments = (settings: StripeSettings): PaymentsPort =>
  portOver(speaking(settings), settings.webhookSecrets);

/** Every verb says that payments are not set up. */
export const noPayments = (): PaymentsPort => portOver(() => Promise.reject(notSetUp()), []);

function portOver(speak: Speak, webhookSecrets: string[]): PaymentsPort {
  return {
    fetch: fetching(speak),
    ...customerVerbs(speak),
    ...cardVerbs(speak),
    ...checkoutVerbs(speak),
    ...subscriptionVerbs(speak),
    ...couponVerbs(speak),
    ...paymentVerbs(speak),
    ...invoiceVerbs(speak),
    ...accountVerbs(speak),
    readWebhook: (body, signature, now) =>
      speak(async (stripe) => readWebhook(stripe, webhookSecrets, { body, signature, now })),
  };
}

function fetching(speak: Speak): Fetching {
  return {
    customer: (id) => speak(async (stripe) => readCustomer(await stripe.customers.retrieve(id))),
    card: (id) => speak((stripe) => fetchCard(stripe, id)),
    checkout: (id) => speak((stripe) => fetchCheckout(stripe, id)),
    subscription: (id) => speak((stripe) => fetchSubscription(stripe, id)),
    payment: (id) => speak((stripe) => fetchPayment(stripe, id)),
    invoice: (id) => speak((stripe) => fetchInvoice(stripe, id)),
    refund: (id) => speak(async (stripe) => readRefund(await stripe.refunds.retrieve(id))),
    dispute: (id) => speak(async (stripe) => readDispute(await stripe.disputes.retrieve(id))),
    coupon: (id) => speak(async (stripe) => readCoupon(await stripe.coupons.retrieve(id))),
    account: (id) => speak(async (stripe) => readAccount(await stripe.accounts.retrieve(id))),
  };
}

import type Stripe from 'stripe';

/** All that is kept, by the name that Stripe's `object` field gives it. */
export type Kinds = {
  account: Stripe.Account;
  application_fee: Stripe.ApplicationFee;
  balance_transaction: Stripe.BalanceTransaction;
  charge: Stripe.Charge;
  'checkout.session': Stripe.Checkout.Session;
  coupon: Stripe.Coupon;
  customer: Stripe.Customer;
  discount: Stripe.Discount;
  dispute: Stripe.Dispute;
  event: Occurrence;
  fee_refund: Stripe.FeeRefund;
  invoice: Stripe.Invoice;
  invoice_payment: Stripe.InvoicePayment;
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  payout: Stripe.Payout;
  price: Stripe.Price;
  product: Stripe.Product;
  promotion_code: Stripe.PromotionCode;
  refund: Stripe.Refund;
  setup_intent: Stripe.SetupIntent;
  subscription: Stripe.Subscription;
  'test_helpers.test_clock': Stripe.TestHelpers.TestClock;
  transfer: Stripe.Transfer;
  transfer_reversal: Stripe.TransferReversal;
  webhook_endpoint: Stripe.WebhookEndpoint;
};
export type Kind = keyof Kinds;

export type Occurrence = {
  id: string;
  object: 'event';
  account?: string;
  api_version: string;
  created: number;
  data: { object: { id: string; object: string }; previous_attributes?: object };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
};

/** What a kept object knows beyond its public face. */
export type Hidden = {
  /** Of an account: the one link through which its owner may give their details. */
  onboarding?: { token: string; returnUrl: string; expires: number };
  /** Of a payment method: the number of the test card behind it. */
  card?: string;
  /** Of a payment method: set up for payments without the customer. */
  setUp?: boolean;
  /** Of a payment method: how often it was charged. */
  charges?: number;
  /** Of a checkout session: what was asked for, to be made when the customer pays. */
  order?: unknown;
  /** Of an object that follows a test clock. */
  clock?: string;
  /** Of an invoice: its payment. Of a payment intent: what it pays. */
  payment?: string;
  invoice?: string;
  session?: string;
  /** Of a subscription: lines for its next invoice, and what its present period costs after discounts. */
  pending?: Stripe.InvoiceLineItem[];
  cost?: number;
  warned?: boolean;
  /** Of a discount: what it takes off, even after its coupon is gone. */
  reduction?: { percent: number | null; amount: number | null; months: number | null; duration: string };
  /** Of a payment: the customer has proved who they are. */
  authenticated?: boolean;
  /** Of a webhook endpoint: it hears what happens to connected accounts. */
  connect?: boolean | 'both';
  /** Of a charge: application fees and transfers wait for these. */
  transfer?: { destination: string; amount: number | null; fee: number | null };
  /** Of an account: its funds are someone else's to move. */
  bank?: string;
  /** Of a test clock: where it is going. */
  target?: number;
};

export type Ref = string | { id: string };

/** The id of what may also stand there in full. */
export function idOf(ref: Ref): string;
export function idOf(ref: Ref | null | undefined): string | null;
export function idOf(ref: Ref | null | undefined): string | null {
  return ref === null || ref === undefined ? null : typeof ref === 'string' ? ref : ref.id;
}

/** The subscription that an invoice is for. */
export function subscriptionOf(invoice: Stripe.Invoice): string | null {
  return idOf(invoice.parent?.subscription_details?.subscription ?? null);
}

export const listOf = <T>(url: string, data: T[]): Stripe.ApiList<T> => ({
  object: 'list',
  data,
  has_more: false,
  url,
});

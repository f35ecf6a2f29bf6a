import type Stripe from 'stripe';

/** The stored kinds of objects, by the value of Stripe's `object` field. */
export type Kinds = {
  account: Stripe.Account;
  application_fee: Stripe.ApplicationFee;
  balance_settings: StoredSettings;
  balance_transaction: Stripe.BalanceTransaction;
  charge: Stripe.Charge;
  'checkout.session': Stripe.Checkout.Session;
  coupon: Stripe.Coupon;
  customer: Stripe.Customer;
  discount: Stripe.Discount;
  dispute: Stripe.Dispute;
  event: StoredEvent;
  fee_refund: Stripe.FeeRefund;
  invoice: Stripe.Invoice;
  invoice_payment: Stripe.InvoicePayment;
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  payout: Stripe.Payout;
  price: Stripe.Price;
  product: Stripe.Product;
  promotion_code: Stripe.PromotionCode;
  'radar.early_fraud_warning': Stripe.Radar.EarlyFraudWarning;
  refund: Stripe.Refund;
  review: Stripe.Review;
  setup_intent: Stripe.SetupIntent;
  subscription: Stripe.Subscription;
  'test_helpers.test_clock': Stripe.TestHelpers.TestClock;
  transfer: Stripe.Transfer;
  transfer_reversal: Stripe.TransferReversal;
  webhook_endpoint: Stripe.WebhookEndpoint;
};
export type Kind = keyof Kinds;

/** Stripe's balance settings have no id: there is one object per account. */
export type StoredSettings = Stripe.BalanceSettings & { id: 'balance_settings' };

export type StoredEvent = {
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

/** Internal state of an object that the API does not return. */
export type Hidden = {
  /** Account: the current onboarding link. */
  onboarding?: { token: string; returnUrl: string; refreshUrl: string; expires: number };
  /** Account: the code by which its owner connects it, and whether the owner has ended the connection. */
  oauth?: { code: string; expires: number };
  isDisconnected?: boolean;
  /** Payment method: its test card's number. */
  card?: string;
  /** Payment method: set up for off-session payments. */
  setUp?: boolean;
  /** Payment method: was removed from its customer, and cannot be used again. */
  detached?: boolean;
  /** Payment method: the number of successful charges. */
  charges?: number;
  /** Checkout session: the order to fulfill on payment. */
  order?: unknown;
  /** Any object on a test clock: the clock's id. */
  clock?: string;
  /** Invoice: its invoice payment. Payment intent: the invoice that it pays. */
  payment?: string;
  invoice?: string;
  /** Subscription: lines for the next invoice, and the cost of the present period after discounts. */
  pending?: Stripe.InvoiceLineItem[];
  cost?: number;
  warned?: boolean;
  /** Discount: its terms, which outlive a deleted coupon. */
  reduction?: { percent: number | null; amount: number | null; months: number | null; duration: string };
  /** Payment or setup intent: the customer has passed authentication. */
  authenticated?: boolean;
  /** Charge: when its capture will be complete. */
  captures?: number;
  /** Refund: its result, and when it is known. */
  settles?: { at: number; as: 'succeeded' | 'failed' };
  /** Webhook endpoint: receives events of connected accounts. */
  connect?: boolean | 'both';
  /**
   * Balance settings: when the next automatic payout is made. Balance transaction: the automatic payout that contains
   * it.
   */
  nextPayout?: number;
  payout?: string;
  /** Account: its bank account. */
  bank?: string;
};

export type Ref = string | { id: string };

/** The id of an expandable field. */
export function idOf(ref: Ref): string;
export function idOf(ref: Ref | null | undefined): string | null;
export function idOf(ref: Ref | null | undefined): string | null {
  return ref === null || ref === undefined ? null : typeof ref === 'string' ? ref : ref.id;
}

/** The subscription of an invoice. */
export function subscriptionOf(invoice: Stripe.Invoice): string | null {
  return idOf(invoice.parent?.subscription_details?.subscription ?? null);
}

export const listOf = <T>(url: string, data: T[]): Stripe.ApiList<T> => ({
  object: 'list',
  data,
  has_more: false,
  url,
});

import type { AnyMoney } from '../../base/money';

/** The caller's own data (ids), stored with an object and returned with it. */
export type Reference = Record<string, string>;
export type Interval = 'month' | 'year';

export type Customer = {
  id: string;
  email: string | null;
  name: string | null;
  language: string | null;
  defaultCard: string | null;
  /** Reduces the next invoices; a negative amount increases them. Null before the first invoice. */
  credit: AnyMoney | null;
  deleted: boolean;
  reference: Reference;
};

export type Card = {
  id: string;
  customer: string | null;
  brand: string;
  last4: string;
  /** Equal for the same card number, even if another customer has it. */
  fingerprint: string | null;
  expiresMonth: number;
  expiresYear: number;
  /** The first moment at which the card is no longer valid. */
  expiresAt: Date;
  isDefault: boolean;
  /** The country that issued the card (ISO 3166-1 alpha-2). */
  country: string | null;
};

export type Checkout = {
  id: string;
  kind: 'purchase' | 'subscription' | 'setup';
  status: 'open' | 'complete' | 'expired';
  /** Whether the order can be delivered: it is paid, or there is nothing to pay. */
  settled: boolean;
  /** The page to open; null once it is closed. */
  url: string | null;
  customer: string | null;
  email: string | null;
  /** The country of the billing address (ISO 3166-1 alpha-2); null before the page is paid. */
  country: string | null;
  payment: string | null;
  subscription: string | null;
  invoice: string | null;
  card: string | null;
  total: AnyMoney | null;
  discount: AnyMoney | null;
  expiresAt: Date;
  reference: Reference;
};

export type SubscriptionStatus =
  | 'incomplete'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled'
  | 'expired';

/** The provider's choices for why a subscriber leaves. */
export const LEAVING_REASONS = [
  'too_expensive',
  'unused',
  'low_quality',
  'missing_features',
  'too_complex',
  'switched_service',
  'customer_service',
  'other',
] as const;
export type LeavingReason = (typeof LEAVING_REASONS)[number];
/** A subscriber's answers when canceling. */
export type Leaving = { reason: LeavingReason | null; comment: string | null };

/** `endsAt` is null for a discount on the next invoice only, and for a discount without an end. */
export type SubscriptionDiscount = { coupon: string | null; endsAt: Date | null };

export type Subscription = {
  id: string;
  customer: string;
  status: SubscriptionStatus;
  price: AnyMoney;
  every: Interval;
  /** The provider's product id, the same for all its prices. */
  product: string;
  periodStart: Date;
  periodEnd: Date;
  trialEnd: Date | null;
  /** The scheduled end, if there is one. */
  endsAt: Date | null;
  endedAt: Date | null;
  /** Why it ended or will end: a person canceled it, the last retry failed, or a payment was disputed. */
  endReason: 'requested' | 'payment_failed' | 'disputed' | null;
  leaving: Leaving | null;
  /** Payment collection is paused. */
  paused: boolean;
  resumesAt: Date | null;
  card: string | null;
  latestInvoice: string | null;
  discounted: boolean;
  discount: SubscriptionDiscount | null;
  startedAt: Date;
  reference: Reference;
};

/** The next invoice of a subscription, unchanged or after a change. */
export type Preview = {
  total: AnyMoney;
  /** The amount to pay by card, after the customer's credit. */
  due: AnyMoney;
  /** Credit for later invoices, if a change costs less than the paid amount. */
  credit: AnyMoney;
  lines: InvoiceLine[];
  /** When the customer is charged. */
  at: Date;
};

/** The rest of the paid period of a subscription that ends at a moment. */
export type EndPreview = {
  /** The provider's result, after discounts; zero in a trial and for a period that is not paid. */
  unused: AnyMoney;
  /**
   * The part of it that can go back to the card, by payment. Less than `unused` if a part was paid with credit or has
   * been refunded.
   */
  refunds: { payment: string; amount: AnyMoney }[];
};

export type Payment = {
  id: string;
  status: 'succeeded' | 'needs_card' | 'needs_authentication' | 'processing' | 'canceled';
  amount: AnyMoney;
  refunded: AnyMoney;
  /** The provider's fee. Like `net` and `availableAt`, it is unknown (null) until the payment is captured. */
  fee: AnyMoney | null;
  net: AnyMoney | null;
  /** When the money can be paid out. */
  availableAt: Date | null;
  /** The part of a payment on a connected account that the platform kept. */
  platformFee: AnyMoney | null;
  charge: string | null;
  /** Null for a payment without an invoice. */
  invoice: string | null;
  /** Null for a one-time payment. */
  subscription: string | null;
  customer: string | null;
  card: string | null;
  /** The country of the billing address (ISO 3166-1 alpha-2), and its postal code. */
  country: string | null;
  postalCode: string | null;
  /** The country that issued the card. */
  cardCountry: string | null;
  receiptUrl: string | null;
  authenticateUrl: string | null;
  failure: { reason: DeclineReason; code: string } | null;
  disputed: boolean;
  createdAt: Date;
  reference: Reference;
};

export type DeclineReason =
  | 'declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'incorrect_number'
  | 'processing_error'
  | 'lost_or_stolen'
  | 'fraudulent'
  | 'limit_exceeded'
  | 'authentication_failed';

export type InvoiceLine = { description: string; amount: AnyMoney; from: Date; to: Date; isProration: boolean };
export type Invoice = {
  id: string;
  number: string | null;
  customer: string | null;
  subscription: string | null;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  reason: 'start' | 'renewal' | 'change' | 'other';
  subtotal: AnyMoney;
  discount: AnyMoney;
  total: AnyMoney;
  /** The amount to pay by card, after the customer's credit. */
  due: AnyMoney;
  paid: AnyMoney;
  lines: InvoiceLine[];
  /** The payment that has paid it, or that will. */
  payment: string | null;
  attempts: number;
  nextAttemptAt: Date | null;
  pageUrl: string | null;
  pdfUrl: string | null;
  createdAt: Date;
  paidAt: Date | null;
};

export type RefundReason = 'duplicate' | 'fraudulent' | 'requested';
export type RefundFailure =
  | 'lost_or_stolen_card'
  | 'expired_or_canceled_card'
  | 'disputed'
  | 'insufficient_funds'
  | 'declined'
  | 'merchant_request'
  | 'unknown';
export type Refund = {
  id: string;
  payment: string | null;
  amount: AnyMoney;
  /** A succeeded refund can still fail days later: the amount then returns to our balance, and is not refunded. */
  status: 'pending' | 'succeeded' | 'failed' | 'canceled' | 'needs_action';
  reason: RefundReason | null;
  /** Null unless the refund has failed. */
  failure: RefundFailure | null;
  /** The amount that it took from our balance, in the currency of our account; null before that is known. */
  taken: AnyMoney | null;
  createdAt: Date;
  reference: Reference;
};

/** A change of our balance by a dispute, in the currency of our account. `amount` is positive. */
export type DisputeMovement = { amount: AnyMoney; fee: AnyMoney; at: Date };
export type Dispute = {
  id: string;
  payment: string | null;
  amount: AnyMoney;
  reason: string;
  /** `warning`, `warning_under_review`, `closed`: an inquiry of the bank, which takes no money. */
  status: 'warning' | 'warning_under_review' | 'needs_answer' | 'under_review' | 'won' | 'lost' | 'closed';
  /** The bank's withdrawal; null before it, and for an inquiry. */
  taken: DisputeMovement | null;
  /** The return of a won dispute, once it is made. Its fee is negative if the provider returns its fee, too. */
  returned: DisputeMovement | null;
  /** Null unless an answer is needed. */
  answerBy: Date | null;
  createdAt: Date;
};

/** `fraud`: the bank reports it, often before a dispute. `review`: the provider wants the payment to be looked at. */
export type PaymentWarning = {
  id: string;
  kind: 'fraud' | 'review';
  payment: string | null;
  /** The provider's word, such as `made_with_stolen_card`. */
  reason: string;
  /** Whether there is still something to do: it is not refunded, disputed or approved. */
  open: boolean;
  createdAt: Date;
};

export type CouponLength = 'once' | 'forever' | { months: number };
export type Coupon = {
  id: string;
  off: { percent: number } | AnyMoney;
  length: CouponLength;
  redeemed: number;
  maxRedemptions: number | null;
  redeemBy: Date | null;
  /** Whether it can be redeemed now. */
  valid: boolean;
};

export type Account = {
  id: string;
  email: string | null;
  country: string | null;
  chargesEnabled: boolean;
  payoutsEnabled: boolean;
  detailsSubmitted: boolean;
  /** The details that the provider still needs. */
  missing: string[];
};

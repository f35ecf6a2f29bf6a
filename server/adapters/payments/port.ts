import type { Money } from '../../money';
import type {
  Account,
  Card,
  Checkout,
  Coupon,
  CouponLength,
  Customer,
  Dispute,
  Interval,
  Invoice,
  Payment,
  PaymentEvent,
  Preview,
  Reference,
  Refund,
  Subscription,
} from './objects';

/** Names a mutation: the same key again is the same mutation, and answers what it answered then. */
export type Key = string;
export type Language = 'en' | 'es';

/** Money that passes to a connected account, less what the platform keeps. */
export type Sharing = { account: string; fee: Money };
export type Visit = {
  /** `{CHECKOUT_SESSION_ID}` in it becomes the checkout's id. */
  successUrl: string;
  cancelUrl: string;
  language: Language;
  reference: Reference;
};
export type Buyer = { customer: string } | { email: string };

export type NewPurchase = Visit & { buyer: Buyer; name: string; price: Money; coupon?: string; sharing?: Sharing };
export type NewSubscription = Visit & {
  customer: string;
  name: string;
  price: Money;
  every: Interval;
  trialDays?: number;
  coupon?: string;
  sharing?: { account: string; feePercent: number };
};
export type NewDonation = Visit & {
  buyer: Buyer;
  name: string;
  amount: Money;
  every: 'month' | null;
  sharing?: Sharing;
};
/** A subscription with a card that is on file, without a page. */
export type NewDirectSubscription = Omit<NewSubscription, keyof Visit> & { card: string; reference: Reference };
export type NewCoupon = {
  id: string;
  off: { percent: number } | Money;
  length: CouponLength;
  maxRedemptions?: number;
  redeemBy?: Date;
};
/** Other terms from a moment on: what was previewed is charged for the same moment. */
export type Change = { price: Money; every: Interval; at: Date };
export type NewRefund = {
  /** All that is left, unless it is said. */
  amount?: Money;
  reference: Reference;
  /** From the connected account, and the platform's fee too. */
  takeBackShare?: boolean;
};

/** The present state of an object. Each throws `payments.not_found` for an id that is not there. */
export type Fetching = {
  customer(id: string): Promise<Customer>;
  card(id: string): Promise<Card>;
  checkout(id: string): Promise<Checkout>;
  subscription(id: string): Promise<Subscription>;
  payment(id: string): Promise<Payment>;
  invoice(id: string): Promise<Invoice>;
  refund(id: string): Promise<Refund>;
  dispute(id: string): Promise<Dispute>;
  coupon(id: string): Promise<Coupon>;
  account(id: string): Promise<Account>;
};

/**
 * Everything that has to do with cards and their money. Mutations take a key last. What fails is said in the errors of
 * `errors.ts`: `card_declined` and `authentication_required` where a card is charged, `coupon_not_redeemable` where one is
 * used, `conflict` where an object's state allows it no more, `not_found`; and of every verb `rate_limited`,
 * `unreachable` (try again with the same key), `refused` and `not_set_up`.
 */
export type PaymentsPort = {
  fetch: Fetching;

  createCustomer(
    said: { email: string; name: string; language: Language; reference: Reference },
    key: Key,
  ): Promise<Customer>;
  updateCustomer(
    id: string,
    change: { email?: string; name?: string; language?: Language },
    key: Key,
  ): Promise<Customer>;

  startCardSetup(said: Visit & { customer: string }, key: Key): Promise<Checkout>;
  /** Newest first. */
  listCards(customer: string): Promise<Card[]>;
  setDefaultCard(customer: string, card: string, key: Key): Promise<Card>;
  removeCard(card: string, key: Key): Promise<void>;

  startPurchase(said: NewPurchase, key: Key): Promise<Checkout>;
  startSubscription(said: NewSubscription, key: Key): Promise<Checkout>;
  startDonation(said: NewDonation, key: Key): Promise<Checkout>;
  /** Takes the page back, as when the item is no longer for sale. */
  expireCheckout(id: string, key: Key): Promise<Checkout>;
  subscribe(said: NewDirectSubscription, key: Key): Promise<Subscription>;

  /** @param change null: the next renewal */
  preview(subscription: string, change: Change | null): Promise<Preview>;
  /** Charged at once, with the unused part credited; where the card refuses, nothing changes. */
  changeSubscription(subscription: string, change: Change, key: Key): Promise<Subscription>;
  cancel(subscription: string, when: 'now' | 'at_period_end', key: Key): Promise<Subscription>;
  /** Takes a planned end back. */
  resume(subscription: string, key: Key): Promise<Subscription>;
  /** Periods go by unpaid until then. */
  pause(subscription: string, until: Date | null, key: Key): Promise<Subscription>;
  resumeCollection(subscription: string, key: Key): Promise<Subscription>;
  setSubscriptionCard(subscription: string, card: string, key: Key): Promise<Subscription>;

  createCoupon(said: NewCoupon, key: Key): Promise<Coupon>;
  /** Nobody can redeem it any more; who has it keeps it. */
  retireCoupon(id: string, key: Key): Promise<void>;

  refund(payment: string, said: NewRefund, key: Key): Promise<Refund>;
  listRefunds(payment: string): Promise<Refund[]>;

  /** Newest first. */
  listInvoices(customer: string, limit: number): Promise<Invoice[]>;
  /** Tries an open invoice once more, now. */
  payInvoice(invoice: string, key: Key): Promise<Invoice>;

  answerDispute(dispute: string, text: string, key: Key): Promise<Dispute>;
  acceptDispute(dispute: string, key: Key): Promise<Dispute>;

  createAccount(said: { email: string; country: string; reference: Reference }, key: Key): Promise<Account>;
  /** A page, good for some minutes, where the account's owner gives what is missing. */
  startAccountSetup(
    account: string,
    said: { returnUrl: string; refreshUrl: string },
    key: Key,
  ): Promise<{ url: string; expiresAt: Date }>;

  /** Throws `payments.signature_invalid`. @param now for the age of the signature */
  readWebhook(body: string, signature: string, now: Date): Promise<PaymentEvent>;
};

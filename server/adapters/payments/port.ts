import type { Language } from '~/locales/languages';
import type { Money } from '../../base/money';
import type { BookOperations, IdempotencyKey, Page } from './book-port';
import type {
  Account,
  Card,
  Checkout,
  Coupon,
  CouponLength,
  Customer,
  Dispute,
  EndPreview,
  Interval,
  Invoice,
  Leaving,
  Payment,
  PaymentWarning,
  Preview,
  Reference,
  Refund,
  Subscription,
} from './objects';
import type { PaymentEvent } from './payment-events';
import type { ReturnOperations } from './return-port';
import type { SetupOperations } from './setup-port';

/** The amount goes to a connected account, less the platform's fee. */
export type Sharing = { account: string; fee: Money };
/** Sharing with a percentage of the amount really paid, after coupons, with at most two decimals. */
export type PercentSharing = { account: string; feePercent: number };
/** The application fee of direct charges on a connected account: a percentage of the amount paid, with two decimals. */
export type PlatformShare = { feePercent: number };
/** One-time payments may state an amount instead. */
export type PlatformFee = { fee: Money } | PlatformShare;
export type CheckoutPage = {
  /** `{CHECKOUT_SESSION_ID}` is replaced by the checkout's id. */
  successUrl: string;
  cancelUrl: string;
  language: Language;
  reference: Reference;
  /**
   * When the page closes, 30 minutes to 24 hours from now; 24 hours if not given. A payment that has not succeeded by
   * then fails. A repeated call with the same key must have the same value.
   */
  expiresAt?: Date;
};
/** The seller on the page, receipts, invoices and card statements. `label`: "Sold by", in the buyer's language. */
export type Seller = { label: string; name: string };
export type Buyer = { customer: string } | { email: string };

export type NewPurchase = CheckoutPage & {
  buyer: Buyer;
  name: string;
  price: Money;
  coupon?: string;
  sharing?: Sharing | PercentSharing;
  platformFee?: PlatformFee;
  seller?: Seller;
  /** Also creates an invoice, and a customer if the buyer is only an email address. */
  invoice?: boolean;
  /** Keeps the card for later payments, and creates a customer if the buyer is only an email address. */
  savesCard?: boolean;
};
export type NewSubscription = CheckoutPage & {
  customer: string;
  name: string;
  price: Money;
  every: Interval;
  trialDays?: number;
  coupon?: string;
  sharing?: PercentSharing;
  platformFee?: PlatformShare;
  /** Invoices of a checkout name the seller only after `setSeller`. */
  seller?: Seller;
};
/** Monthly donations are subscriptions, which share a percentage: a fixed amount could not be met to the cent. */
export type NewDonation = CheckoutPage & {
  buyer: Buyer;
  name: string;
  amount: Money;
  seller?: Seller;
} & (
    | { every: null; sharing?: Sharing | PercentSharing; platformFee?: PlatformFee; savesCard?: boolean }
    | { every: 'month'; sharing?: PercentSharing; platformFee?: PlatformShare }
  );
/** A subscription with a saved card, without a checkout page. */
export type NewDirectSubscription = Omit<NewSubscription, keyof CheckoutPage> & { card: string; reference: Reference };
/**
 * A subscription that has run in another account and continues here: the first charge comes exactly at `renewsAt`,
 * which is in the future. `startedAt`: in the past. `at`: the time of the first attempt; a repeated call states the
 * same moment. If the renewal is more than one period away, the subscription begins with a trial until then.
 */
export type ImportedSubscription = {
  customer: string;
  card: string;
  name: string;
  price: Money;
  every: Interval;
  at: Date;
  renewsAt: Date;
  startedAt?: Date;
  coupon?: string;
  /** Set on a connected account. */
  platformFee?: PlatformShare;
  sharing?: PercentSharing;
  reference: Reference;
};
/** A payment with a saved card while the customer is absent. */
export type NewCharge = {
  customer: string;
  card: string;
  amount: Money;
  name: string;
  reference: Reference;
  sharing?: Sharing | PercentSharing;
  platformFee?: PlatformFee;
  seller?: Seller;
};
export type NewCoupon = {
  id: string;
  off: { percent: number } | Money;
  length: CouponLength;
  maxRedemptions?: number;
  redeemBy?: Date;
};
/**
 * New terms from a moment on. Use the preview's moment, so that the charge equals the preview. `reference` is added to
 * the subscription's own. `isPaid`: the rest of the period was paid otherwise, so nothing is charged or credited now.
 */
export type Change = { price: Money; every: Interval; at: Date; reference?: Reference; isPaid?: boolean };
/**
 * When a subscription ends, and what becomes of the money for the unused time:
 * - `at_period_end`: no unused time is left.
 * - `now`: the money is lost, unless the caller refunds it (`previewEnd`).
 * - `now_with_credit`: the money becomes the customer's credit with the provider (`Customer.credit`), which later
 *   invoices of this customer use up. No money goes back to the card. A trial or an unpaid period gives no credit.
 */
export type Ending = 'at_period_end' | 'now' | 'now_with_credit';
export type Cancellation = { when: Ending; leaving?: Leaving };
export type PaymentPage = Page & { since?: Date; customer?: string };
/** A part of the list of events, oldest first: those after an event, or all since a moment. */
export type EventPage = { limit: number } & ({ after: string } | { since: Date });

/** The present state of an object. Each throws `payments.not_found` for an unknown id. */
export type FetchOperations = {
  customer(id: string): Promise<Customer>;
  card(id: string): Promise<Card>;
  checkout(id: string): Promise<Checkout>;
  subscription(id: string): Promise<Subscription>;
  payment(id: string): Promise<Payment>;
  invoice(id: string): Promise<Invoice>;
  refund(id: string): Promise<Refund>;
  dispute(id: string): Promise<Dispute>;
  warning(kind: PaymentWarning['kind'], id: string): Promise<PaymentWarning>;
  coupon(id: string): Promise<Coupon>;
  account(id: string): Promise<Account>;
};

/**
 * Card payments, subscriptions and payouts. Mutations take an idempotency key last. Failures are the errors of
 * `errors.ts`:
 * `card_declined` and `authentication_required` when a card is charged, `coupon_not_redeemable` when a coupon is used,
 * `conflict` when the object's state does not allow the call, and `not_found`. Every call can also fail with
 * `rate_limited`, `unreachable` (retry with the same key), `rejected` and `not_set_up`.
 */
export type PaymentsPort = BookOperations &
  ReturnOperations & {
    /** The connected account on which this port acts; null: our own account. */
    account: string | null;
    /** The port for a connected account: objects are the account's, and charges are direct. Null: our own account. */
    on(account: string | null): PaymentsPort;
    /** The same port for work without a waiting user: its calls let all others pass, and wait longer for their turn. */
    inBackground(): PaymentsPort;
    fetch: FetchOperations;
    setup: SetupOperations;
    createCustomer(
      input: { email: string; name: string; language: Language; reference: Reference },
      key: IdempotencyKey,
    ): Promise<Customer>;
    updateCustomer(
      id: string,
      change: { email?: string; name?: string; language?: Language },
      key: IdempotencyKey,
    ): Promise<Customer>;
    /**
     * Sets the customer's remaining credit, and stores the reason in the reference. Read the reference before you repeat
     * the call.
     */
    setCredit(id: string, left: { minor: number; reference: Reference }, key: IdempotencyKey): Promise<Customer>;
    /** Removes the customer at the provider; payments and invoices stay. Running subscriptions would end at once. */
    deleteCustomer(id: string): Promise<void>;

    startCardSetup(input: CheckoutPage & { customer: string }, key: IdempotencyKey): Promise<Checkout>;
    /** Newest first. */
    listCards(customer: string): Promise<Card[]>;
    setDefaultCard(customer: string, card: string, key: IdempotencyKey): Promise<Card>;
    removeCard(card: string, key: IdempotencyKey): Promise<void>;
    /** Copies a card of this account's customer to one of a connected account, without the card's owner. */
    copyCard(
      from: { customer: string; card: string },
      to: { account: string; customer: string },
      key: IdempotencyKey,
    ): Promise<Card>;

    startPurchase(input: NewPurchase, key: IdempotencyKey): Promise<Checkout>;
    startSubscription(input: NewSubscription, key: IdempotencyKey): Promise<Checkout>;
    startDonation(input: NewDonation, key: IdempotencyKey): Promise<Checkout>;
    /** Closes the page, for example when the item is no longer for sale. */
    expireCheckout(id: string, key: IdempotencyKey): Promise<Checkout>;
    subscribe(input: NewDirectSubscription, key: IdempotencyKey): Promise<Subscription>;
    /**
     * Charges a saved card once. `card_declined` and `authentication_required` charge nothing: the customer can then pay
     * with `startPurchase`. Repeating the key repeats the failure.
     */
    charge(input: NewCharge, key: IdempotencyKey): Promise<Payment>;

    /** @param change null for the next renewal */
    preview(subscription: string, change: Change | null): Promise<Preview>;
    /** Charges at once and credits the unused time. If the card is declined, nothing changes. */
    changeSubscription(subscription: string, change: Change, key: IdempotencyKey): Promise<Subscription>;
    cancel(subscription: string, how: Ending | Cancellation, key: IdempotencyKey): Promise<Subscription>;
    /**
     * Computes the refund to the card if a subscription ends at a moment of its present period. Keep the result before
     * the first call: `cancel` it with `now`, then `refund` each part with a key of its own.
     */
    previewEnd(subscription: string, at: Date): Promise<EndPreview>;
    /** Undoes a scheduled cancellation. */
    resume(subscription: string, key: IdempotencyKey): Promise<Subscription>;
    /** Periods until then are not charged. */
    pause(subscription: string, until: Date | null, key: IdempotencyKey): Promise<Subscription>;
    resumeCollection(subscription: string, key: IdempotencyKey): Promise<Subscription>;
    /** Replaces the discount of later invoices; null removes it. Paid invoices stay as they are. */
    setSubscriptionCoupon(subscription: string, coupon: string | null, key: IdempotencyKey): Promise<Subscription>;
    /**
     * Moves the end of a trial, or makes the time until then free. `now` charges at once; if the card is declined,
     * nothing changes.
     */
    setTrialEnd(subscription: string, at: Date | 'now', key: IdempotencyKey): Promise<Subscription>;
    /** Names the seller on later invoices. */
    setSeller(subscription: string, seller: Seller, key: IdempotencyKey): Promise<Subscription>;
    setSubscriptionCard(subscription: string, card: string, key: IdempotencyKey): Promise<Subscription>;
    importSubscription(input: ImportedSubscription, key: IdempotencyKey): Promise<Subscription>;
    /** Takes over a running subscription: only the reference and the platform's fee change. */
    adoptSubscription(
      subscription: string,
      input: { reference: Reference; platformFee?: PlatformShare },
      key: IdempotencyKey,
    ): Promise<Subscription>;
    /** Sets the platform's fee for the next payments of a connected account's subscription; null for none. */
    setPlatformFee(subscription: string, share: PlatformShare | null, key: IdempotencyKey): Promise<Subscription>;

    /**
     * Sets the account that gets a part of the next payments of a subscription on our account, and the size of that part;
     * null for us alone. Earlier payments stay as they are.
     */
    setShare(subscription: string, sharing: PercentSharing | null, key: IdempotencyKey): Promise<Subscription>;
    createCoupon(input: NewCoupon, key: IdempotencyKey): Promise<Coupon>;
    /** No new redemptions; existing ones stay valid. */
    retireCoupon(id: string, key: IdempotencyKey): Promise<void>;

    /** Newest first. */
    listInvoices(customer: string, limit: number): Promise<Invoice[]>;
    /** Nobody can pay them any more, not even on their pages. Repeating it is harmless. */
    voidOpenInvoices(subscription: string): Promise<void>;
    /** Retries an open invoice now. */
    payInvoice(invoice: string, key: IdempotencyKey): Promise<Invoice>;

    /**
     * Catches up after missed webhooks. The provider keeps events for 30 days; an older cursor is `not_found`. Events can
     * arrive in the list some seconds late, so begin a little before the last handled event.
     */
    listEvents(page: EventPage): Promise<PaymentEvent[]>;
    /** Subscriptions in all states. */
    listSubscriptions(page: Page & { customer?: string }): Promise<Subscription[]>;
    /** Payments in all states. */
    listPayments(page: PaymentPage): Promise<Payment[]>;

    /** Whether the operator has allowed connecting accounts. */
    canConnect: boolean;
    /** The provider's page where the owner of a Standard account connects it. `state` comes back with the code. */
    oauthUrl(input: { state: string; returnUrl: string; email?: string; language: Language }): string;
    /** Exchanges the code that came back; it works once. Throws `payments.not_found` for an unknown or a used one. */
    connect(code: string): Promise<Account>;
    /** Afterwards we can't act on the account, and get no more events from it. Repeating it is harmless. */
    disconnect(account: string): Promise<void>;
    createAccount(
      input: { email: string; country: string; reference: Reference },
      key: IdempotencyKey,
    ): Promise<Account>;
    /** A page, valid for some minutes, where the account's owner fills in the missing details. */
    startAccountSetup(
      account: string,
      input: { returnUrl: string; refreshUrl: string },
      key: IdempotencyKey,
    ): Promise<{ url: string; expiresAt: Date }>;

    /** Throws `payments.signature_invalid`. @param now for the age of the signature */
    readWebhook(body: string, signature: string, now: Date): Promise<PaymentEvent>;
  };

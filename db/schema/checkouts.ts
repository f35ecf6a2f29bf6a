import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { PaymentEvent } from '~/server/adapters/payments/payment-events';
import type { PlanCode } from '~/server/limits/plans';
import { instant, ref, timestamps } from '../columns';
import { users } from './accounts';
import { coupons } from './coupons';
import { creators } from './creators';
import { products } from './products';

/**
 * The purpose of a payment. `show`: a subscription to a podcast or the purchase of an audio series; `gift`: access to a
 * show for another person; `plan`: the creator's own plan; `card`: nothing is paid, a card is stored.
 */
export type Purpose = 'show' | 'gift' | 'donation' | 'plan' | 'card';
export type PaidPurpose = Exclude<Purpose, 'card'>;
export type BillingInterval = 'month' | 'year';

/** The creator's own account at the payment provider, to which the object belongs; null: ours. */
export const sellerAccount = () => text('account');

/** Customers at the payment provider. Buyers who are not logged in get a customer of their own for each checkout. */
export const paymentCustomers = pgTable(
  'payment_customers',
  {
    providerId: text('provider_id').primaryKey(),
    /** Null until the checkout of a buyer without an account is settled. */
    userId: ref('user_id').references(() => users.id),
    /**
     * The customer that the account's new checkouts and cards use: one on our account, and one on each creator's own
     * account.
     */
    isMain: boolean('is_main').notNull().default(false),
    account: sellerAccount(),
    ...timestamps(),
  },
  (t) => [
    index('payment_customers_of_user').on(t.userId),
    uniqueIndex('payment_customers_main_once').on(t.userId, sql`coalesce(${t.account}, '')`).where(sql`${t.isMain}`),
  ],
);

/** Saved cards, as the payment provider last showed them. */
export const paymentCards = pgTable(
  'payment_cards',
  {
    providerId: text('provider_id').primaryKey(),
    customerId: text('customer_id').notNull(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    brand: text('brand').notNull(),
    last4: text('last4').notNull(),
    /** Equal for the same card number in one account of the provider. Null for cards that were not read since. */
    fingerprint: text('fingerprint'),
    expiresMonth: integer('expires_month').notNull(),
    expiresYear: integer('expires_year').notNull(),
    /** The first moment at which the card is no longer valid. */
    expiresAt: instant('expires_at').notNull(),
    isDefault: boolean('is_default').notNull(),
    account: sellerAccount(),
    ...timestamps(),
  },
  (t) => [index('payment_cards_of_user').on(t.userId)],
);

/** The item of a checkout, at the terms that the buyer saw. Amounts are in minor units. */
export type CheckoutTerms = {
  /** The item's name on receipts and the payment page. */
  name: string;
  /** The price before the coupon. */
  priceMinor: number;
  currency: 'eur' | 'usd';
  /** Null for a one-time payment. */
  every: BillingInterval | null;
  trialDays?: number;
  /** The subscription has run elsewhere: earlier payments are not our sales. */
  isBrought?: boolean;
  plan?: PlanCode;
  /**
   * An upgrade whose charge the card's owner had to confirm: the subscription (its id at the provider) changes after
   * that.
   */
  planChange?: { subscription: string; from: PlanCode; at?: string; isApplied: boolean };
  /** Months of access that a gift gives; undefined for an audio series, where access does not end. */
  giftMonths?: number;
  /** The recipient of a gift. With an address, they get an email. `title`: the name on the payment page. */
  gift?: {
    title: string;
    recipientName: string;
    recipientEmail: string | null;
    message: string;
    giverName?: string;
  };
  /** The name of a buyer without an account, for the account that the payment creates. */
  buyerName?: string;
  /** The buyer agrees that the card of a single payment is kept for later ones. */
  savesCard?: true;
  donation?: { name: string; message: string; isAnonymous: boolean };
  /** Our fee for a sale on the creator's own account: for one payment, or for each payment of a subscription. */
  fee?: { minor: number } | { percent: number };
  /** The recommendation by whose link the buyer came. */
  recommendationId?: number;
  /** For a card that is used only for this subscription. */
  subscriptionId?: number;
};

/**
 * An attempt to pay. The row is committed before the payment provider is called: its id is the idempotency key and the
 * `checkout` of the provider's reference, so a crash in between neither loses nor repeats a payment.
 */
export const checkouts = pgTable(
  'checkouts',
  {
    id: uuid('id').primaryKey(),
    purpose: text('purpose').$type<Purpose>().notNull(),
    /** Null for a buyer without an account, until the checkout is settled. */
    userId: ref('user_id').references(() => users.id),
    /** Set for a buyer without an account. */
    email: text('email'),
    /** SHA-256 of a secret in the browser of a buyer without an account. */
    browserHash: text('browser_hash'),
    productId: ref('product_id').references(() => products.id),
    creatorId: ref('creator_id').references(() => creators.id),
    couponId: ref('coupon_id').references(() => coupons.id),
    terms: jsonb('terms').$type<CheckoutTerms>().notNull(),
    language: text('language').$type<'en' | 'es'>().notNull(),
    /** The country of the buyer's IP address (ISO 3166-1 alpha-2): evidence for VAT. */
    ipCountry: text('ip_country'),
    status: text('status').$type<'open' | 'settled' | 'closed'>().notNull().default('open'),
    providerId: text('provider_id'),
    /** The address of the payment page. */
    url: text('url'),
    customerId: text('customer_id'),
    account: sellerAccount(),
    expiresAt: instant('expires_at').notNull(),
    settledAt: instant('settled_at'),
    /** Whether the settlement created the account: the paying browser is logged in to it. */
    createdAccount: boolean('created_account').notNull().default(false),
    /** Why a settled checkout gave no access, and was refunded. */
    refusedFor: text('refused_for').$type<'already_subscribed' | 'not_for_sale' | 'trial_used'>(),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('checkouts_provider_once').on(t.providerId),
    // two tabs in which a buyer buys the same show share one payment page
    uniqueIndex('checkouts_open_once')
      .on(t.userId, t.productId)
      .where(sql`${t.status} = 'open' and ${t.purpose} = 'show' and ${t.userId} is not null`),
    uniqueIndex('checkouts_open_plan_once').on(t.userId).where(sql`${t.status} = 'open' and ${t.purpose} = 'plan'`),
    index('checkouts_open').on(t.expiresAt).where(sql`${t.status} = 'open'`),
    // swept after a while
    index('checkouts_closed').on(t.updatedAt).where(sql`${t.status} = 'closed'`),
    index('checkouts_of_guest').on(t.email).where(sql`${t.userId} is null`),
    index('checkouts_of_product').on(t.productId, t.createdAt),
    index('checkouts_of_user').on(t.userId),
    index('checkouts_of_coupon').on(t.couponId),
    check('checkouts_buyer', sql`${t.userId} is not null or ${t.email} is not null`),
  ],
);

/** Events of the payment provider, by its id: each is handled once, and repeated only after a failure. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    id: text('id').primaryKey(),
    event: jsonb('event').$type<PaymentEvent>().notNull(),
    /** When the provider created it. */
    at: instant('at').notNull(),
    receivedAt: instant('received_at').notNull(),
    handledAt: instant('handled_at'),
    /** When its handling was last enqueued again, after its job ran out of attempts. */
    retriedAt: instant('retried_at'),
  },
  (t) => [
    index('payment_events_waiting').on(t.retriedAt.asc().nullsFirst(), t.receivedAt).where(sql`${t.handledAt} is null`),
    index('payment_events_at').on(t.at),
  ],
);

import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { PlanCode } from '~/server/limits/plans';
import { id, instant, minor, ref, timestamps } from '../columns';
import { users } from './accounts';
import { type BillingInterval, checkouts, type PaidPurpose } from './checkouts';
import { coupons } from './coupons';
import { creators } from './creators';
import { products } from './products';

const currency = () => text('currency').$type<'eur' | 'usd'>().notNull();

/**
 * Why a subscription ends. Only those ended by a removed card resume with a new card. `refunded`: at once, because its show
 * becomes free, and the unused part is refunded; no other reason replaces it.
 */
export type EndReason =
  | 'subscriber'
  | 'creator'
  | 'card_removed'
  | 'unpaid'
  | 'show_becomes_free'
  | 'refunded'
  | 'account_deleted'
  | 'duplicate';

/** Recurring payments, as the payment provider last showed them: to shows, monthly donations and plans of creators. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: id(),
    providerId: text('provider_id').notNull(),
    customerId: text('customer_id').notNull(),
    checkoutId: uuid('checkout_id').references(() => checkouts.id),
    purpose: text('purpose').$type<'show' | 'donation' | 'plan'>().notNull(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id),
    /** The creator who is paid; for a plan, the one who pays. */
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    productId: ref('product_id').references(() => products.id),
    plan: text('plan').$type<PlanCode>(),
    status: text('status')
      .$type<'incomplete' | 'trialing' | 'active' | 'past_due' | 'unpaid' | 'paused' | 'canceled' | 'expired'>()
      .notNull(),
    priceMinor: minor('price_minor').notNull(),
    currency: currency(),
    every: text('every').$type<BillingInterval>().notNull(),
    startedAt: instant('started_at').notNull(),
    periodStart: instant('period_start').notNull(),
    periodEnd: instant('period_end').notNull(),
    trialEnd: instant('trial_end'),
    /** The scheduled end, if there is one. */
    endsAt: instant('ends_at'),
    endedAt: instant('ended_at'),
    endReason: text('end_reason').$type<EndReason>(),
    /** What the subscriber wrote when leaving. */
    leavingReason: text('leaving_reason'),
    /** Collection is paused; null without an end is "not paused". */
    pausedUntil: instant('paused_until'),
    /** Where the time that was paid before the pause ends, and access with it. */
    pausedFrom: instant('paused_from'),
    /** When the present failed renewal failed first; null once it is paid. */
    pastDueSince: instant('past_due_since'),
    /** The last day of the failed renewal (0, 3, 7, 12) about which an email was sent. */
    reminderSent: integer('reminder_sent'),
    /** The moment for which the unused part was stored (`endRefunds`), before the provider ends a `refunded` one. */
    refundPlannedAt: instant('refund_planned_at'),
    /** When the subscriber was told what goes back. */
    refundToldAt: instant('refund_told_at'),
    cardId: text('card_id'),
    latestInvoice: text('latest_invoice'),
    syncedAt: instant('synced_at').notNull(),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('subscriptions_provider_once').on(t.providerId),
    // a second running one is a mistake, which the sync refunds
    uniqueIndex('subscriptions_running_once')
      .on(t.userId, t.productId)
      .where(sql`${t.endedAt} is null and ${t.purpose} = 'show'`),
    uniqueIndex('subscriptions_running_plan_once')
      .on(t.creatorId)
      .where(sql`${t.endedAt} is null and ${t.purpose} = 'plan'`),
    index('subscriptions_of_user').on(t.userId, t.id),
    index('subscriptions_of_product').on(t.productId, t.id),
    index('subscriptions_of_creator').on(t.creatorId, t.purpose, t.id),
    index('subscriptions_of_customer').on(t.customerId),
    index('subscriptions_past_due')
      .on(t.pastDueSince)
      .where(sql`${t.pastDueSince} is not null and ${t.endedAt} is null`),
    index('subscriptions_refunding').on(t.id).where(sql`${t.endReason} = 'refunded' and ${t.refundToldAt} is null`),
    check('subscriptions_item', sql`(${t.purpose} = 'show') = (${t.productId} is not null)`),
    check('subscriptions_plan', sql`(${t.purpose} = 'plan') = (${t.plan} is not null)`),
  ],
);

export type ReceiptParty = {
  name: string;
  street: string | null;
  postalCode: string | null;
  city: string | null;
  country: string | null;
  taxNumber: string | null;
};

/**
 * Every payment that succeeded, with all that the ledger needs later. Immutable, except for `refundedMinor` and what the
 * provider tells later (`providerFeeMinor`).
 */
export const sales = pgTable(
  'sales',
  {
    id: id(),
    /** The provider's payment. */
    paymentId: text('payment_id').notNull(),
    invoiceId: text('invoice_id'),
    checkoutId: uuid('checkout_id').references(() => checkouts.id),
    subscriptionId: ref('subscription_id').references(() => subscriptions.id),
    purpose: text('purpose').$type<PaidPurpose>().notNull(),
    userId: ref('user_id').references(() => users.id),
    /** Of a donor without an account. */
    email: text('email'),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    productId: ref('product_id').references(() => products.id),
    couponId: ref('coupon_id').references(() => coupons.id),
    /** What the receipt calls it. */
    name: text('name').notNull(),
    every: text('every').$type<BillingInterval>(),
    /** What was charged, after discount and credit. */
    amountMinor: minor('amount_minor').notNull(),
    currency: currency(),
    discountMinor: minor('discount_minor').notNull().default(0),
    refundedMinor: minor('refunded_minor').notNull().default(0),
    /** The creator's plan and the commission of Altavoz at the time of the charge. Zero for the payment of a plan. */
    plan: text('plan').$type<PlanCode>().notNull(),
    commissionBasisPoints: integer('commission_basis_points').notNull(),
    commissionFixedMinor: minor('commission_fixed_minor').notNull(),
    commissionMinor: minor('commission_minor').notNull(),
    /** The provider's own fee, in its own currency of account; null before it is known. */
    providerFeeMinor: minor('provider_fee_minor'),
    periodStart: instant('period_start'),
    periodEnd: instant('period_end'),
    paidAt: instant('paid_at').notNull(),
    /** Sequential within a legal entity: `A-000123`. */
    legalEntity: text('legal_entity').notNull(),
    receiptNumber: integer('receipt_number').notNull(),
    /** Who bought, as on the receipt. */
    buyer: jsonb('buyer').$type<ReceiptParty>().notNull(),
    seller: text('seller').notNull(),
    cardBrand: text('card_brand'),
    cardLast4: text('card_last4'),
    disputedAt: instant('disputed_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('sales_payment_once').on(t.paymentId),
    uniqueIndex('sales_receipt_once').on(t.legalEntity, t.receiptNumber),
    index('sales_of_creator').on(t.creatorId, t.paidAt),
    index('sales_of_product').on(t.productId, t.paidAt),
    index('sales_of_user').on(t.userId, t.paidAt),
    index('sales_of_subscription').on(t.subscriptionId, t.paidAt),
    index('sales_of_guest').on(t.email).where(sql`${t.userId} is null`),
    index('sales_of_checkout').on(t.checkoutId),
    check('sales_amount', sql`${t.amountMinor} > 0 and ${t.refundedMinor} between 0 and ${t.amountMinor}`),
    check('sales_commission', sql`${t.commissionMinor} between 0 and ${t.amountMinor}`),
  ],
);

/** The last receipt number of each legal entity: counted in the transaction of the sale, so none is missing. */
export const receiptCounters = pgTable('receipt_counters', {
  legalEntity: text('legal_entity').primaryKey(),
  last: integer('last').notNull(),
});

export const refunds = pgTable(
  'refunds',
  {
    providerId: text('provider_id').primaryKey(),
    saleId: ref('sale_id')
      .notNull()
      .references(() => sales.id),
    amountMinor: minor('amount_minor').notNull(),
    status: text('status').$type<'pending' | 'needs_action' | 'succeeded' | 'failed' | 'canceled'>().notNull(),
    reason: text('reason'),
    refundedAt: instant('refunded_at').notNull(),
    ...timestamps(),
  },
  (t) => [index('refunds_of_sale').on(t.saleId)],
);

/**
 * What goes back of each payment when a subscription ends early, stored before the provider ends it: afterwards, it can no
 * longer tell. `void`: nothing was left of the payment. `failed`: given up, and the creator was told.
 */
export const endRefunds = pgTable(
  'end_refunds',
  {
    subscriptionId: ref('subscription_id')
      .notNull()
      .references(() => subscriptions.id),
    paymentId: text('payment_id').notNull(),
    amountMinor: minor('amount_minor').notNull(),
    currency: currency(),
    status: text('status').$type<'due' | 'sent' | 'void' | 'failed'>().notNull().default('due'),
    /** Part of the idempotency key: a refund that has failed needs another one. */
    attempt: integer('attempt').notNull().default(0),
    dueAt: instant('due_at').notNull(),
    /** The provider's refund of the last attempt. */
    refundId: text('refund_id'),
    ...timestamps(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.paymentId] }),
    uniqueIndex('end_refunds_refund_once').on(t.refundId),
    index('end_refunds_due').on(t.dueAt).where(sql`${t.status} = 'due'`),
    check('end_refunds_amount', sql`${t.amountMinor} > 0`),
  ],
);

/** Subscriptions that were bought for somebody else; the link is redeemed once, within a year. */
export const gifts = pgTable(
  'gifts',
  {
    id: id(),
    /** SHA-256 of the link's token. */
    tokenHash: text('token_hash').notNull(),
    /** The token, sealed, for the giver's page. */
    sealedToken: text('sealed_token').notNull(),
    checkoutId: uuid('checkout_id')
      .notNull()
      .references(() => checkouts.id),
    giverId: ref('giver_id')
      .notNull()
      .references(() => users.id),
    productId: ref('product_id')
      .notNull()
      .references(() => products.id),
    /** Months of access; null for an audio series, which has no end. */
    months: integer('months'),
    recipientName: text('recipient_name').notNull().default(''),
    /** Who got the link by email; null if the giver passes it on. */
    recipientEmail: text('recipient_email'),
    message: text('message').notNull().default(''),
    expiresAt: instant('expires_at').notNull(),
    redeemedAt: instant('redeemed_at'),
    redeemedBy: ref('redeemed_by').references(() => users.id),
    /** The months that it gives begin after those that the person has already. Without an end, of an audio series. */
    accessFrom: instant('access_from'),
    accessUntil: instant('access_until'),
    /** When the person was told that it has ended. */
    endReportedAt: instant('end_reported_at'),
    /** Refunded: the link no longer works, and access from it has ended. */
    cancelledAt: instant('cancelled_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('gifts_token_once').on(t.tokenHash),
    uniqueIndex('gifts_checkout_once').on(t.checkoutId),
    index('gifts_of_giver').on(t.giverId),
    index('gifts_of_product').on(t.productId),
    index('gifts_of_receiver').on(t.redeemedBy),
    index('gifts_ending')
      .on(t.accessUntil)
      .where(sql`${t.accessUntil} is not null and ${t.endReportedAt} is null and ${t.cancelledAt} is null`),
  ],
);

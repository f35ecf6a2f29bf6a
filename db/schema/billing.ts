import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Dispute } from '~/server/adapters/payments/objects';
import type { PlanCode } from '~/server/limits/plans';
import { id, instant, minor, ref, timestamps } from '../columns';
import { users } from './accounts';
import { type BillingInterval, checkouts, type PaidPurpose, sellerAccount } from './checkouts';
import { coupons } from './coupons';
import { creators } from './creators';
import { products } from './products';

const currency = () => text('currency').$type<'eur' | 'usd'>().notNull();

/**
 * Why a subscription ends. Only those ended by a removed card resume with a new card. `refunded`: at once, because its show
 * becomes free, and the unused part is refunded; no other reason replaces it. `disputed`: at once, because the bank took a
 * payment back for good. `account_disconnected`: it runs on an account of the creator's that is no longer connected.
 * `account_suspended`: nobody can log in to the subscriber's account, so it is not charged. `taken_down`: an operator
 * withholds the show.
 */
export type EndReason =
  | 'subscriber'
  | 'creator'
  | 'card_removed'
  | 'unpaid'
  | 'show_becomes_free'
  | 'refunded'
  | 'account_deleted'
  | 'duplicate'
  | 'disputed'
  | 'account_disconnected'
  | 'account_suspended'
  | 'taken_down';

/** Recurring payments, as the payment provider last showed them: to shows, monthly donations and plans of creators. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: id(),
    providerId: text('provider_id').notNull(),
    customerId: text('customer_id').notNull(),
    account: sellerAccount(),
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
    /** On a creator's own account: the renewal for which the percentage of our fee was last set. */
    feeSetFor: instant('fee_set_for'),
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
    index('subscriptions_of_account').on(t.account, t.id).where(sql`${t.account} is not null`),
    index('subscriptions_fee_due').on(t.periodEnd).where(sql`${t.account} is not null and ${t.endedAt} is null`),
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

/** Who sold, besides the name, as it was when it was paid. */
export type SellerDetails = { address: string | null; vatNumber: string | null };

/** Why a payment contains the VAT that it does; `seller_is_creator`: it is the creator's to declare. */
export type VatBasis =
  | 'charged'
  | 'reverse_charge'
  | 'outside_eu'
  | 'donation'
  | 'not_registered'
  | 'seller_is_creator';
/** What shows where a buyer is (ISO 3166-1 alpha-2). */
export type LocationEvidence = {
  kind: 'billing_country' | 'card_country' | 'ip_country' | 'declared_country';
  country: string;
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
    /** The provider's charge of it. */
    chargeId: text('charge_id'),
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
    /** The VAT that the amount contains, and why it is that much. Unknown for payments before VAT was kept. */
    vatMinor: minor('vat_minor').notNull().default(0),
    vatBasisPoints: integer('vat_basis_points').notNull().default(0),
    /** Where the buyer is (ISO 3166-1 alpha-2), and what that follows from. */
    vatCountry: text('vat_country'),
    vatBasis: text('vat_basis').$type<VatBasis>(),
    vatEvidence: jsonb('vat_evidence').$type<LocationEvidence[]>().notNull().default([]),
    /** The creator's own account at the provider, if the payment went there. */
    sellerAccount: text('seller_account'),
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
    /** Null for payments before it was kept: the operator's present ones. */
    sellerDetails: jsonb('seller_details').$type<SellerDetails>(),
    cardBrand: text('card_brand'),
    cardLast4: text('card_last4'),
    /** When the buyer's bank took the payment back. It can't be refunded from then on, even if the bank returns it. */
    disputedAt: instant('disputed_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('sales_payment_once').on(t.paymentId),
    index('sales_of_charge').on(t.chargeId).where(sql`${t.sellerAccount} is not null`),
    uniqueIndex('sales_receipt_once').on(t.legalEntity, t.receiptNumber),
    index('sales_of_creator').on(t.creatorId, t.paidAt),
    index('sales_of_product').on(t.productId, t.paidAt),
    index('sales_of_user').on(t.userId, t.paidAt),
    index('sales_of_subscription').on(t.subscriptionId, t.paidAt),
    index('sales_of_guest').on(t.email).where(sql`${t.userId} is null`),
    index('sales_of_checkout').on(t.checkoutId),
    check('sales_amount', sql`${t.amountMinor} > 0 and ${t.refundedMinor} between 0 and ${t.amountMinor}`),
    check('sales_commission', sql`${t.commissionMinor} between 0 and ${t.amountMinor} - ${t.vatMinor}`),
    check('sales_vat', sql`${t.vatMinor} between 0 and ${t.amountMinor}`),
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

/** Payments that buyers have disputed with their banks, as the provider last showed them. */
export const disputes = pgTable(
  'disputes',
  {
    providerId: text('provider_id').primaryKey(),
    saleId: ref('sale_id')
      .notNull()
      .references(() => sales.id),
    amountMinor: minor('amount_minor').notNull(),
    /** `warning`: an inquiry of the bank, which takes nothing. */
    status: text('status').$type<Dispute['status']>().notNull(),
    reason: text('reason').notNull(),
    answerBy: instant('answer_by'),
    disputedAt: instant('disputed_at').notNull(),
    /** When we first saw it won, lost or closed. */
    closedAt: instant('closed_at'),
    ...timestamps(),
  },
  (t) => [
    index('disputes_of_sale').on(t.saleId),
    index('disputes_open').on(t.answerBy).where(sql`${t.closedAt} is null`),
  ],
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

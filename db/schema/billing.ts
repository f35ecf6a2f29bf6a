import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { EndReason } from '~/db/values/billing';
import type { Dispute } from '~/server/adapters/payments/objects';
import type { PlanCode } from '~/server/limits/plans';
import { id, instant, minor, ref, timestamps } from '../columns';
import { users } from './accounts';
import { type BillingInterval, checkouts, type PaidPurpose, sellerAccount } from './checkouts';
import { coupons } from './coupons';
import { creators } from './creators';
import { products } from './products';

const currency = () => text('currency').$type<'eur' | 'usd'>().notNull();

/** Recurring payments for shows, monthly donations and plans of creators, as the payment provider last showed them. */
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
    /** The creator who is paid; for a plan, the creator who pays. */
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
    /** The subscriber's comment when canceling. */
    leavingReason: text('leaving_reason'),
    /** When payment collection resumes; null if it is not paused. */
    pausedUntil: instant('paused_until'),
    /** When the time that was paid before the pause ends, and access with it. */
    pausedFrom: instant('paused_from'),
    /** When the present failed renewal first failed; null once it is paid. */
    pastDueSince: instant('past_due_since'),
    /** The provider's page on which the payer confirms a failed renewal to the bank; null if the card was declined. */
    confirmationUrl: text('confirmation_url'),
    /** The last day of the failed renewal (0, 3, 7, 12) about which an email was sent. */
    reminderSent: integer('reminder_sent'),
    /**
     * The moment for which the unused part was computed and stored (`endRefunds`), before the provider ends a
     * `refunded` subscription.
     */
    refundPlannedAt: instant('refund_planned_at'),
    /** When the subscriber got the email about the refund. */
    refundToldAt: instant('refund_told_at'),
    cardId: text('card_id'),
    latestInvoice: text('latest_invoice'),
    /** For a creator's own account: the renewal for which the percentage of our fee was last set. */
    feeSetFor: instant('fee_set_for'),
    syncedAt: instant('synced_at').notNull(),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('subscriptions_provider_once').on(t.providerId),
    // a second running subscription is a mistake, which the sync refunds
    uniqueIndex('subscriptions_running_once')
      .on(t.userId, t.productId)
      .where(sql`${t.endedAt} is null and ${t.purpose} = 'show'`),
    uniqueIndex('subscriptions_running_plan_once')
      .on(t.creatorId)
      .where(sql`${t.endedAt} is null and ${t.purpose} = 'plan'`),
    index('subscriptions_of_user').on(t.userId, t.id),
    index('subscriptions_of_product').on(t.productId, t.id),
    index('subscriptions_ending')
      .on(t.productId, sql`coalesce(${t.endsAt}, ${t.periodEnd})`)
      .where(sql`${t.endedAt} is null and ${t.purpose} = 'show'`),
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

/** The seller's details besides the name, as they were at the payment. */
export type SellerDetails = { address: string | null; vatNumber: string | null };

/**
 * Why a payment contains its amount of VAT. `charged`: VAT of the buyer's country. `charged_at_home`: a consumer in
 * another country of the Union pays the VAT of the seller's. `seller_is_creator`: the creator must declare it.
 */
export type VatBasis =
  | 'charged'
  | 'charged_at_home'
  | 'reverse_charge'
  | 'outside_eu'
  | 'donation'
  | 'not_registered'
  | 'seller_is_creator';
/** Evidence of a buyer's country (ISO 3166-1 alpha-2). An address may also show a region. */
export type LocationEvidence = {
  kind: 'billing_country' | 'card_country' | 'ip_country' | 'declared_country';
  country: string;
  postalCode?: string;
};

/**
 * Every successful payment, with all facts that the ledger needs later. Immutable, except for `refundedMinor` and facts
 * that the provider reports later (its fee, and when the money is available).
 */
export const sales = pgTable(
  'sales',
  {
    id: id(),
    /** The payment's id at the provider. */
    paymentId: text('payment_id').notNull(),
    /** The id of the payment's charge at the provider. */
    chargeId: text('charge_id'),
    invoiceId: text('invoice_id'),
    checkoutId: uuid('checkout_id').references(() => checkouts.id),
    subscriptionId: ref('subscription_id').references(() => subscriptions.id),
    purpose: text('purpose').$type<PaidPurpose>().notNull(),
    userId: ref('user_id').references(() => users.id),
    /** Set for a donor without an account. */
    email: text('email'),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    productId: ref('product_id').references(() => products.id),
    couponId: ref('coupon_id').references(() => coupons.id),
    /** The name on the receipt. */
    name: text('name').notNull(),
    every: text('every').$type<BillingInterval>(),
    /** The charged amount, after discount and credit. */
    amountMinor: minor('amount_minor').notNull(),
    currency: currency(),
    discountMinor: minor('discount_minor').notNull().default(0),
    /** Paid with credit, such as the unused part of the month before a change to yearly. */
    creditMinor: minor('credit_minor').notNull().default(0),
    refundedMinor: minor('refunded_minor').notNull().default(0),
    /** The creator's plan and our commission at the time of the charge. Zero for the payment of a plan. */
    plan: text('plan').$type<PlanCode>().notNull(),
    commissionBasisPoints: integer('commission_basis_points').notNull(),
    commissionFixedMinor: minor('commission_fixed_minor').notNull(),
    commissionMinor: minor('commission_minor').notNull(),
    /** The VAT that the amount contains, and the reason. Unknown for payments before VAT was recorded. */
    vatMinor: minor('vat_minor').notNull().default(0),
    vatBasisPoints: integer('vat_basis_points').notNull().default(0),
    /** The buyer's country (ISO 3166-1 alpha-2), for `charged_at_home` the seller's, and the evidence for the buyer's. */
    vatCountry: text('vat_country'),
    vatBasis: text('vat_basis').$type<VatBasis>(),
    vatEvidence: jsonb('vat_evidence').$type<LocationEvidence[]>().notNull().default([]),
    /** The creator's own account at the provider, if the payment went there. */
    sellerAccount: text('seller_account'),
    /** The provider's own fee; null before it is known. */
    providerFeeMinor: minor('provider_fee_minor'),
    /** The currency in which the provider takes its fee. Null for fees before it was recorded. */
    providerFeeCurrency: text('provider_fee_currency'),
    /** When the provider makes the money available; null before it is known, and for sales before it was recorded. */
    availableAt: instant('available_at'),
    periodStart: instant('period_start'),
    periodEnd: instant('period_end'),
    paidAt: instant('paid_at').notNull(),
    /** Sequential within a legal entity: `A-000123`. */
    legalEntity: text('legal_entity').notNull(),
    receiptNumber: integer('receipt_number').notNull(),
    /** The buyer, as on the receipt. */
    buyer: jsonb('buyer').$type<ReceiptParty>().notNull(),
    seller: text('seller').notNull(),
    /** Null for payments before these were recorded: they have the operator's present details. */
    sellerDetails: jsonb('seller_details').$type<SellerDetails>(),
    cardBrand: text('card_brand'),
    cardLast4: text('card_last4'),
    /** When the buyer's bank took the payment back. It can't be refunded then, unless the bank returns the money. */
    disputedAt: instant('disputed_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('sales_payment_once').on(t.paymentId),
    index('sales_of_charge').on(t.chargeId).where(sql`${t.sellerAccount} is not null`),
    uniqueIndex('sales_receipt_once').on(t.legalEntity, t.receiptNumber),
    index('sales_of_creator').on(t.creatorId, t.paidAt),
    index('sales_of_plan').on(t.creatorId, t.paidAt, t.id).where(sql`${t.purpose} = 'plan'`),
    index('sales_of_product').on(t.productId, t.paidAt),
    index('sales_of_user').on(t.userId, t.paidAt),
    index('sales_of_subscription').on(t.subscriptionId, t.paidAt),
    index('sales_of_guest').on(t.email).where(sql`${t.userId} is null`),
    index('sales_of_checkout').on(t.checkoutId),
    index('sales_of_coupon').on(t.couponId, t.paidAt).where(sql`${t.couponId} is not null`),
    check('sales_amount', sql`${t.amountMinor} > 0 and ${t.refundedMinor} between 0 and ${t.amountMinor}`),
    check('sales_commission', sql`${t.commissionMinor} between 0 and ${t.amountMinor} - ${t.vatMinor}`),
    check('sales_vat', sql`${t.vatMinor} between 0 and ${t.amountMinor}`),
  ],
);

/**
 * The last receipt number of each legal entity. It is counted in the transaction of the sale, so no number is missing.
 */
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
    /** When we first saw the dispute won, lost or closed. */
    closedAt: instant('closed_at'),
    ...timestamps(),
  },
  (t) => [
    index('disputes_of_sale').on(t.saleId),
    index('disputes_open').on(t.answerBy).where(sql`${t.closedAt} is null`),
  ],
);

/**
 * The refund of each payment when a subscription ends early. It is stored before the provider ends the subscription,
 * because the provider can't compute it afterwards. `void`: no amount of the payment was left. `failed`: we have given
 * up, and the creator got an email.
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
    /** `planned`: not to be refunded yet, because the money is still credit at the provider. */
    status: text('status').$type<'planned' | 'due' | 'sent' | 'void' | 'failed'>().notNull().default('due'),
    /** Part of the idempotency key: a retry after a failed refund needs another one. */
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

import { sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import {
  contactConsents,
  contactSegments,
  contactSources,
  contacts,
  contactTags,
  suppressions,
  taggedContacts,
  trackingConsents,
} from '~/db/schema/audience';
import { disputes, endRefunds, refunds, sales, subscriptions } from '~/db/schema/billing';
import { checkouts, paymentCustomers } from '~/db/schema/checkouts';
import { couponRedemptions, coupons } from '~/db/schema/coupons';
import { creditNotes } from '~/db/schema/credit-notes';
import { donationSettings, donations } from '~/db/schema/donations';
import { gifts } from '~/db/schema/gifts';
import { episodeEmailOptOuts } from '~/db/schema/notifications';
import { type ExportedTable, ofCreator, ofProducts, PEOPLE, seenGrants, TIMES, words } from './exported-table';

/** Excludes plan payments, which stay in the installation's books. */
const paidToCreator = (creatorId: number) => sql`t.creator_id = ${creatorId} and t.purpose <> 'plan'`;
const ofContacts = (creatorId: number) =>
  sql`t.contact_id in (select id from contacts where creator_id = ${creatorId})`;
const PROVIDER = 'the payment provider of each installation has its own';

/** Contacts, subscribers and their payments. In this order, rows refer only to earlier rows. */
export const AUDIENCE_TABLES: ExportedTable[] = [
  {
    name: 'contacts',
    table: contacts,
    where: ofCreator,
    columns: words(
      `id email name source status inactive_as status_reason status_at language since confirmed_at ${TIMES}`,
    ),
    refs: { creator_id: 'creators', user_id: PEOPLE },
  },
  {
    name: 'contact_tags',
    table: contactTags,
    where: ofCreator,
    columns: words('id name created_at'),
    refs: { creator_id: 'creators' },
    isLater: true,
  },
  {
    name: 'tagged_contacts',
    table: taggedContacts,
    where: ofContacts,
    columns: [],
    refs: { tag_id: 'contact_tags', contact_id: 'contacts' },
    isLater: true,
    identity: ['tag_id', 'contact_id'],
  },
  {
    name: 'contact_sources',
    table: contactSources,
    where: ofContacts,
    columns: words('source created_at'),
    refs: { contact_id: 'contacts', creator_id: 'creators' },
    isLater: true,
    identity: ['contact_id', 'source'],
  },
  {
    name: 'contact_consents',
    table: contactConsents,
    where: ofContacts,
    columns: words('given_at source text'),
    refs: { contact_id: 'contacts' },
    isLater: true,
    identity: ['contact_id', 'given_at', 'source'],
  },
  {
    name: 'tracking_consents',
    table: trackingConsents,
    where: ofContacts,
    columns: words('given_at text withdrawn_at'),
    refs: { contact_id: 'contacts' },
    // nobody signs a backup, so it proves no consent
    adapt: async (row) => ({ ...row, withdrawn_at: row.withdrawn_at ?? row.given_at }),
    leftOut: {
      last_seen_on: 'kept only while the creator has the setting on, which is off after an import',
      creator_id: 'a trigger sets it',
    },
    isLater: true,
    identity: ['contact_id', 'given_at'],
  },
  {
    name: 'suppressions',
    table: suppressions,
    where: ofCreator,
    columns: words('address_digest reason created_at'),
    refs: { creator_id: 'creators' },
    isLater: true,
    identity: ['creator_id', 'address_digest'],
  },
  {
    name: 'contact_segments',
    table: contactSegments,
    where: ofCreator,
    columns: words(`id name filter ${TIMES}`),
    refs: { creator_id: 'creators' },
    isLater: true,
  },
  {
    name: 'episode_email_opt_outs',
    table: episodeEmailOptOuts,
    where: ofProducts,
    columns: words('email created_at'),
    refs: { product_id: 'products' },
    identity: ['email', 'product_id'],
  },
  {
    name: 'coupons',
    table: coupons,
    where: ofCreator,
    columns: words(
      `id code percent amount_minor currency duration months max_redemptions taken ends_at disabled_at ${TIMES}`,
    ),
    refs: { creator_id: 'creators', product_id: 'products' },
    leftOut: { provider_id: PROVIDER, accounts: PROVIDER },
  },
  {
    name: 'payment_customers',
    table: paymentCustomers,
    where: (creatorId) =>
      sql`t.user_id is not null and t.provider_id in (
        select customer_id from subscriptions where creator_id = ${creatorId} and purpose <> 'plan')`,
    columns: words(`provider_id account ${TIMES}`),
    refs: { user_id: PEOPLE },
    isShared: true,
    leftOut: { is_main: 'each installation chooses the customer for new purchases' },
    identity: ['provider_id'],
  },
  {
    name: 'checkouts',
    table: checkouts,
    where: (creatorId) => sql`t.creator_id = ${creatorId} and t.purpose not in ('plan', 'card') and (
      t.status = 'settled'
      or t.id in (select checkout_id from subscriptions where creator_id = ${creatorId})
      or t.id in (select checkout_id from sales where creator_id = ${creatorId}))`,
    columns: words(
      `id purpose email terms language ip_country status provider_id customer_id account expires_at settled_at
      created_account refused_for ${TIMES}`,
    ),
    refs: { user_id: PEOPLE, product_id: 'products', creator_id: 'creators', coupon_id: 'coupons' },
    leftOut: { browser_hash: 'secret: of the browser that paid', url: 'secret: of the payment page' },
    identity: ['id'],
  },
  {
    name: 'coupon_redemptions',
    table: couponRedemptions,
    where: (creatorId) =>
      sql`t.state = 'redeemed' and t.coupon_id in (select id from coupons where creator_id = ${creatorId})`,
    columns: words(`checkout_id state ${TIMES}`),
    refs: { coupon_id: 'coupons', user_id: PEOPLE },
    identity: ['checkout_id'],
  },
  {
    name: 'subscriptions',
    table: subscriptions,
    where: paidToCreator,
    columns: words(
      `id provider_id customer_id account checkout_id purpose plan status price_minor currency every started_at period_start
      period_end trial_end ends_at ended_at end_reason leaving_reason paused_until paused_from past_due_since
      reminder_sent refund_planned_at refund_told_at latest_invoice synced_at ${TIMES}`,
    ),
    refs: { user_id: PEOPLE, creator_id: 'creators', product_id: 'products' },
    leftOut: {
      card_id: 'card data',
      confirmation_url: 'a page of the payment provider',
      fee_set_for: 'work in progress of this installation',
    },
  },
  {
    name: 'sales',
    table: sales,
    where: paidToCreator,
    columns: words(
      `id payment_id charge_id invoice_id checkout_id purpose email name every amount_minor currency discount_minor credit_minor
      refunded_minor
      plan commission_basis_points commission_fixed_minor commission_minor vat_minor vat_basis_points vat_country
      vat_basis vat_evidence seller_account provider_fee_minor provider_fee_currency available_at period_start period_end paid_at legal_entity
      receipt_number buyer seller seller_details disputed_at ${TIMES}`,
    ),
    refs: {
      subscription_id: 'subscriptions',
      user_id: PEOPLE,
      creator_id: 'creators',
      product_id: 'products',
      coupon_id: 'coupons',
    },
    leftOut: { card_brand: 'card data', card_last4: 'card data' },
  },
  {
    name: 'refunds',
    table: refunds,
    where: (creatorId) =>
      sql`t.sale_id in (select id from sales where creator_id = ${creatorId} and purpose <> 'plan')`,
    columns: words(`provider_id amount_minor status reason refunded_at ${TIMES}`),
    refs: { sale_id: 'sales' },
    identity: ['provider_id'],
  },
  {
    name: 'disputes',
    table: disputes,
    where: (creatorId) =>
      sql`t.sale_id in (select id from sales where creator_id = ${creatorId} and purpose <> 'plan')`,
    columns: words(`provider_id amount_minor status reason answer_by disputed_at closed_at ${TIMES}`),
    refs: { sale_id: 'sales' },
    identity: ['provider_id'],
  },
  {
    name: 'credit_notes',
    table: creditNotes,
    where: (creatorId) =>
      sql`t.sale_id in (select id from sales where creator_id = ${creatorId} and purpose <> 'plan')`,
    columns: words(`id refund_id dispute_id kind legal_entity number amount_minor vat_minor issued_at ${TIMES}`),
    refs: { sale_id: 'sales' },
    isLater: true,
  },
  {
    name: 'end_refunds',
    table: endRefunds,
    where: (creatorId) =>
      sql`t.subscription_id in (select id from subscriptions where creator_id = ${creatorId} and purpose <> 'plan')`,
    columns: words(`payment_id amount_minor currency status attempt due_at refund_id ${TIMES}`),
    refs: { subscription_id: 'subscriptions' },
    identity: ['subscription_id', 'payment_id'],
  },
  {
    name: 'gifts',
    table: gifts,
    where: ofProducts,
    columns: words(
      `id checkout_id months giver_name recipient_name recipient_email message expires_at redeemed_at access_from access_until
      end_reported_at cancelled_at ${TIMES}`,
    ),
    refs: { giver_id: PEOPLE, product_id: 'products', redeemed_by: PEOPLE },
    leftOut: {
      token_hash: 'secret: the import makes a new link, which the giver sees',
      sealed_token: 'secret: the import makes a new link, which the giver sees',
    },
  },
  {
    name: 'grants',
    table: grants,
    where: seenGrants,
    columns: words(`id source starts_at ends_at drips_from renews renewal_stopped_at ${TIMES}`),
    refs: { user_id: PEOPLE, product_id: 'products' },
  },
  {
    name: 'donation_settings',
    table: donationSettings,
    where: ofCreator,
    columns: words(`goal_minor goal_title goal_since currency shows_wall thank_you_text ${TIMES}`),
    refs: { creator_id: 'creators' },
    identity: ['creator_id'],
  },
  {
    name: 'donations',
    table: donations,
    where: ofCreator,
    columns: words(
      `id checkout_id email name is_anonymous message amount_minor currency every hidden_at donated_at ${TIMES}`,
    ),
    refs: { subscription_id: 'subscriptions', creator_id: 'creators', user_id: PEOPLE },
  },
];

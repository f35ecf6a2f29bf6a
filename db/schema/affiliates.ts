import { sql } from 'drizzle-orm';
import { check, date, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, minor, ref } from '../columns';
import { REFUSALS, type Refusal } from '../values/affiliates';
import { users } from './accounts';
import { sales } from './billing';
import { creators } from './creators';

/** Creators who have joined the affiliate programme, by accepting its terms. */
export const affiliates = pgTable('affiliates', {
  creatorId: ref('creator_id')
    .primaryKey()
    .references(() => creators.id, { onDelete: 'cascade' }),
  termsAcceptedAt: instant('terms_accepted_at').notNull(),
});

/** `?ref={code}` names a link. It works while the account of its creator is open, and stays taken afterwards. */
export const affiliateLinks = pgTable(
  'affiliate_links',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => affiliates.creatorId, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    code: text('code'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('affiliate_links_code_once').on(t.code),
    index('affiliate_links_of_creator').on(t.creatorId, t.id),
    check('affiliate_links_code', sql`${t.code} ~ '^[a-z0-9-]{4,32}$'`),
  ],
);

const linkId = () =>
  ref('link_id')
    .notNull()
    .references(() => affiliateLinks.id, { onDelete: 'cascade' });

/** Browsers that a link has brought on a day (UTC), so that each counts once. Swept when its cookie has expired. */
export const affiliateVisits = pgTable(
  'affiliate_visits',
  {
    linkId: linkId(),
    day: date('day', { mode: 'string' }).notNull(),
    /** The random name of the browser in the cookie. */
    visitor: text('visitor').notNull(),
  },
  (t) => [primaryKey({ columns: [t.linkId, t.day, t.visitor] }), index('affiliate_visits_day').on(t.day)],
);

/** Visits by day (UTC). */
export const affiliateDays = pgTable(
  'affiliate_days',
  {
    linkId: linkId(),
    day: date('day', { mode: 'string' }).notNull(),
    visits: integer('visits').notNull(),
  },
  (t) => [primaryKey({ columns: [t.linkId, t.day] }), index('affiliate_days_day').on(t.day)],
);

/** Accounts that a link has brought: one affiliate at most for each account. A refused one brings nothing. */
export const referrals = pgTable(
  'referrals',
  {
    id: id(),
    linkId: linkId(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id),
    refusedFor: text('refused_for').$type<Refusal>(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('referrals_once').on(t.userId),
    index('referrals_of_link').on(t.linkId),
    check(
      'referrals_refused_for',
      sql`${t.refusedFor} in (${sql.raw(REFUSALS.map((reason) => `'${reason}'`).join(', '))})`,
    ),
  ],
);

/** The affiliate's share of a payment for a plan, and what refunds and disputes have taken back. In the ledger, too. */
export const affiliateShares = pgTable(
  'affiliate_shares',
  {
    saleId: ref('sale_id')
      .primaryKey()
      .references(() => sales.id),
    referralId: ref('referral_id')
      .notNull()
      .references(() => referrals.id),
    currency: text('currency').notNull(),
    amountMinor: minor('amount_minor').notNull(),
    returnedMinor: minor('returned_minor').notNull().default(0),
    /** When the share counts for payouts. */
    availableAt: instant('available_at').notNull(),
  },
  (t) => [
    index('affiliate_shares_of_referral').on(t.referralId),
    check('affiliate_shares_amount', sql`${t.amountMinor} > 0`),
    check('affiliate_shares_returned', sql`${t.returnedMinor} between 0 and ${t.amountMinor}`),
  ],
);

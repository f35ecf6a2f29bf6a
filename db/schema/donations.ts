import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { id, instant, minor, ref, timestamps } from '../columns';
import { users } from './accounts';
import { creators } from './creators';

/** A creator's settings for donations, besides the switch and the text of the creator page. */
export const donationSettings = pgTable('donation_settings', {
  creatorId: ref('creator_id')
    .primaryKey()
    .references(() => creators.id, { onDelete: 'cascade' }),
  /** A goal that the page shows with the donations since `goalSince`; null without a goal. */
  goalMinor: minor('goal_minor'),
  goalTitle: text('goal_title').notNull().default(''),
  goalSince: instant('goal_since'),
  currency: text('currency').$type<'eur' | 'usd'>().notNull(),
  /** Whether the page shows the names and messages of donors. */
  showsWall: boolean('shows_wall').notNull().default(false),
  thankYouText: text('thank_you_text').notNull().default(''),
  ...timestamps(),
});

/** A settled donation: a single one, or a subscription that pays monthly. Each payment is a sale. */
export const donations = pgTable(
  'donations',
  {
    id: id(),
    checkoutId: uuid('checkout_id').notNull(),
    /** Set for a monthly donation. */
    subscriptionId: ref('subscription_id'),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id),
    /** Null for a donor without an account. */
    userId: ref('user_id').references(() => users.id),
    email: text('email').notNull(),
    name: text('name').notNull(),
    /** The creator sees the name; the page doesn't show it. */
    isAnonymous: boolean('is_anonymous').notNull().default(false),
    message: text('message').notNull().default(''),
    amountMinor: minor('amount_minor').notNull(),
    currency: text('currency').$type<'eur' | 'usd'>().notNull(),
    every: text('every').$type<'month'>(),
    /** When the creator removed it from the wall of thanks. */
    hiddenAt: instant('hidden_at'),
    donatedAt: instant('donated_at').notNull(),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('donations_checkout_once').on(t.checkoutId),
    index('donations_of_creator').on(t.creatorId, t.donatedAt),
    index('donations_of_user').on(t.userId),
    index('donations_of_subscription').on(t.subscriptionId),
    check('donations_amount', sql`${t.amountMinor} between 100 and 50000`),
  ],
);

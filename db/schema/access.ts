import { sql } from 'drizzle-orm';
import { boolean, check, date, index, integer, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import { users } from './accounts';
import { creators } from './creators';
import { products } from './products';

/** Access of a user to a product, until a moment. Every subscription, purchase, free follow and gift is one row. */
export const grants = pgTable(
  'grants',
  {
    id: id(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    productId: ref('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    source: text('source').$type<'follow' | 'subscription' | 'purchase' | 'gift'>().notNull(),
    startsAt: instant('starts_at').notNull().defaultNow(),
    /** The moment from which the product's drip counts: the start, moved later by any time without access. */
    dripsFrom: instant('drips_from').notNull().defaultNow(),
    /** Null if access does not end. */
    endsAt: instant('ends_at'),
    /** Whether a subscription will be paid again at its end. */
    renews: boolean('renews').notNull().default(false),
    /** When the creator scheduled its end to make the show free: undoing that lets it renew again. */
    renewalStoppedAt: instant('renewal_stopped_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('grants_once').on(t.userId, t.productId, t.source),
    index('grants_of_product').on(t.productId, t.id),
    index('grants_ending').on(t.productId, t.endsAt),
    index('grants_not_renewing').on(t.productId, t.endsAt).where(sql`${t.source} = 'subscription' and not ${t.renews}`),
    check('grants_source', sql`${t.source} in ('follow', 'subscription', 'purchase', 'gift')`),
  ],
);

/**
 * Everyone who has or had access to a show, or paid for it: one row for each person and show, and one for each person
 * and creator. Triggers on `grants` and `sales` write it from the view `holder_facts` (docs/decisions/0290).
 */
export const holders = pgTable(
  'holders',
  {
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    /** Null: all shows of the creator together. */
    productId: ref('product_id').references(() => products.id, { onDelete: 'cascade' }),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The start of the first grant, or the first payment. `paid…`: without follows. */
    since: instant('since').notNull(),
    paidSince: instant('paid_since'),
    /** The end of the last grant: `infinity` without an end, null without a grant. */
    until: instant('until'),
    paidUntil: instant('paid_until'),
  },
  (t) => [
    unique('holders_once').on(t.creatorId, t.productId, t.userId).nullsNotDistinct(),
    index('holders_paid_since').on(t.creatorId, t.paidSince).where(sql`${t.productId} is null`),
    index('holders_of_user').on(t.userId, t.creatorId),
    index('holders_of_product').on(t.productId, t.userId),
    index('holders_until').on(t.creatorId, t.productId, t.until),
    index('holders_paid_until').on(t.creatorId, t.productId, t.paidUntil),
  ],
);

/**
 * The numbers of `holders` by the UTC day on which their access ends: `infinity` without an end, `-infinity` without
 * access. `isPaid`: without people who only follow. A trigger on `holders` adds and subtracts; foreign keys would make it
 * fail while a creator is deleted.
 */
export const holderCounts = pgTable(
  'holder_counts',
  {
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id'),
    isPaid: boolean('is_paid').notNull(),
    endsOn: date('ends_on', { mode: 'string' }).notNull(),
    people: integer('people').notNull(),
  },
  (t) => [unique('holder_counts_once').on(t.creatorId, t.productId, t.isPaid, t.endsOn).nullsNotDistinct()],
);

/**
 * The numbers of grants by the UTC day on which they end; `infinity` without an end. A trigger on `grants` adds and
 * subtracts; foreign keys would make it fail while a product is deleted.
 */
export const grantCounts = pgTable(
  'grant_counts',
  {
    productId: ref('product_id').notNull(),
    source: text('source').$type<(typeof grants.$inferSelect)['source']>().notNull(),
    endsOn: date('ends_on', { mode: 'string' }).notNull(),
    grants: integer('grants').notNull(),
  },
  (t) => [unique('grant_counts_once').on(t.productId, t.source, t.endsOn)],
);

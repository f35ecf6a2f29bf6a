import { sql } from 'drizzle-orm';
import { check, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { PlanCode } from '~/server/limits/plans';
import { instant, ref } from '../columns';
import { creators } from './creators';

const creatorId = () =>
  ref('creator_id')
    .notNull()
    .references(() => creators.id, { onDelete: 'cascade' });

/** The plan that a creator has chosen. Creators without a row have FREE after the trial. */
export const creatorPlans = pgTable('creator_plans', {
  creatorId: creatorId().primaryKey(),
  plan: text('plan').$type<PlanCode>().notNull(),
  since: instant('since').notNull().defaultNow(),
  /** When a cancelled plan ends or has ended: FREE from then on, even if the provider's event is late. */
  endsAt: instant('ends_at'),
});

/**
 * When a creator paid for which plan, for the commission of a sale that is recorded later. The creator can't have two
 * plans from one moment, and a later beginning ends what began before.
 */
export const planPeriods = pgTable(
  'plan_periods',
  {
    creatorId: creatorId(),
    startsAt: instant('starts_at').notNull(),
    /** Null while it runs. */
    endsAt: instant('ends_at'),
    plan: text('plan').$type<PlanCode>().notNull(),
    /** The provider's id of the subscription that pays for it. */
    subscription: text('subscription').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.creatorId, t.startsAt] }),
    check('plan_periods_end', sql`${t.endsAt} is null or ${t.endsAt} >= ${t.startsAt}`),
  ],
);

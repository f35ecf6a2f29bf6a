import { pgTable, text } from 'drizzle-orm/pg-core';
import type { PlanCode } from '~/server/limits/plans';
import { instant, ref } from '../columns';
import { creators } from './creators';

/** The plan that a creator has chosen. Creators without a row have FREE after the trial. */
export const creatorPlans = pgTable('creator_plans', {
  creatorId: ref('creator_id')
    .primaryKey()
    .references(() => creators.id, { onDelete: 'cascade' }),
  plan: text('plan').$type<PlanCode>().notNull(),
  since: instant('since').notNull().defaultNow(),
});

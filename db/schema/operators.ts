import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { id, instant, ref } from '../columns';
import { users } from './accounts';

/** Actions of operators on the command line. Rows are only added: triggers reject updates and deletes. */
export const operatorActions = pgTable(
  'operator_actions',
  {
    id: id(),
    /** The account of the operating system, or the given name. */
    operator: text('operator').notNull(),
    /** The name of the action, for example `payouts.paid`. */
    action: text('action').notNull(),
    /** The object of the action, such as `payout/{id}`. */
    target: text('target').notNull(),
    details: jsonb('details').$type<Record<string, string | number | null>>().notNull().default({}),
    at: instant('at').notNull(),
  },
  (t) => [index('operator_actions_of_target').on(t.target, t.id), index('operator_actions_at').on(t.at)],
);

/** Accounts that may open the operators' pages, with a second factor. */
export const operators = pgTable('operators', {
  userId: ref('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  addedAt: instant('added_at').notNull(),
  addedBy: text('added_by').notNull(),
});

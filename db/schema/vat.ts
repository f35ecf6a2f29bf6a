import { sql } from 'drizzle-orm';
import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { instant, timestamps } from '../columns';

/** The last answer of the register of VAT numbers (VIES) about a number. */
export const vatNumberChecks = pgTable(
  'vat_number_checks',
  {
    /** With the country's prefix, such as `ESB12345674`. */
    number: text('number').primaryKey(),
    /** `unknown`: the register could not be reached yet; until then the number's form counts. */
    status: text('status').$type<'valid' | 'invalid' | 'unknown'>().notNull(),
    /** The registered name, if the country publishes it. */
    name: text('name'),
    /** Proves the check, if the operator's own number was given with it. */
    requestId: text('request_id'),
    checkedAt: instant('checked_at'),
    ...timestamps(),
  },
  (t) => [
    index('vat_number_checks_waiting').on(t.updatedAt).where(sql`${t.status} = 'unknown'`),
    index('vat_number_checks_answered').on(t.checkedAt).where(sql`${t.status} <> 'unknown'`),
  ],
);

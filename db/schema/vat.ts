import { sql } from 'drizzle-orm';
import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { instant, timestamps } from '../columns';

/** What the register of VAT numbers (VIES) last said of a number. */
export const vatNumberChecks = pgTable(
  'vat_number_checks',
  {
    /** With the country's prefix, such as `ESB12345674`. */
    number: text('number').primaryKey(),
    /** `unknown`: the register could not be asked yet; until then the number's form counts. */
    status: text('status').$type<'valid' | 'invalid' | 'unknown'>().notNull(),
    /** Under which name it is registered, if the country tells. */
    name: text('name'),
    /** What proves the question, if the operator's own number was given with it. */
    requestId: text('request_id'),
    checkedAt: instant('checked_at'),
    ...timestamps(),
  },
  (t) => [
    index('vat_number_checks_waiting').on(t.updatedAt).where(sql`${t.status} = 'unknown'`),
    index('vat_number_checks_answered').on(t.checkedAt).where(sql`${t.status} <> 'unknown'`),
  ],
);

import { sql } from 'drizzle-orm';
import { boolean, check, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import { AUTOMATION_TRIGGERS, type AutomationTrigger } from '../values/automations';
import { contacts } from './audience';
import { creators } from './creators';
import { products } from './products';

const oneOf = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));

/** Emails that a creator's contacts get some time after an event. The steps are editions (`editions.automation_id`). */
export const automations = pgTable(
  'automations',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    trigger: text('trigger').$type<AutomationTrigger>().notNull(),
    /** The show that is bought or left; null for any show of the creator. */
    productId: ref('product_id').references(() => products.id, { onDelete: 'cascade' }),
    isActive: boolean('is_active').notNull().default(false),
    /** When it was switched on last: events before that enrol nobody. */
    activeSince: instant('active_since'),
    /** When it was deleted, if some of its emails had been sent: it is nowhere shown, and its steps are removed, too. */
    removedAt: instant('removed_at'),
    ...timestamps(),
  },
  (t) => [
    index('automations_of_creator').on(t.creatorId, t.id),
    index('automations_of_product').on(t.productId),
    check('automations_trigger', sql`${t.trigger} in (${oneOf(AUTOMATION_TRIGGERS)})`),
  ],
);

/** Contacts who are or were in an automation. The row makes sure that each is enrolled once. */
export const automationEnrolments = pgTable(
  'automation_enrolments',
  {
    automationId: ref('automation_id')
      .notNull()
      .references(() => automations.id, { onDelete: 'cascade' }),
    contactId: ref('contact_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    /** The show that was bought or left. */
    productId: ref('product_id').references(() => products.id, { onDelete: 'set null' }),
    /** The delays of the steps begin here. */
    enrolledAt: instant('enrolled_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.automationId, t.contactId] }),
    index('automation_enrolments_of_contact').on(t.contactId),
    index('automation_enrolments_of_product').on(t.productId),
  ],
);

/** The emails that a creator's automations have sent in a UTC month, which stay counted when a step is deleted. */
export const automationEmails = pgTable(
  'automation_emails',
  {
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    /** The first day. */
    month: date('month', { mode: 'string' }).notNull(),
    emails: integer('emails').notNull(),
  },
  (t) => [primaryKey({ columns: [t.creatorId, t.month] })],
);

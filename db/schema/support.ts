import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Language } from '~/locales/languages';
import { id, instant, ref } from '../columns';
import type { ReportReason, ReportState } from '../values/support';

/** Messages of the contact form. */
export const contactMessages = pgTable(
  'contact_messages',
  {
    id: id(),
    /** Shared by the messages from one address, so that mail programs show them as one conversation. */
    threadId: uuid('thread_id').notNull(),
    userId: ref('user_id'),
    name: text('name').notNull(),
    email: text('email').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    language: text('language').$type<Language>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('contact_messages_by_age').on(t.createdAt),
    index('contact_messages_of_address').on(t.email, t.createdAt),
  ],
);

/** Reports of illegal content or violations of the terms. A report outlives its subject, so it references no rows. */
export const abuseReports = pgTable(
  'abuse_reports',
  {
    id: id(),
    /** `episode/12`, as in the record of operations. */
    target: text('target').notNull(),
    creatorId: ref('creator_id').notNull(),
    productId: ref('product_id'),
    episodeId: ref('episode_id'),
    /** The subject's name and address when it was reported. */
    name: text('name').notNull(),
    url: text('url').notNull(),
    reason: text('reason').$type<ReportReason>().notNull(),
    text: text('text').notNull(),
    userId: ref('user_id'),
    reporterName: text('reporter_name'),
    reporterEmail: text('reporter_email'),
    language: text('language').$type<Language>().notNull(),
    state: text('state').$type<ReportState>().notNull().default('open'),
    /** The answer that the reporter got. */
    answer: text('answer'),
    decidedBy: text('decided_by'),
    decidedAt: instant('decided_at'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    check('abuse_reports_state', sql`${t.state} in ('open', 'dismissed', 'upheld')`),
    check('abuse_reports_decided', sql`(${t.state} = 'open') = (${t.decidedAt} is null)`),
    // a person can have only one open report about an object; without an address, the person is unknown
    uniqueIndex('abuse_reports_once').on(t.target, t.reporterEmail).where(sql`${t.state} = 'open'`),
    index('abuse_reports_by_state').on(t.state, t.createdAt),
    index('abuse_reports_decided_by_age').on(t.decidedAt),
    index('abuse_reports_open_of_creator').on(t.creatorId).where(sql`${t.state} = 'open'`),
    index('abuse_reports_of_user').on(t.userId),
    index('abuse_reports_of_address').on(t.reporterEmail),
  ],
);

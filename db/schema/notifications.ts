import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Language } from '~/locales/languages';
import { instant, ref } from '../columns';
import { sha256Of } from '../search';
import { products } from './products';

/** Rendered emails, inserted in the transaction that causes them. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: ref('user_id'),
    /** The creator in whose name it is sent; null for our own emails. */
    creatorId: ref('creator_id'),
    /** The show that the email is about, whose emails its reader may end. */
    productId: ref('product_id'),
    to: text('to').notNull(),
    topic: text('topic').notNull(),
    language: text('language').$type<Language>().notNull(),
    subject: text('subject').notNull(),
    html: text('html').notNull(),
    text: text('text').notNull(),
    /** Additional headers, such as Reply-To. */
    headers: jsonb('headers').$type<Record<string, string>>().notNull().default({}),
    attempts: integer('attempts').notNull().default(0),
    createdAt: instant('created_at').notNull().defaultNow(),
    sentAt: instant('sent_at'),
    failedAt: instant('failed_at'),
    failure: text('failure'),
    /**
     * Of an email that the sender of newsletters sends (kinds.ts): when it may be sent, or when the lease of a leased one
     * ends; null once it is settled.
     */
    dueAt: instant('due_at'),
    /** Why an email must not be sent again; null if a failed one may be. `complained`: its reader marked it as spam. */
    settledAs: text('settled_as').$type<'bounced' | 'unknown' | 'skipped' | 'complained'>(),
  },
  (t) => [
    index('outbox_failed').on(t.id).where(sql`${t.failedAt} is not null and ${t.sentAt} is null`),
    index('outbox_due').on(t.dueAt).where(sql`${t.dueAt} is not null`),
    index('outbox_by_age').on(t.createdAt),
    index('outbox_of_user').on(t.userId),
    index('outbox_digests').on(t.creatorId, sha256Of(t.to)).where(sql`${t.creatorId} is not null`),
    index('outbox_of_recipient').on(t.to, t.topic, t.createdAt),
  ],
);

/** Addresses that want no emails about a product's new episodes. */
export const episodeEmailOptOuts = pgTable(
  'episode_email_opt_outs',
  {
    email: text('email').notNull(),
    productId: ref('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.email, t.productId] })],
);

import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core';
import { instant, ref } from '../columns';
import { users } from './accounts';

/** A ticket to upload one file: its owner, purpose and size. Episodes and covers refer to the upload by its key. */
export const uploads = pgTable(
  'uploads',
  {
    key: text('key').primaryKey(),
    userId: ref('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose', {
      enum: [
        'episode_audio',
        'promo',
        'insertion_audio',
        'cover',
        'avatar',
        'chapter_image',
        'edition_picture',
        'newsletter_logo',
        'subscribers',
        'statistics',
        'contacts',
      ],
    }).notNull(),
    fileName: text('file_name').notNull(),
    contentType: text('content_type').notNull(),
    byteSize: bigint('byte_size', { mode: 'number' }).notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    receivedAt: instant('received_at'),
    /** A key works only once. */
    usedAt: instant('used_at'),
  },
  (t) => [index('uploads_of_user').on(t.userId, t.createdAt), index('uploads_expiry').on(t.expiresAt)],
);

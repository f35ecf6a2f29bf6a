import { and, asc, eq, gt } from 'drizzle-orm';
import { buyerNotes } from '~/db/schema/buyers';
import { creators } from '~/db/schema/creators';
import { EXPORT_LIMITS } from '../../../limits/accounts';
import type { Ctx } from '../../../runtime/ctx';
import type { UserRow } from '../base/queries';
import { type DataFile, inPages, jsonRows } from './rows';

/** Creators' notes about the person: personal data, although only the creators' teams see them (GDPR, article 15). */
export function notesAbout({ db }: Ctx, { id: userId }: UserRow): DataFile {
  const { creatorId, text, createdAt, updatedAt } = buyerNotes;
  const notes = inPages(
    (after) =>
      db
        .select({ creatorId, creator: creators.name, text, createdAt, updatedAt })
        .from(buyerNotes)
        .innerJoin(creators, eq(creators.id, creatorId))
        .where(and(eq(buyerNotes.userId, userId), gt(creatorId, after)))
        .orderBy(asc(creatorId))
        .limit(EXPORT_LIMITS.page),
    (row) => row.creatorId,
  );
  return { name: 'notes-about-you.json', rows: () => jsonRows(notes) };
}

/** A creator's notes about buyers. */
export function notesOf({ db }: Ctx, creatorId: number): DataFile {
  const notes = inPages(
    (after) =>
      db
        .select()
        .from(buyerNotes)
        .where(and(eq(buyerNotes.creatorId, creatorId), gt(buyerNotes.userId, after)))
        .orderBy(asc(buyerNotes.userId))
        .limit(EXPORT_LIMITS.page),
    ({ userId }) => userId,
  );
  return { name: 'notes-about-people.json', rows: () => jsonRows(notes) };
}

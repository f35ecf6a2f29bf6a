import { and, asc, eq, gt } from 'drizzle-orm';
import { buyerMessages, messageOptOuts } from '~/db/schema/buyers';
import { creators } from '~/db/schema/creators';
import { EXPORT_LIMITS } from '../../../limits/accounts';
import type { Ctx } from '../../../runtime/ctx';
import type { UserRow } from '../base/queries';
import { notesAbout, notesOf } from './buyer-notes';
import { type DataFile, inPages, jsonRows } from './rows';

/** Creators' notes about the person, their messages, and the creators who may not write to them. */
export function* fromCreators(ctx: Ctx, user: UserRow): Generator<DataFile, void> {
  const { db } = ctx;
  const userId = user.id;
  yield notesAbout(ctx, user);
  const { id, creatorId, subject, text, createdAt } = buyerMessages;
  const messages = inPages(
    (after) =>
      db
        .select({ id, creatorId, creator: creators.name, subject, text, createdAt })
        .from(buyerMessages)
        .innerJoin(creators, eq(creators.id, creatorId))
        .where(and(eq(buyerMessages.userId, userId), gt(id, after)))
        .orderBy(asc(id))
        .limit(EXPORT_LIMITS.page),
    (row) => row.id,
  );
  yield { name: 'messages-from-creators.json', rows: () => jsonRows(messages) };
  const stopped = inPages(
    (after) =>
      db
        .select()
        .from(messageOptOuts)
        .where(and(eq(messageOptOuts.userId, userId), gt(messageOptOuts.creatorId, after)))
        .orderBy(asc(messageOptOuts.creatorId))
        .limit(EXPORT_LIMITS.page),
    (row) => row.creatorId,
  );
  yield { name: 'stopped-messages.json', rows: () => jsonRows(stopped) };
}

/** A creator's notes about buyers, and the messages to them. */
export function* toBuyers(ctx: Ctx, creatorId: number): Generator<DataFile, void> {
  yield notesOf(ctx, creatorId);
  yield messagesOf(ctx, creatorId);
}

function messagesOf({ db }: Ctx, creatorId: number): DataFile {
  const messages = inPages(
    (after) =>
      db
        .select()
        .from(buyerMessages)
        .where(and(eq(buyerMessages.creatorId, creatorId), gt(buyerMessages.id, after)))
        .orderBy(asc(buyerMessages.id))
        .limit(EXPORT_LIMITS.page),
    ({ id }) => id,
  );
  return { name: 'messages-to-people.json', rows: () => jsonRows(messages) };
}

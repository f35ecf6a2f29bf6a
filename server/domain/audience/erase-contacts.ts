import {
  and,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  lt,
  notExists,
  notInArray,
  or,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import {
  contactBatches,
  contactBatchRows,
  contactSegments,
  contactSources,
  contacts,
  contactTags,
  deletedContacts,
  suppressions,
} from '~/db/schema/audience';
import { contactImportProblems, contactImportRows, contactImports } from '~/db/schema/contact-imports';
import { creators } from '~/db/schema/creators';
import { WORKING_IMPORTS } from '~/db/values/contact-imports';
import { SOURCES_OF_ACCOUNTS } from '~/db/values/contacts';
import { earlier } from '../../base/time';
import { NEWSLETTER_LIMITS } from '../../limits/audience';
import { removeObjects } from '../../queue/jobs/media';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { incomingKey } from '../media/rules';
import { eraseTraces } from './former-addresses';
import { lockLists } from './leave-newsletter';
import { rememberDeleted, suppressInactive } from './suppressions';

/**
 * Deletes a creator's contacts with all that belongs to them, and removes the person from the lists of other creators.
 * What makes these creators send no emails to the address stays, without the address. Without a verified address, the account
 * takes only contacts along that it has brought itself: all others belong to the address's owner. Repeating it is harmless.
 */
export async function eraseContacts(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const { db } = ctx;
  const own = db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  const verified = and(eq(users.id, userId), isNotNull(users.emailVerifiedAt));
  const address = db.select({ email: users.email }).from(users).where(verified);
  const isProven = exists(db.select({ id: users.id }).from(users).where(verified));
  const hasOwn = and(eq(contacts.userId, userId), or(isProven, isOnlyBrought(db)));
  const isPersons = or(inArray(contacts.email, address), hasOwn)!;
  await transact(ctx, async (tx) => {
    // before the contacts: it waits for a batch that is adding some, and none follows
    const staged = await eraseImports(tx, own);
    await lockLists(tx, isPersons);
    await suppressInactive(tx, isPersons);
    await rememberDeleted(tx, isPersons);
    await eraseTraces(tx, isPersons);
    await tx.db.delete(contacts).where(or(inArray(contacts.creatorId, own), isPersons));
    await tx.db.update(contacts).set({ userId: null }).where(eq(contacts.userId, userId));
    // also those of an unverified address, which an undone deletion would bring back
    const keptContact = sql`${contactBatchRows.before} -> 'contact'`;
    const isKeptPerson = and(
      sql`(${keptContact} ->> 'user_id')::bigint = ${userId}`,
      or(isProven, sql`${keptContact} ->> 'confirmed_at' is null`),
    );
    await tx.db.delete(contactBatchRows).where(or(inArray(contactBatchRows.email, address), isKeptPerson));
    await tx.db
      .delete(contactImportRows)
      .where(or(inArray(contactImportRows.importId, staged), inArray(contactImportRows.email, address)));
    await tx.db.delete(contactImportProblems).where(inArray(contactImportProblems.text, address));
    await tx.db.delete(contactBatches).where(inArray(contactBatches.creatorId, own));
    await tx.db.delete(contactSegments).where(inArray(contactSegments.creatorId, own));
    await tx.db.delete(contactTags).where(inArray(contactTags.creatorId, own));
    await tx.db.delete(suppressions).where(inArray(suppressions.creatorId, own));
    await tx.db.delete(deletedContacts).where(inArray(deletedContacts.creatorId, own));
  });
}

/** Nobody has confirmed the contact or put it on the list in another way. */
const isOnlyBrought = (db: Ctx['db']) =>
  and(
    isNull(contacts.confirmedAt),
    notExists(
      db
        .select({ id: contactSources.contactId })
        .from(contactSources)
        .where(
          and(eq(contactSources.contactId, contacts.id), notInArray(contactSources.source, [...SOURCES_OF_ACCOUNTS])),
        ),
    ),
  );

/** Also those that work, whose jobs will not find them any more. @returns their ids; what they have staged is left */
async function eraseImports(tx: TxCtx, own: SQLWrapper): Promise<number[]> {
  const isOwn = inArray(contactImports.creatorId, own);
  const working = await tx.db
    .delete(contactImports)
    .where(and(isOwn, inArray(contactImports.status, [...WORKING_IMPORTS])))
    .returning({ id: contactImports.id, fileKey: contactImports.fileKey });
  if (working.length > 0)
    await tx.jobs.enqueue(removeObjects, { keys: working.map(({ fileKey }) => incomingKey(fileKey)) });
  await tx.db.delete(contactImports).where(isOwn);
  return working.map(({ id }) => id);
}

/** Deletes addresses whose owners have not confirmed in time: other people may have typed them. */
export async function sweepPending({ db, now }: Ctx): Promise<void> {
  const expired = lt(contacts.updatedAt, earlier(now(), NEWSLETTER_LIMITS.linkLifetime));
  await db.delete(contacts).where(and(eq(contacts.status, 'pending'), expired));
}

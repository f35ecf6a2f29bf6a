import { and, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { contacts, suppressions } from '~/db/schema/audience';
import { buyerStates } from '~/db/schema/buyers';
import { stopMessages } from '../../queue/catalog';
import type { TxCtx } from '../../runtime/ctx';
import { optOutAll } from '../notifications/unsubscribe';
import { addressDigest, suppressInactive } from './suppressions';

/**
 * Ends the emails to contacts whose address does not exist. Contacts that are inactive already keep their state. Their
 * addresses stay suppressed, also after they were deleted.
 */
export async function markBounced(tx: TxCtx, contactIds: number[]): Promise<void> {
  if (contactIds.length === 0) return;
  const now = tx.now();
  const those = await lockContacts(tx, contactIds);
  await tx.db
    .update(contacts)
    .set({ status: 'inactive', inactiveAs: 'bounced', statusReason: 'bounce', statusAt: now, updatedAt: now })
    .where(and(those, eq(contacts.status, 'active')));
  await suppressInactive(tx, those);
}

/**
 * Ends all emails of a creator to contacts who have marked one as spam: the newsletter, new episodes and messages, also
 * if the creator's team has deactivated the contact, which they could undo.
 */
export async function markComplained(tx: TxCtx, contactIds: number[]): Promise<void> {
  if (contactIds.length === 0) return;
  const now = tx.now();
  const those = await lockContacts(tx, contactIds);
  const isOpen = or(eq(contacts.status, 'active'), eq(contacts.statusReason, 'creator'));
  await tx.db
    .update(contacts)
    .set({ status: 'inactive', inactiveAs: 'complained', statusReason: 'complaint', statusAt: now, updatedAt: now })
    .where(and(those, isOpen));
  const rows = tx.db
    .select({
      creatorId: contacts.creatorId,
      addressDigest: addressDigest(sql`${contacts.email}`).as('address_digest'),
      reason: sql<'complained'>`'complained'`.as('reason'),
      createdAt: sql<Date>`${now.toISOString()}::timestamptz`.as('created_at'),
    })
    .from(contacts)
    .where(those);
  await tx.db.insert(suppressions).select(rows).onConflictDoNothing();
  await stopOtherEmails(tx, contactIds);
}

/** Two workers lock in the same order. */
async function lockContacts(tx: TxCtx, contactIds: number[]) {
  const those = inArray(contacts.id, contactIds);
  await tx.db.select({ id: contacts.id }).from(contacts).where(those).orderBy(contacts.id).for('update');
  return those;
}

/** New episodes of the creator's shows, and messages to buyers, which go to accounts. */
async function stopOtherEmails(tx: TxCtx, contactIds: number[]): Promise<void> {
  const verified = tx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, contacts.email), isNotNull(users.emailVerifiedAt)));
  const people = await tx.db
    .selectDistinct({
      creatorId: contacts.creatorId,
      userId: users.id,
      email: users.email,
      productId: buyerStates.productId,
    })
    .from(contacts)
    .innerJoin(users, and(isNull(users.deletedAt), sql`${users.id} = coalesce(${contacts.userId}, (${verified}))`))
    .leftJoin(buyerStates, and(eq(buyerStates.userId, users.id), eq(buyerStates.creatorId, contacts.creatorId)))
    .where(inArray(contacts.id, contactIds))
    .orderBy(contacts.creatorId, users.id);
  await optOutAll(
    tx,
    people.flatMap(({ email, productId }) => (productId === null ? [] : [{ email, productId }])),
  );
  const pairs = new Map(people.map(({ creatorId, userId }) => [`${creatorId} ${userId}`, { creatorId, userId }]));
  await tx.jobs.enqueueAll(stopMessages, [...pairs.values()]);
}

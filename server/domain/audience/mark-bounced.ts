import { and, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { contacts } from '~/db/schema/audience';
import { buyerStates } from '~/db/schema/buyers';
import { stopMessages } from '../../queue/jobs/billing';
import type { TxCtx } from '../../runtime/ctx';
import { optOutAll } from '../notifications/unsubscribe';
import type { ContactKey } from './queries';
import { suppressAll } from './suppressions';
import { withdrawTrackingConsents } from './tracking-consents';

/** Whose emails end: contacts, and case-folded addresses of a creator's other emails, which may have no contact. */
export type Ended = { contactIds: number[]; addresses: ContactKey[] };

/**
 * Ends the emails to addresses that do not exist. Contacts that are inactive already keep their state. The addresses stay
 * suppressed, also those of people who have left the newsletter, and after their contacts were deleted.
 */
export async function markBounced(tx: TxCtx, ended: Ended): Promise<void> {
  if (isNobody(ended)) return;
  const now = tx.now();
  const { ids, keys } = await lockEnded(tx, ended);
  await tx.db
    .update(contacts)
    .set({ status: 'inactive', inactiveAs: 'bounced', statusReason: 'bounce', statusAt: now, updatedAt: now })
    .where(and(inArray(contacts.id, ids), eq(contacts.status, 'active')));
  await suppressAll(tx, keys, 'bounced');
}

/**
 * Ends all emails of a creator to people who have marked one as spam: the newsletter, new episodes and messages, also
 * if the creator's team has deactivated the contact, which they could undo. Nor does the creator see any more when they read.
 */
export async function markComplained(tx: TxCtx, ended: Ended): Promise<void> {
  if (isNobody(ended)) return;
  const now = tx.now();
  const { ids, keys } = await lockEnded(tx, ended);
  const isOpen = or(eq(contacts.status, 'active'), eq(contacts.statusReason, 'creator'));
  await tx.db
    .update(contacts)
    .set({ status: 'inactive', inactiveAs: 'complained', statusReason: 'complaint', statusAt: now, updatedAt: now })
    .where(and(inArray(contacts.id, ids), isOpen));
  await withdrawTrackingConsents(tx, ids);
  await suppressAll(tx, keys, 'complained');
  await stopOtherEmails(tx, keys);
}

const isNobody = ({ contactIds, addresses }: Ended): boolean => contactIds.length + addresses.length === 0;

type Locked = { ids: number[]; keys: (ContactKey & { userId: number | null })[] };

/**
 * Locks the contacts whose emails may end. Call it before changing the rows of their emails: deletions lock contacts before
 * their emails, and another order could end in a deadlock.
 */
export async function lockContacts(tx: TxCtx, ended: Ended): Promise<void> {
  if (!isNobody(ended)) await lockEnded(tx, ended);
}

/** The contacts, those that have the addresses included, and all addresses. Two workers lock in the same order. */
async function lockEnded(tx: TxCtx, { contactIds, addresses }: Ended): Promise<Locked> {
  const ofAddresses = sql`select c.id from ${rowsOf(addresses)} join contacts c on c.creator_id = k.creator_id and c.email = k.email`;
  const rows = await tx.db
    .select({ id: contacts.id, creatorId: contacts.creatorId, email: contacts.email, userId: contacts.userId })
    .from(contacts)
    .where(sql`${contacts.id} in (${ofAddresses} union select value::bigint
      from jsonb_array_elements_text(${JSON.stringify(contactIds)}::text::jsonb))`)
    .orderBy(contacts.id)
    // editions that are sent refer to contacts, and must not wait
    .for('no key update');
  return {
    ids: rows.map(({ id }) => id),
    keys: [...rows, ...addresses.map((key) => ({ ...key, userId: null }))],
  };
}

const rowsOf = (keys: (ContactKey & { userId?: number | null })[]) => {
  const rows = keys.map(({ creatorId, email, userId }) => ({ creator_id: creatorId, email, user_id: userId }));
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as k(creator_id bigint, email text, user_id bigint)`;
};

/** New episodes of the creator's shows, and messages to buyers, which go to accounts. */
async function stopOtherEmails(tx: TxCtx, keys: Locked['keys']): Promise<void> {
  const verified = tx.db
    .select({ id: users.id })
    .from(users)
    .where(and(sql`${users.email} = k.email`, isNotNull(users.emailVerifiedAt)));
  const creatorId = sql<number>`k.creator_id`.mapWith(Number);
  const people = await tx.db
    .selectDistinct({
      creatorId: creatorId.as('creator'),
      userId: users.id,
      email: users.email,
      productId: buyerStates.productId,
    })
    .from(rowsOf(keys))
    .innerJoin(users, and(isNull(users.deletedAt), sql`${users.id} = coalesce(k.user_id, (${verified}))`))
    .leftJoin(buyerStates, and(eq(buyerStates.userId, users.id), eq(buyerStates.creatorId, creatorId)))
    .orderBy(sql`creator`, users.id);
  await optOutAll(
    tx,
    people.flatMap(({ email, productId }) => (productId === null ? [] : [{ email, productId }])),
  );
  const pairs = new Map(people.map((one) => [`${one.creatorId} ${one.userId}`, one]));
  await tx.jobs.enqueueAll(
    stopMessages,
    [...pairs.values()].map(({ creatorId, userId }) => ({ creatorId, userId })),
  );
}

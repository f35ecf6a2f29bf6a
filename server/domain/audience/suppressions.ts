import { createHash } from 'node:crypto';
import { and, eq, inArray, lt, ne, notExists, or, type SQL, sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import { contacts, deletedContacts, mergedContacts, suppressions } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import { sha256Of } from '~/db/search';
import type { InactiveState } from '~/db/values/contacts';
import { earlier } from '../../base/time';
import { CONTACT_LIMITS } from '../../limits/audience';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import type { ContactKey } from './queries';
import { withdrawTrackingConsents } from './tracking-consents';

/** The SHA-256 of a case-folded address, which stays after a contact was deleted (docs/decisions/0341). */
export const digestOf = (email: string): string => createHash('sha256').update(email).digest('hex');

export type AddressDigest = { creatorId: number; digest: string };

/** The same digest in SQL. */
export const addressDigest = (email: SQL): SQL<string> => sql<string>`encode(${sha256Of(email)}, 'hex')`;

/** Whether an address of an email or a contact has a digest, by an index of its table. */
export const hasDigest = (address: SQL, digest: SQL): SQL => sql`${sha256Of(address)} = decode(${digest}, 'hex')`;

/** An address gets no more emails from a creator, even if its contact is deleted. */
export const suppress = (tx: TxCtx, key: ContactKey, reason: InactiveState): Promise<void> =>
  suppressAll(tx, [key], reason);

/**
 * Addresses of creators' emails, with or without a contact. A complaint replaces a bounce, and both replace that a person
 * has left the newsletter, because they end its other emails, too; never the other way. Two workers insert in the same order.
 */
export async function suppressAll(tx: TxCtx, keys: ContactKey[], reason: InactiveState): Promise<void> {
  const digests = keys.map(({ creatorId, email }) => ({ creatorId, digest: digestOf(email) }));
  await suppressDigests(tx, digests, reason);
}

/** The same for addresses of which only the digests are known. */
export async function suppressDigests(tx: TxCtx, digests: AddressDigest[], reason: InactiveState): Promise<void> {
  if (digests.length === 0) return;
  const rows = digests.map(({ creatorId, digest }) => ({ creator_id: creatorId, digest }));
  await tx.db.execute(sql`
    insert into ${suppressions} as s (creator_id, address_digest, reason, created_at)
    select distinct k.creator_id, k.digest, ${reason}, ${tx.now().toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as k(creator_id bigint, digest text)
    join ${creators} c on c.id = k.creator_id
    order by k.creator_id, k.digest
    on conflict (creator_id, address_digest) do update set reason = excluded.reason, created_at = excluded.created_at
    where (s.reason = 'unsubscribed' and excluded.reason <> 'unsubscribed')
      or (s.reason = 'bounced' and excluded.reason = 'complained')`);
}

/** Suppresses the addresses of inactive contacts that are about to be deleted, except those a creator deactivated. */
export async function suppressInactive(tx: TxCtx, deleted: SQL | undefined): Promise<void> {
  const own = tx.db
    .select({
      creatorId: contacts.creatorId,
      addressDigest: addressDigest(sql`${contacts.email}`).as('address_digest'),
      reason: sql<InactiveState>`coalesce(${contacts.inactiveAs}, 'unsubscribed')`.as('reason'),
      createdAt: contacts.statusAt,
    })
    .from(contacts)
    .where(and(deleted, eq(contacts.status, 'inactive'), sql`${contacts.statusReason} <> 'creator'`))
    // in the order of `suppressAll`
    .orderBy(contacts.creatorId, sql`address_digest`);
  await tx.db.insert(suppressions).select(own).onConflictDoNothing();
}

/**
 * Keeps the digests of contacts that are about to be deleted, because an email to unsubscribe names only the contact.
 * Former contacts that became a part of them count, too.
 */
export async function rememberDeleted(tx: TxCtx, deleted: SQL | undefined): Promise<void> {
  const { id, creatorId, email } = contacts;
  const found = tx.db
    .select({ id, creatorId, digest: addressDigest(sql`${email}`).as('digest') })
    .from(contacts)
    .where(and(deleted, ne(contacts.status, 'pending')));
  await tx.db.execute(sql`
    with found (id, creator_id, digest) as (${found})
    insert into ${deletedContacts} (contact_id, creator_id, address_digest, created_at)
    select names.id, found.creator_id, found.digest, ${tx.now().toISOString()}::timestamptz
    from found cross join lateral (
      select found.id union all select former_id from ${mergedContacts} m where m.contact_id = found.id
    ) as names(id)
    -- an undo may have brought it back before, and then its address has changed
    on conflict (contact_id) do update set address_digest = excluded.address_digest, created_at = excluded.created_at`);
}

type Deleted = { creatorId: number; id: number | null };

/**
 * The digest of the last address of a deleted contact, if it may still get emails: a file may bring it back. Null for a
 * contact that is there, also as a part of another one.
 */
export async function lookupDeleted({ db }: Pick<Ctx, 'db'>, { creatorId, id }: Deleted): Promise<string | null> {
  if (id === null) return null;
  const merged = db
    .select({ id: mergedContacts.contactId })
    .from(mergedContacts)
    .where(eq(mergedContacts.formerId, id));
  const isThere = or(eq(contacts.id, id), inArray(contacts.id, merged));
  const isSuppressed = and(
    eq(suppressions.creatorId, deletedContacts.creatorId),
    eq(suppressions.addressDigest, deletedContacts.addressDigest),
  );
  const [row] = await db
    .select({ digest: deletedContacts.addressDigest })
    .from(deletedContacts)
    .where(
      and(
        and(eq(deletedContacts.contactId, id), eq(deletedContacts.creatorId, creatorId)),
        notExists(db.select({ id: contacts.id }).from(contacts).where(isThere)),
        notExists(db.select({ id: suppressions.creatorId }).from(suppressions).where(isSuppressed)),
      ),
    );
  return row?.digest ?? null;
}

/**
 * Suppresses the address of a deleted contact, and ends the emails to another contact with this address, which has come
 * since. Repeating it changes nothing.
 */
export async function suppressDeleted(tx: TxCtx, { creatorId, id }: Deleted): Promise<void> {
  const digest = await lookupDeleted(tx, { creatorId, id });
  if (digest === null) return;
  const now = tx.now();
  const ended = await tx.db
    .update(contacts)
    .set({ status: 'inactive', inactiveAs: 'unsubscribed', statusReason: 'link', statusAt: now, updatedAt: now })
    .where(and(eq(contacts.creatorId, creatorId), hasDigest(sql`${contacts.email}`, sql`${digest}`)))
    .returning({ id: contacts.id });
  await withdrawTrackingConsents(
    tx,
    ended.map(({ id }) => id),
  );
  // after the contact, as when a bounce or a complaint arrives
  await suppressDigests(tx, [{ creatorId, digest }], 'unsubscribed');
}

/** Deletes digests of contacts whose emails nobody opens any more. */
export async function sweepDeleted({ db, now }: Ctx): Promise<void> {
  await db.delete(deletedContacts).where(lt(deletedContacts.createdAt, earlier(now(), CONTACT_LIMITS.deletedKept)));
}

/** Only the address's owner ends its suppression, by signing up again. */
export async function endSuppression(tx: TxCtx, key: ContactKey): Promise<void> {
  await tx.db.delete(suppressions).where(whereSuppressed(key));
}

/** Why an address gets no emails from a creator; null if it may. */
export async function suppressionOf({ db }: Pick<Ctx, 'db'>, key: ContactKey): Promise<InactiveState | null> {
  const [row] = await db.select({ reason: suppressions.reason }).from(suppressions).where(whereSuppressed(key));
  return row?.reason ?? null;
}

/** Those of the addresses at which a creator's emails bounced or were reported as spam. */
export async function listUndeliverable(
  { db }: Pick<Ctx, 'db'>,
  { creatorId, emails }: { creatorId: number; emails: string[] },
): Promise<Set<string>> {
  const digests = new Map(emails.map((email) => [digestOf(email), email]));
  const isOne = sql`${suppressions.addressDigest} = any (${plainArray([...digests.keys()])}::text[])`;
  const rows = await db
    .select({ digest: suppressions.addressDigest })
    .from(suppressions)
    .where(and(eq(suppressions.creatorId, creatorId), ne(suppressions.reason, 'unsubscribed'), isOne));
  return new Set(rows.flatMap(({ digest }) => digests.get(digest) ?? []));
}

/** Since when an address gets no emails from a creator; null if it may. */
export async function suppressedAt({ db }: Pick<Ctx, 'db'>, key: ContactKey): Promise<Date | null> {
  const [row] = await db.select({ at: suppressions.createdAt }).from(suppressions).where(whereSuppressed(key));
  return row?.at ?? null;
}

/** A contact whose address is not suppressed. */
export const isAllowed = (): SQL => sql`not exists (select from ${suppressions}
  where ${suppressions.creatorId} = ${contacts.creatorId}
    and ${suppressions.addressDigest} = ${addressDigest(sql`${contacts.email}`)})`;

const whereSuppressed = ({ creatorId, email }: ContactKey): SQL | undefined =>
  and(eq(suppressions.creatorId, creatorId), eq(suppressions.addressDigest, digestOf(email)));

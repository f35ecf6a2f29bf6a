import { type SQL, sql } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import type { Language } from '~/locales/languages';
import { languagePrefix, UNSUBSCRIBE_PATH } from '../../base/public-paths';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockAddress } from '../notifications/address-links';
import { oneClickHeaders } from '../notifications/unsubscribe';
import { contactToken, type LinkedKey, lookupLinked, readContactToken } from './linked-contact';
import { type ContactKey, whereContact } from './queries';
import type { EmailLink } from './schema';
import { lookupDeleted, suppress, suppressDeleted, suppressionOf } from './suppressions';
import { withdrawTrackingConsents } from './tracking-consents';

/**
 * The unsubscribe link of a creator's email to a contact, and its headers for email clients (RFC 8058). The link never
 * expires, because people open old emails, and opens the contact's own page. `id`: of the contact, if there is one.
 */
export function leaveLink(
  ctx: Pick<Ctx, 'vault' | 'urls'>,
  { creatorId, email, id = null }: ContactKey & { id?: number | null },
  language: Language,
): { url: string; headers: Record<string, string> } {
  const token = contactToken(ctx, { creatorId, id, email });
  const url = ctx.urls.app(`${languagePrefix(language)}${UNSUBSCRIBE_PATH}?list=${token}`);
  return { url, headers: oneClickHeaders(url) };
}

/** Ends a creator's emails to an address. Repeating it succeeds. @throws audience.leave_link_invalid */
export async function leaveNewsletter(ctx: Ctx, input: EmailLink): Promise<void> {
  const key = readContactToken(ctx, input);
  await leaveOnce(ctx, key);
}

/** Reads before it locks: email providers repeat the request, and a link works for ever. */
export async function leaveOnce(ctx: Ctx, key: LinkedKey): Promise<void> {
  if (await hasLeft(ctx, key)) return;
  await transact(ctx, (tx) => leaveList(tx, key));
}

async function hasLeft(ctx: Ctx, key: LinkedKey): Promise<boolean> {
  if ((await suppressionOf(ctx, key)) === null) return false;
  const contact = await lookupLinked(ctx, key);
  if (contact !== null && (contact.email !== key.email || contact.statusReason !== 'link')) return false;
  return (await lookupDeleted(ctx, key)) === null;
}

/**
 * Also without a contact: it may have been deleted while its person read an older email, and a file may have brought it
 * back, even under another address than the email's. Consents to be seen reading end, too.
 */
export async function leaveList(tx: TxCtx, key: LinkedKey): Promise<void> {
  // before all other locks, because an import may need what their holders have
  await lockLeaving(tx, key, 'as others');
  const addresses = async () => [...new Set([key.email, (await lookupLinked(tx, key))?.email ?? key.email])].sort();
  for (const email of await addresses()) await lockAddress(tx, email);
  const now = tx.now();
  // the contact may have got another address since the email was sent
  for (const email of await addresses()) {
    const left = await tx.db
      .update(contacts)
      .set({ status: 'inactive', inactiveAs: 'unsubscribed', statusReason: 'link', statusAt: now, updatedAt: now })
      // also if the creator's team has deactivated the contact, which they could undo
      .where(whereContact({ creatorId: key.creatorId, email }))
      .returning({ id: contacts.id });
    const ids = left.map(({ id }) => id);
    await withdrawTrackingConsents(tx, ids);
    // after the contact, as when a bounce or a complaint arrives
    await suppress(tx, { creatorId: key.creatorId, email }, 'unsubscribed');
  }
  await suppressDeleted(tx, key);
}

/**
 * An import checks and adds thousands of addresses at a time, too many to lock each: nobody leaves the creator's list in
 * between. People who leave do not wait for each other.
 */
export async function lockLeaving(
  tx: TxCtx,
  { creatorId }: Pick<ContactKey, 'creatorId'>,
  mode: 'as others' | 'until the end',
): Promise<void> {
  const lock = sql.raw(mode === 'as others' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  await tx.db.execute(sql`select ${lock}(hashtextextended(${`leaving ${creatorId}`}, 0))`);
}

/** Of all creators that have these contacts, each in the same order. */
export async function lockLists(tx: TxCtx, which: SQL | undefined): Promise<void> {
  const lists = tx.db
    .selectDistinct({ id: contacts.creatorId })
    .from(contacts)
    .where(which)
    .orderBy(contacts.creatorId);
  await tx.db.execute(sql`
    select pg_advisory_xact_lock_shared(hashtextextended('leaving ' || l.id, 0)) from (${lists}) as l(id)`);
}

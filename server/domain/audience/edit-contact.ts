import { and, eq, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { contacts } from '~/db/schema/audience';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact, violates } from '../../runtime/ctx';
import { lockAddress } from '../notifications/address-links';
import { requireRoomForContacts } from '../plans/quotas';
import { recordActivity } from '../team/activity';
import { noteConsent, noteSource } from './contact-sources';
import { setTags } from './contact-tags';
import { addressSuppressed, contactExists, contactNotFound } from './errors';
import { noteFormerAddress } from './former-addresses';
import { lockLeaving } from './leave-newsletter';
import type { ContactKey } from './queries';
import type { AddContact, UpdateContact } from './schema';
import { suppress, suppressionOf } from './suppressions';
import { withdrawTrackingConsents } from './tracking-consents';

/**
 * Adds a contact by hand, whose person has agreed to that, as the creator declares.
 * @throws audience.contact_exists, audience.address_suppressed, plan.max_contacts, common.role_not_allowed
 */
export async function addContact(ctx: Ctx, { email, name, tags }: AddContact): Promise<{ id: number }> {
  const { id: creatorId } = authorize(ctx, 'creator.manageContacts', currentCreator(ctx));
  return transact(ctx, async (tx) => {
    await requireRoomForContacts(tx, { creatorId, more: 1 });
    // its person may be leaving at the same moment
    await lockAddress(tx, email);
    if (await suppressionOf(tx, { creatorId, email })) throw addressSuppressed();
    const now = tx.now();
    const times = { statusAt: now, since: now, createdAt: now, updatedAt: now };
    const state = { status: 'active', statusReason: 'manual', source: 'manual', language: tx.language } as const;
    const [row] = await tx.db
      .insert(contacts)
      .values({ creatorId, email, name, ...state, ...times })
      .onConflictDoNothing()
      .returning({ id: contacts.id, creatorId: contacts.creatorId });
    if (!row) throw contactExists();
    await noteSource(tx, row, 'manual');
    await noteConsent(tx, row.id, 'manual', tx.translate('content:contact_declared'));
    await setTags(tx, row, tags);
    await recordActivity(tx, { creatorId, action: 'contact.added', subjectId: row.id });
    return { id: row.id };
  });
}

/**
 * Changes the name, the tags and the address of a contact. An address that may get no emails stays so: whoever has left
 * stays away under the new one, and a suppressed one is refused. That emails to the former one bounced says nothing.
 * @throws audience.contact_not_found, audience.contact_exists, audience.address_suppressed, plan.max_contacts,
 * common.role_not_allowed
 */
export async function updateContact(ctx: Ctx, { id, email, name, tags }: UpdateContact): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageContacts', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    if (email !== undefined) await changeAddress(tx, { id, creatorId, email });
    const [row] = await tx.db
      .update(contacts)
      .set({ name, updatedAt: tx.now() })
      .where(and(eq(contacts.creatorId, creatorId), eq(contacts.id, id)))
      .returning({ id: contacts.id, creatorId: contacts.creatorId });
    if (!row) throw contactNotFound();
    await setTags(tx, row, tags);
    await recordActivity(tx, { creatorId, action: 'contact.updated', subjectId: id });
  }).catch((error) => {
    throw violates(error, 'contacts_once') ? contactExists() : error;
  });
}

/**
 * The change is kept with the contact's consents, which were given for the former address. The account stays only if it
 * has the new address. Otherwise the person at the new address could see what somebody else follows and pays. Consent to
 * tracking ends, because the person at the new address has not given it.
 */
async function changeAddress(tx: TxCtx, { id, ...to }: ContactKey & { id: number }): Promise<void> {
  await lockLeaving(tx, to, 'as others');
  await lockAddress(tx, to.email);
  const isIts = and(eq(contacts.creatorId, to.creatorId), eq(contacts.id, id));
  const [row] = await tx.db.select().from(contacts).where(isIts).for('update');
  if (!row || row.email === to.email) return;
  if (await suppressionOf(tx, to)) throw addressSuppressed();
  const reason =
    row.status === 'inactive' && row.statusReason !== 'creator' ? (row.inactiveAs ?? 'unsubscribed') : null;
  const works = reason === 'bounced';
  if (works) await requireRoomForContacts(tx, { creatorId: to.creatorId, more: 1 });
  else if (reason !== null) await suppress(tx, to, reason);
  const active = { status: 'active', inactiveAs: null, statusReason: 'manual', statusAt: tx.now() } as const;
  await tx.db
    .update(contacts)
    .set({
      email: to.email,
      userId: sql`(select ${users.id} from ${users} where ${users.id} = ${row.userId} and ${users.email} = ${to.email})`,
      ...(works && active),
    })
    .where(isIts);
  await withdrawTrackingConsents(tx, [id]);
  await noteFormerAddress(tx, id, row.email);
  await noteConsent(tx, id, 'manual', tx.translate('content:contact_moved', { from: row.email, to: to.email }));
}

import { and, eq } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { lockAddress } from '../notifications/address-links';
import { requireRoomForContacts } from '../plans/quotas';
import { recordActivity } from '../team/activity';
import { noteConsent, noteSource } from './contact-sources';
import { setTags } from './contact-tags';
import { addressSuppressed, contactExists, contactNotFound } from './errors';
import type { AddContact, UpdateContact } from './schema';
import { suppressionOf } from './suppressions';

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
 * Changes the name and the tags of a contact. The address stays, since its owner has agreed to emails there.
 * @throws audience.contact_not_found, common.role_not_allowed
 */
export async function updateContact(ctx: Ctx, { id, name, tags }: UpdateContact): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageContacts', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const [row] = await tx.db
      .update(contacts)
      .set({ name, updatedAt: tx.now() })
      .where(and(eq(contacts.creatorId, creatorId), eq(contacts.id, id)))
      .returning({ id: contacts.id, creatorId: contacts.creatorId });
    if (!row) throw contactNotFound();
    await setTags(tx, row, tags);
    await recordActivity(tx, { creatorId, action: 'contact.updated', subjectId: id });
  });
}

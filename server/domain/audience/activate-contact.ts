import { and, eq, isNotNull, lte, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { contacts } from '~/db/schema/audience';
import type { ContactSource } from '~/db/values/contacts';
import type { Language } from '~/locales/languages';
import { enrolContact, sendWelcome } from '../../queue/jobs/newsletter';
import type { TxCtx } from '../../runtime/ctx';
import { noteConsent, noteSource } from './contact-sources';
import { type ContactKey, whereContact } from './queries';
import { endSuppression } from './suppressions';
import { withdrawTrackingConsents } from './tracking-consents';

type Request = ContactKey & { source: Extract<ContactSource, 'form' | 'recommendation'>; language: Language };

/** Contacts who have left stay unsubscribed until they confirm; active contacts stay active. */
export async function notePending(tx: TxCtx, { creatorId, email, source, language }: Request): Promise<void> {
  const now = tx.now();
  const times = { statusAt: now, since: now, createdAt: now, updatedAt: now };
  await tx.db
    .insert(contacts)
    .values({ creatorId, email, language, source, status: 'pending', statusReason: source, ...times })
    .onConflictDoUpdate({
      target: [contacts.creatorId, contacts.email],
      set: { updatedAt: now },
      setWhere: eq(contacts.status, 'pending'),
    });
}

/** `provenAt`: when the link was sent that the address's owner has opened. `text`: what the page has said. */
type Proof = ContactKey & { source: Request['source']; provenAt: Date; text: string };

/**
 * Adds an address to a creator's list after its owner has agreed on a page. Repeating it is harmless.
 * @returns false if the contact does not exist, or has left since the link was sent
 */
export async function activateContact(
  tx: TxCtx,
  { creatorId, email, provenAt, source, text }: Proof,
): Promise<boolean> {
  const key = { creatorId, email };
  const contact = whereContact(key);
  const [row] = await tx.db.select().from(contacts).where(contact).for('update');
  const now = tx.now();
  if (row?.userId) await dropUnproven(tx, row.id);
  if (row?.status === 'active') {
    if (await noteSource(tx, row, source)) await noteAgreement(tx, row.id, { source, text });
    return true;
  }
  const wanted = row?.status === 'inactive' ? lte(contacts.statusAt, provenAt) : undefined;
  const active = { status: 'active', inactiveAs: null, statusReason: source, statusAt: now } as const;
  const confirmed = await tx.db
    .update(contacts)
    .set({ ...active, confirmedAt: now, updatedAt: now })
    .where(and(contact, wanted))
    .returning({ id: contacts.id, creatorId: contacts.creatorId });
  if (!confirmed[0]) return false;
  // what they agreed to before they left has ended, however they left
  if (row?.status === 'inactive') await withdrawTrackingConsents(tx, [row.id]);
  await endSuppression(tx, key);
  await noteSource(tx, confirmed[0], source);
  await tx.jobs.enqueue(sendWelcome, { contactId: confirmed[0].id });
  await noteAgreement(tx, confirmed[0].id, { source, text });
  return true;
}

/** Somebody may have bought with this address, which is not theirs: its owner keeps the contact, without that account. */
async function dropUnproven({ db }: TxCtx, contactId: number): Promise<void> {
  const proven = sql`exists (select from ${users} u
    where u.id = ${contacts.userId} and u.email = ${contacts.email} and u.email_verified_at is not null)`;
  await db
    .update(contacts)
    .set({ userId: null })
    .where(and(eq(contacts.id, contactId), isNotNull(contacts.userId), sql`not ${proven}`));
}

async function noteAgreement(tx: TxCtx, contactId: number, { source, text }: Pick<Proof, 'source' | 'text'>) {
  await noteConsent(tx, contactId, source, text);
  await tx.jobs.enqueue(enrolContact, { trigger: 'sign_up', contactId, at: tx.now().toISOString() });
}

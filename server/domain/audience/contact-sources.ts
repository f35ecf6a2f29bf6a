import { contactConsents, contactSources } from '~/db/schema/audience';
import type { ContactSource } from '~/db/values/contacts';
import type { TxCtx } from '../../runtime/ctx';

type Contact = { id: number; creatorId: number };

/** Records how a contact came to the list, once for each source. @returns whether it is a new source */
export async function noteSource(tx: TxCtx, { id, creatorId }: Contact, source: ContactSource): Promise<boolean> {
  const added = await tx.db
    .insert(contactSources)
    .values({ contactId: id, creatorId, source, createdAt: tx.now() })
    .onConflictDoNothing()
    .returning({ source: contactSources.source });
  return added.length > 0;
}

/** Records what a contact's person has agreed to, in the words that they read. */
export async function noteConsent(tx: TxCtx, contactId: number, source: ContactSource, text: string): Promise<void> {
  await tx.db.insert(contactConsents).values({ contactId, source, text, givenAt: tx.now() }).onConflictDoNothing();
}

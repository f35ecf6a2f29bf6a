import { eq } from 'drizzle-orm';
import { contacts, suppressions } from '~/db/schema/audience';
import type { MailEvent } from '~/server/bounces/mail-event';
import { emailTag } from '~/server/domain/newsletter/email-tags';
import { newsletterStage } from './sent-editions';

/** A stage with editions that were sent, and the events that mail servers report about them. */
export async function mailEventStage() {
  const stage = await newsletterStage();
  const { runtime, clock, publisher, addContacts, draft, deliver, jobCtx } = stage;
  const { db } = runtime;

  type Contact = { id: number; email: string };
  /** An edition that was sent to new contacts. */
  async function sentTo(count: number) {
    const owner = await publisher();
    const readers = await addContacts(owner.creatorId, count);
    const edition = await draft(owner);
    await owner.api.editions.send(edition as never);
    await deliver(edition.id);
    return { owner, readers, editionId: edition.id };
  }

  const idOf = (editionId: number, contactId: number) =>
    `${emailTag(jobCtx(), { editionId, contactId })}@altavoz.example`;
  function event(editionId: number, { id, email }: Contact, over: Partial<MailEvent> = {}): MailEvent {
    return { kind: 'bounce', isHard: true, email, messageId: idOf(editionId, id), at: clock.now, ...over };
  }
  async function contactOf(id: number) {
    const [row] = await db.select().from(contacts).where(eq(contacts.id, id));
    return row!;
  }
  const suppressedOf = (creatorId: number) =>
    db
      .select({ reason: suppressions.reason })
      .from(suppressions)
      .where(eq(suppressions.creatorId, creatorId))
      .orderBy(suppressions.addressDigest);

  return { ...stage, sentTo, idOf, event, contactOf, suppressedOf };
}

import { eq } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import type { BulkMessage, BulkResult } from '~/server/adapters/mail/bulk/message';
import { deliverEdition } from '~/server/domain/newsletter/deliver-edition';
import type { Ctx } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

export const SETTINGS = {
  name: 'The Night Mail',
  description: '',
  category: 101,
  language: 'en',
  senderName: 'Nora',
  senderEmail: 'nora@mail.example',
  header: 'Letters from the studio',
  footer: 'Nora, 1 Quay Street, Cork',
};

/** A stage with creators who have a newsletter, and what a test of sending needs. */
export async function newsletterStage() {
  const stage = await cast();
  const { runtime, make, clock } = stage;
  const { db } = runtime;

  async function publisher() {
    const person = await make.creator();
    await person.api.newsletter.saveSettings({ ...SETTINGS, senderEmail: person.email } as never);
    return person;
  }

  let number = 0;
  /** Active contacts of a creator, unless `over` says otherwise. */
  async function addContacts(creatorId: number, count: number, over: Partial<typeof contacts.$inferInsert> = {}) {
    const rows = Array.from({ length: count }, () => {
      number += 1;
      return { creatorId, email: `reader${number}@mail.example`, name: `Reader ${number}`, ...STATE, ...over };
    });
    return db.insert(contacts).values(rows).returning();
  }

  type Person = Awaited<ReturnType<typeof make.creator>>;
  async function draft({ api }: Person, changes: Record<string, unknown> = {}) {
    const { id } = await api.editions.create({});
    const texts = { title: 'Hello {{name|friend}}', content: '<p>Good evening, {{name|friend}}.</p>', ...changes };
    const { revision } = await api.editions.update({ id, revision: 1, ...texts } as never);
    return { id, revision };
  }

  const jobCtx = (now: Date = clock.now): Ctx => ({
    ...systemCtx(runtime, 'newsletter.deliver-edition'),
    now: () => now,
  });
  /**
   * Runs the job that sends an edition, or another one, with the results of `answer` instead of a mail server's.
   * `meanwhile`: what happens while the emails are on their way.
   */
  async function deliver(editionId: number, { now, answer, meanwhile, run = deliverEdition }: Delivery = {}) {
    const ctx = jobCtx(now);
    const sent: BulkMessage[] = [];
    const bulk = {
      async send(messages: BulkMessage[], onResults: (results: BulkResult[]) => void | Promise<void>) {
        sent.push(...messages);
        await meanwhile?.();
        await onResults(messages.map((message) => ({ id: message.id, state: 'sent' as const, ...answer?.(message) })));
      },
    };
    await run({ ...ctx, ports: { ...ctx.ports, bulkMail: { ...ctx.ports.bulkMail, ...bulk } } }, { editionId });
    return sent.map(({ to }) => to).sort();
  }

  async function statesOf(editionId: number): Promise<Record<string, string>> {
    const rows = await db
      .select({ email: contacts.email, state: editionRecipients.state })
      .from(editionRecipients)
      .innerJoin(contacts, eq(contacts.id, editionRecipients.contactId))
      .where(eq(editionRecipients.editionId, editionId))
      .orderBy(contacts.email);
    return Object.fromEntries(rows.map(({ email, state }) => [email, state]));
  }

  async function rowOf(editionId: number) {
    const [row] = await db.select().from(editions).where(eq(editions.id, editionId));
    return row!;
  }

  return { ...stage, publisher, addContacts, draft, deliver, jobCtx, statesOf, rowOf };
}

type Delivery = { now?: Date; answer?: Answer; meanwhile?: () => Promise<unknown>; run?: typeof deliverEdition };
type Answer = (message: BulkMessage) => Partial<BulkResult>;
const STATE = { status: 'active', source: 'form', language: 'en' } as const;

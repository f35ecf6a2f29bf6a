import { and, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { editionRecipients } from '~/db/schema/newsletter';
import type { BulkMessage, BulkResult } from '~/server/adapters/mail/bulk/message';
import { deliverEdition } from '~/server/domain/newsletter/deliver-edition';
import { leaseEmails, type Outcome, recordOutcomes } from '~/server/domain/newsletter/lease-emails';
import { SENDING_LIMITS } from '~/server/limits/newsletter';
import type { Ctx } from '~/server/runtime/ctx';
import { rowsRead } from '../../support/rows-read';
import { newsletterStage } from './sent-editions';

const { runtime, publisher, addContacts, draft, deliver, jobCtx, rowOf } = await newsletterStage();
const { db } = runtime;

type OnResults = (results: BulkResult[]) => void | Promise<void>;
/** Runs the job with a mail server of the test. */
function deliverBy(editionId: number, send: (messages: BulkMessage[], onResults: OnResults) => Promise<void>) {
  const ctx = jobCtx();
  const bulkMail = { ...ctx.ports.bulkMail, send };
  return deliverEdition({ ...ctx, ports: { ...ctx.ports, bulkMail } }, { editionId });
}
const sentOf = (messages: BulkMessage[]): BulkResult[] => messages.map(({ id }) => ({ id, state: 'sent' }));
const inState = (editionId: number, state: 'leased' | 'sent') =>
  db.$count(editionRecipients, and(eq(editionRecipients.editionId, editionId), eq(editionRecipients.state, state)));

test('the first batches are sent one by one, then two at a time', async () => {
  const owner = await publisher();
  const { watched, batch, furtherBatch } = SENDING_LIMITS;
  const total = watched + 2 * furtherBatch;
  await addContacts(owner.creatorId, total);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  const leased: number[] = [];
  const further: (() => void)[] = [];

  await deliverBy(edition.id, async (messages, onResults) => {
    leased.push(await inState(edition.id, 'leased'));
    // each of the later two goes on when the other is there, too
    if (leased.length > watched / batch)
      await new Promise<void>((resolve) => {
        further.push(resolve);
        if (further.length === 2) for (const goOn of further) goOn();
      });
    await onResults(sentOf(messages));
  });

  expect(leased.slice(0, watched / batch)).toEqual(Array(watched / batch).fill(batch));
  expect(Math.max(...leased)).toBe(2 * furtherBatch);
  expect(await rowOf(edition.id)).toMatchObject({ status: 'sent' });
  expect(await inState(edition.id, 'sent')).toBe(total);
});

test('a lane that fails ends the job, and what the other has sent is recorded', async () => {
  const owner = await publisher();
  const { watched, batch, furtherBatch } = SENDING_LIMITS;
  await addContacts(owner.creatorId, watched + 4 * furtherBatch);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  let calls = 0;

  const delivered = deliverBy(edition.id, async (messages, onResults) => {
    calls += 1;
    if (calls === watched / batch + 1) throw new Error('the database is away');
    await onResults(sentOf(messages));
  });

  await expect(delivered).rejects.toThrow('the database is away');
  const sent = await inState(edition.id, 'sent');
  expect(sent).toBe(watched + (calls - watched / batch - 1) * furtherBatch);
  expect(await inState(edition.id, 'leased')).toBe(furtherBatch);
});

test('a batch reads its own recipients, whatever the statistics say', async () => {
  const owner = await publisher();
  const readers = await addContacts(owner.creatorId, 2 * SENDING_LIMITS.batch);
  const former = await draft(owner);
  await owner.api.editions.send(former as never);
  await deliver(former.id);
  // for them, all emails are sent, and the new edition has none
  await db.execute(sql`analyze ${editionRecipients}`);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  const tables = ['edition_recipients'];

  const outcomes: Outcome[] = [];
  async function lease(ctx: Ctx): Promise<void> {
    const { leased } = await leaseEmails(ctx, edition.id, 50);
    outcomes.push(...leased.map(({ contactId, attempts }) => ({ contactId, attempts, state: 'sent' as const })));
  }
  const leasing = await rowsRead(jobCtx(), lease, tables);
  const recording = await rowsRead(jobCtx(), (tx) => recordOutcomes(tx, edition.id, outcomes), tables);

  expect(outcomes).toHaveLength(50);
  // found, and read again to be changed
  expect(leasing).toBeLessThan(readers.length / 2);
  expect(recording).toBeLessThan(readers.length / 2);
});

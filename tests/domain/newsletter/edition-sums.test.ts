import { eq, inArray, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contacts } from '~/db/schema/audience';
import { editionRecipients, editionSums, editions } from '~/db/schema/newsletter';
import { DAYS, later } from '~/server/base/time';
import { emailTag } from '~/server/domain/newsletter/email-tags';
import { leaseEmails, type Outcome, recordOutcomes } from '~/server/domain/newsletter/lease-emails';
import { findEdition } from '~/server/domain/newsletter/list-editions';
import { recordMailEvents } from '~/server/domain/newsletter/record-mail-events';
import { transact } from '~/server/runtime/ctx';
import { rowsRead } from '../../support/rows-read';
import { newsletterStage } from './sent-editions';

const stage = await newsletterStage();
const { runtime, ctxOf, clock, publisher, addContacts, draft, jobCtx } = stage;
const { db } = runtime;

/** The sums of all editions equal what a count of their recipients tells. */
async function expectCounted() {
  const stored = await db.execute(sql`
    select edition_id, state, reason, sum(emails)::int as emails from edition_sums
    group by 1, 2, 3 having sum(emails) <> 0 order by 1, 2, 3`);
  const counted = await db.execute(sql`
    select edition_id, state, case when state = 'skipped' then coalesce(answer, '') else '' end as reason,
      count(*)::int as emails
    from edition_recipients group by 1, 2, 3 order by 1, 2, 3`);
  expect([...stored]).toEqual([...counted]);
}

async function sending(count: number) {
  const owner = await publisher();
  const readers = await addContacts(owner.creatorId, count);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  return { owner, readers, ...edition };
}

const OUTCOMES: Omit<Outcome, 'contactId' | 'attempts'>[] = [
  { state: 'sent' },
  { state: 'deferred' },
  { state: 'bounced', isHard: true, answer: '550 5.1.1 no such user' },
  { state: 'unsent' },
  { state: 'unknown' },
  { state: 'sent' },
];

test('the sums of an edition equal a count of its recipients after each kind of change', async () => {
  const { owner, readers, id } = await sending(12);
  const other = await sending(3);
  await expectCounted();
  const [leaver] = readers;
  await db.update(contacts).set({ status: 'inactive', inactiveAs: 'unsubscribed' }).where(eq(contacts.id, leaver!.id));

  // a contact is skipped, and six are leased
  const { leased } = await leaseEmails(jobCtx(), id, 7);
  await expectCounted();
  await recordOutcomes(
    jobCtx(),
    id,
    leased.map(({ contactId, attempts }, index) => ({ contactId, attempts, ...OUTCOMES[index]! })),
  );
  await expectCounted();
  const { counts } = await owner.api.editions.get({ id });
  expect(counts).toMatchObject({
    tally: { waiting: 7, leased: 0, sent: 2, bounced: 1, complained: 0, failed: 0, unknown: 1, skipped: 1 },
    unsubscribed: 1,
    bounces: [{ reason: 'unknown_address', count: 1 }],
  });

  const sent = readers.find((reader) => reader.id === leased[0]!.contactId)!;
  const messageId = `${emailTag(jobCtx(), { editionId: id, contactId: sent.id })}@altavoz.example`;
  await recordMailEvents(jobCtx(), [{ kind: 'complaint', isHard: true, email: sent.email, messageId, at: clock.now }]);
  await expectCounted();
  // a lease that ended
  await leaseEmails(jobCtx(), id, 3);
  await leaseEmails(jobCtx(later(clock.now, DAYS(1))), id, 3);
  await expectCounted();
  await owner.api.editions.cancel({ id });
  await owner.api.editions.resume({ id });
  await expectCounted();

  const tallyOf = async () => (await owner.api.editions.get({ id })).counts!.tally;
  const before = await tallyOf();
  await db.delete(contacts).where(eq(contacts.creatorId, owner.creatorId));
  // what was sent stays a result after its contact was deleted, and nobody waits any more
  expect(await tallyOf()).toEqual({ ...before, waiting: 0, leased: 0 });
  expect(before.sent).toBeGreaterThan(0);
  expect(await db.$count(editionRecipients, eq(editionRecipients.editionId, id))).toBe(0);
  await db.delete(editions).where(inArray(editions.id, [id, other.id]));
  expect(await db.$count(editionSums, inArray(editionSums.editionId, [id, other.id]))).toBe(0);
});

test('two workers lease and record at the same time, and neither waits for the sums', async () => {
  const { id } = await sending(10);

  await transact(jobCtx(), async (tx) => {
    await leaseEmails(tx, id, 4);
    // would wait for the end of the first transaction
    const { leased } = await leaseEmails(jobCtx(), id, 4);
    await recordOutcomes(
      jobCtx(),
      id,
      leased.map(({ contactId, attempts }) => ({ contactId, attempts, state: 'sent' })),
    );
  });

  await expectCounted();
  // the second worker found the sum of those who wait locked
  expect(await db.$count(editionSums, sql`${editionSums.editionId} = ${id} and ${editionSums.emails} < 0`)).toBe(1);
  // an edition with several rows of one sum, which is deleted while one of them is changed
  await db.delete(editions).where(eq(editions.id, id));
  await expectCounted();
});

test('the page of an edition reads none of its recipients', async () => {
  const { owner, id } = await sending(40);

  const read = await rowsRead(ctxOf(owner), (ctx) => findEdition(ctx, { id }), ['edition_recipients', 'contacts']);

  expect(read).toBe(0);
});

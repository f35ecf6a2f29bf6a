import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { editionRecipients } from '~/db/schema/newsletter';
import type { BulkResult } from '~/server/adapters/mail/bulk/message';
import { DAYS, later } from '~/server/base/time';
import type { MailEvent } from '~/server/bounces/mail-event';
import { recordMailEvents } from '~/server/domain/newsletter/record-mail-events';
import { SENDING_LIMITS } from '~/server/limits/newsletter';
import { mailEventStage } from './mail-event-stage';

const { runtime, clock, publisher, addContacts, draft, deliver, jobCtx, event, contactOf, suppressedOf } =
  await mailEventStage();
const start = clock.now;
const { softBounces, softBouncedFor } = SENDING_LIMITS;
const OVER = softBouncedFor / (softBounces - 1);

type Answer = Partial<BulkResult> & Pick<BulkResult, 'state'>;
const FULL: Answer = { state: 'bounced', code: 552, status: '5.2.2', text: 'mailbox full' };
const NO_HOST: Answer = { state: 'bounced', code: 550, status: '5.4.4', text: 'host not found' };
const BLOCKED: Answer = { state: 'bounced', code: 550, status: '5.7.1', text: 'policy' };
const SENT: Answer = { state: 'sent' };
const repeat = (answer: Answer, times: number = softBounces) => Array.from({ length: times }, () => answer);

/** A contact to whom an edition was sent every so often, with these answers of the mail server. */
async function sentWith(answers: Answer[], every = OVER) {
  const owner = await publisher();
  const [contact] = await addContacts(owner.creatorId, 1, { statusAt: later(start, -DAYS(1)) });
  for (const [i, answer] of answers.entries()) {
    clock.now = later(start, i * every);
    const edition = await draft(owner);
    await owner.api.editions.send(edition as never);
    await deliver(edition.id, { answer: () => answer });
  }
  return { owner, contact: contact!, after: await contactOf(contact!.id) };
}

test.each([
  ['a full mailbox', repeat(FULL)],
  ['a domain that is not found', repeat(NO_HOST)],
  ['both', [SENT, ...repeat(FULL, softBounces - 1), NO_HOST]],
])('emails that come back for weeks because of %s end', async (_, answers) => {
  const { owner, after } = await sentWith(answers);

  expect(after).toMatchObject({ status: 'inactive', inactiveAs: 'bounced', statusReason: 'bounce' });
  expect(await suppressedOf(owner.creatorId)).toEqual([{ reason: 'bounced' }]);
});

test.each([
  ['one less', repeat(FULL, softBounces - 1), OVER],
  ['one in between was accepted', [FULL, FULL, SENT, FULL, FULL], OVER],
  ['one was blocked', [BLOCKED, ...repeat(FULL, softBounces - 1)], OVER],
  ['all came back within days', repeat(FULL), OVER - DAYS(1)],
])('a contact stays active if %s', async (_, answers, every) => {
  const { owner, after } = await sentWith(answers, every);

  expect(after).toMatchObject({ status: 'active' });
  expect(await suppressedOf(owner.creatorId)).toEqual([]);
});

test('bounces that are reported later count, each with its reason', async () => {
  const { owner, contact } = await sentWith(repeat(SENT));
  const rows = await runtime.db
    .select({ editionId: editionRecipients.editionId, settledAt: editionRecipients.settledAt })
    .from(editionRecipients)
    .where(eq(editionRecipients.contactId, contact.id))
    .orderBy(asc(editionRecipients.settledAt));
  const report = (status: string): MailEvent[] =>
    rows.map(({ editionId, settledAt }) => event(editionId, contact, { isHard: false, at: settledAt!, status }));

  await recordMailEvents(jobCtx(), report('5.2.2').slice(1));
  const before = await contactOf(contact.id);
  await recordMailEvents(jobCtx(), report('5.2.2'));

  expect(before.status).toBe('active');
  expect(await contactOf(contact.id)).toMatchObject({ status: 'inactive', inactiveAs: 'bounced' });
  expect(await suppressedOf(owner.creatorId)).toEqual([{ reason: 'bounced' }]);
});

test('bounces from before a person has signed up again count for nothing', async () => {
  const owner = await publisher();
  const [contact] = await addContacts(owner.creatorId, 1, { statusAt: later(start, OVER + 1) });
  for (let i = 0; i < softBounces; i += 1) {
    clock.now = later(start, i * OVER);
    const edition = await draft(owner);
    await owner.api.editions.send(edition as never);
    await deliver(edition.id, { answer: () => FULL });
  }

  expect((await contactOf(contact!.id)).status).toBe('active');
});

import { and, eq, lt } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contacts, mergedContacts } from '~/db/schema/audience';
import { editionRecipients, editions, mailReportTokens } from '~/db/schema/newsletter';
import { episodeEmailOptOuts } from '~/db/schema/notifications';
import { DELIVERY_STATES, type DeliveryState } from '~/db/values/editions';
import { DAYS, later, MINUTES } from '~/server/base/time';
import type { MailEvent } from '~/server/bounces/mail-event';
import { suppress, suppressionOf } from '~/server/domain/audience/suppressions';
import { giveTrackingConsent, isTracked } from '~/server/domain/audience/tracking-consents';
import { emailTag, readEmailTag } from '~/server/domain/newsletter/email-tags';
import { leaseEmails, recordOutcomes } from '~/server/domain/newsletter/lease-emails';
import { recordMailEvents, recordReport, sweepReports } from '~/server/domain/newsletter/record-mail-events';
import { CHANGED_BY, REPORTED_STATE } from '~/server/domain/newsletter/rules';
import { INBOUND_LIMITS, SENDING_LIMITS } from '~/server/limits/newsletter';
import { transact } from '~/server/runtime/ctx';
import { mailEventStage } from './mail-event-stage';

const {
  runtime,
  make,
  clock,
  publisher,
  addContacts,
  draft,
  jobCtx,
  statesOf,
  rowOf,
  pauseAt,
  sentTo,
  idOf,
  event,
  contactOf,
  suppressedOf,
} = await mailEventStage();
const { db } = runtime;

const CHANGES: [MailEvent['kind'], DeliveryState[]][] = [
  ['delivery', ['waiting', 'leased', 'failed', 'unknown']],
  ['bounce', ['waiting', 'leased', 'sent', 'failed', 'unknown']],
  ['complaint', ['waiting', 'leased', 'sent', 'bounced', 'failed', 'unknown']],
];
test.each(CHANGES)('a %s changes only these states', async (kind, changed) => {
  const { owner, readers, editionId } = await sentTo(1);
  const [reader] = readers;
  const isReader = and(eq(editionRecipients.editionId, editionId), eq(editionRecipients.contactId, reader!.id));
  const found: DeliveryState[] = [];
  for (const state of DELIVERY_STATES) {
    await db.update(editionRecipients).set({ state }).where(isReader);
    await recordMailEvents(jobCtx(), [event(editionId, reader!, { kind })]);
    const after = (await statesOf(editionId))[reader!.email];
    if (after !== state) found.push(state);
    expect([state, REPORTED_STATE[kind]]).toContain(after);
  }

  expect(found).toEqual(DELIVERY_STATES.filter((state) => changed.includes(state)));
  expect([...CHANGED_BY[kind]].sort()).toEqual([...changed].sort());
  expect(owner.creatorId).toBeGreaterThan(0);
});

test('a hard bounce after sending ends the emails to the address, a soft one does not, each at its time', async () => {
  const { owner, readers, editionId } = await sentTo(3);
  const [gone, full, fine] = readers;
  const at = new Date(clock.now.getTime() - MINUTES(5));

  const recorded = await recordMailEvents(jobCtx(), [
    event(editionId, gone!, { at, email: gone!.email.toUpperCase() }),
    event(editionId, full!, { isHard: false, at: later(clock.now, DAYS(1)) }),
    event(editionId, fine!, { kind: 'delivery' }),
  ]);

  expect(recorded).toEqual({ recorded: 3, unknown: 0 });
  expect(await statesOf(editionId)).toEqual({
    [gone!.email]: 'bounced',
    [full!.email]: 'bounced',
    [fine!.email]: 'sent',
  });
  expect(await contactOf(gone!.id)).toMatchObject({ inactiveAs: 'bounced', statusReason: 'bounce' });
  expect(await contactOf(full!.id)).toMatchObject({ status: 'active' });
  expect(await suppressedOf(owner.creatorId)).toEqual([{ reason: 'bounced' }]);
  const rows = await db
    .select({ id: editionRecipients.contactId, at: editionRecipients.settledAt })
    .from(editionRecipients)
    .where(eq(editionRecipients.editionId, editionId))
    .orderBy(editionRecipients.contactId);
  expect(rows.slice(0, 2)).toEqual([
    { id: gone!.id, at },
    { id: full!.id, at: clock.now },
  ]);
});

test('repeating a bounce changes nothing, also after the person has signed up again', async () => {
  const { readers, editionId } = await sentTo(1);
  const [reader] = readers;
  await recordMailEvents(jobCtx(), [event(editionId, reader!)]);
  await db.update(contacts).set({ status: 'active', inactiveAs: null }).where(eq(contacts.id, reader!.id));

  await recordMailEvents(jobCtx(), [event(editionId, reader!), event(editionId, reader!, { kind: 'delivery' })]);

  expect(await contactOf(reader!.id)).toMatchObject({ status: 'active' });
  expect(await statesOf(editionId)).toEqual({ [reader!.email]: 'bounced' });
});

test('a complaint ends the newsletter, new episodes and messages, also for a contact that the team deactivated', async () => {
  const { owner, readers, editionId } = await sentTo(2);
  const [reader, deactivated] = readers;
  const show = await make.product(owner, {});
  const listener = await make.person();
  await listener.api.feeds.follow({ productId: show.id });
  await db.update(contacts).set({ userId: listener.id }).where(eq(contacts.id, reader!.id));
  await transact(jobCtx(), (tx) => giveTrackingConsent(tx, reader!.id, '-'));
  await db
    .update(contacts)
    .set({ status: 'inactive', statusReason: 'creator' })
    .where(eq(contacts.id, deactivated!.id));

  await recordMailEvents(jobCtx(), [
    event(editionId, reader!, { kind: 'complaint', email: null }),
    event(editionId, reader!, { kind: 'delivery' }),
    event(editionId, deactivated!, { kind: 'complaint' }),
  ]);

  for (const { id } of readers)
    expect(await contactOf(id)).toMatchObject({ inactiveAs: 'complained', statusReason: 'complaint' });
  expect(await isTracked(jobCtx(), reader!.id)).toBe(false);
  expect(await suppressedOf(owner.creatorId)).toEqual([{ reason: 'complained' }, { reason: 'complained' }]);
  expect(Object.values(await statesOf(editionId))).toEqual(['complained', 'complained']);
  const jobs = await runtime.queue.boss.fetch('billing.stop-messages', { batchSize: 10 });
  expect(jobs?.map(({ data }) => data)).toEqual([{ creatorId: owner.creatorId, userId: listener.id }]);
  expect(await db.$count(episodeEmailOptOuts, eq(episodeEmailOptOuts.productId, show.id))).toBe(1);
});

test('events about other addresses, other editions, forged and unknown ids change nothing', async () => {
  const { readers, editionId } = await sentTo(2);
  const [reader, other] = readers;
  const { editionId: foreign } = await sentTo(1);
  const tag = emailTag(jobCtx(), { editionId, contactId: reader!.id });
  const forged = `${tag.slice(0, -1)}${tag.endsWith('0') ? '1' : '0'}@altavoz.example`;

  const recorded = await recordMailEvents(jobCtx(), [
    event(editionId, reader!, { email: other!.email }),
    event(editionId, reader!, { messageId: forged }),
    event(editionId, reader!, { messageId: `edition-${editionId}.${reader!.id}@altavoz.example` }),
    event(editionId, reader!, { messageId: idOf(foreign, reader!.id) }),
    event(editionId, reader!, { messageId: null }),
    event(editionId, reader!, { messageId: '00000000-0000-4000-8000-000000000000@altavoz.example' }),
  ]);

  expect(recorded).toEqual({ recorded: 0, unknown: 6 });
  expect(Object.values(await statesOf(editionId))).toEqual(['sent', 'sent']);
  expect(readEmailTag(jobCtx(), forged)).toBe(null);
  expect(readEmailTag(jobCtx(), `bounces+${tag.toUpperCase()}@altavoz.example`)).toEqual({
    editionId,
    contactId: reader!.id,
  });
});

test('complaints that arrive while an edition is being sent stop it', async () => {
  const owner = await publisher();
  const readers = await addContacts(owner.creatorId, SENDING_LIMITS.batch + 1);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  const { leased } = await leaseEmails(jobCtx(), edition.id);
  await recordOutcomes(
    jobCtx(),
    edition.id,
    leased.map(({ contactId, attempts }) => ({ contactId, attempts, state: 'sent' })),
  );
  const complaining = leased.slice(0, 2).map(({ contactId }) => readers.find(({ id }) => id === contactId)!);

  await recordMailEvents(jobCtx(), [event(edition.id, complaining[0]!, { kind: 'complaint' })]);
  expect(await rowOf(edition.id)).toMatchObject({ status: 'sending' });
  await recordMailEvents(jobCtx(), [event(edition.id, complaining[1]!, { kind: 'complaint' })]);

  expect(await rowOf(edition.id)).toMatchObject({ status: 'stopped' });
});

test('complaints about the first emails stop an edition after many others have followed', async () => {
  const owner = await publisher();
  const readers = await addContacts(owner.creatorId, SENDING_LIMITS.watched + 10);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  const ofEdition = eq(editionRecipients.editionId, edition.id);
  // the last one still waits
  const isSent = and(ofEdition, lt(editionRecipients.contactId, readers.at(-1)!.id));
  await db.update(editionRecipients).set({ state: 'sent', attempts: 1, dueAt: null }).where(isSent);
  const complaints = (some: { id: number; email: string }[]) =>
    some.map((reader) => event(edition.id, reader, { kind: 'complaint' }));

  await recordMailEvents(jobCtx(), complaints([...readers.slice(0, 5), ...readers.slice(-9, -1)]));
  expect(await rowOf(edition.id)).toMatchObject({ status: 'sending' });
  await recordMailEvents(jobCtx(), complaints(readers.slice(5, 6)));

  expect(await rowOf(edition.id)).toMatchObject({ status: 'stopped' });
});

test('a bounce that overtakes the answer of the mail server stays', async () => {
  const owner = await publisher();
  const [reader] = await addContacts(owner.creatorId, 1);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  const { leased } = await leaseEmails(jobCtx(), edition.id);
  const pause = pauseAt('mail-events.read');
  const recording = recordMailEvents(jobCtx(), [event(edition.id, reader!)]);
  await pause.reachedBy(recording);
  await recordOutcomes(jobCtx(), edition.id, [{ ...leased[0]!, state: 'sent' }]);
  pause.goOn();
  await recording;

  await recordOutcomes(jobCtx(), edition.id, [{ ...leased[0]!, state: 'sent' }]);

  expect(await statesOf(edition.id)).toEqual({ [reader!.email]: 'bounced' });
});

test('a suppression becomes only stronger', async () => {
  const { creatorId } = await publisher();
  const REASONS = ['unsubscribed', 'bounced', 'complained'] as const;
  for (const [i, first] of REASONS.entries())
    for (const [j, second] of REASONS.entries()) {
      const key = { creatorId, email: `${first}-${second}@mail.example` };
      await transact(jobCtx(), (tx) => suppress(tx, key, first));
      await transact(jobCtx(), (tx) => suppress(tx, key, second));
      expect([first, second, await suppressionOf(jobCtx(), key)]).toEqual([first, second, REASONS[Math.max(i, j)]]);
    }
});

test('a complaint about an edition counts for the contact of which its reader became a part', async () => {
  const { readers, editionId } = await sentTo(2);
  const [former, kept] = readers;
  await db.insert(mergedContacts).values({ formerId: former!.id, contactId: kept!.id });
  await db.delete(contacts).where(eq(contacts.id, former!.id));

  const found = await recordMailEvents(jobCtx(), [event(editionId, former!, { kind: 'complaint' })]);

  expect(found).toEqual({ recorded: 1, unknown: 0 });
  expect(await contactOf(kept!.id)).toMatchObject({ inactiveAs: 'complained' });
});

test('complaints and bounces count for addresses whose contacts were deleted, unless their owners have confirmed them since', async () => {
  const { owner, readers, editionId } = await sentTo(5);
  const [again, gone, bounced, confirmed, restored] = readers;
  const { creatorId } = owner;
  const change = (ids: number[]) => owner.api.contacts.change({ action: 'delete', ids } as never);
  await change([again!, gone!, bounced!, confirmed!].map(({ id }) => id));
  const { batchId } = await change([restored!.id]);
  await owner.api.contacts.undoChange({ batchId } as never);
  await addContacts(creatorId, 1, { email: again!.email });
  await addContacts(creatorId, 1, { email: bounced!.email });
  await addContacts(creatorId, 1, { email: confirmed!.email, confirmedAt: later(clock.now, MINUTES(1)) });
  const complaint = { kind: 'complaint', email: null } as const;

  const found = await recordMailEvents(jobCtx(), [
    ...[again, gone, confirmed, restored].map((reader) => event(editionId, reader!, complaint)),
    event(editionId, bounced!),
    event(editionId, gone!, { email: again!.email }),
  ]);

  expect(found).toEqual({ recorded: 4, unknown: 2 });
  const reasons = readers.map(({ email }) => suppressionOf(jobCtx(), { creatorId, email }));
  expect(await Promise.all(reasons)).toEqual(['complained', 'complained', 'bounced', null, 'complained']);
  const rows = await db.select().from(contacts).where(eq(contacts.creatorId, creatorId)).orderBy(contacts.id);
  const byEmail = Object.fromEntries(rows.map(({ email, inactiveAs }) => [email, inactiveAs]));
  expect(byEmail).toEqual({
    [again!.email]: 'complained',
    [bounced!.email]: 'bounced',
    [confirmed!.email]: null,
    [restored!.email]: 'complained',
  });
});

test('a report with a token counts once, and its token is forgotten when its signature is old', async () => {
  const { readers, editionId } = await sentTo(2);
  const [first, second] = readers;
  await Promise.all([1, 2].map(() => recordReport(jobCtx(), 'token-1', [event(editionId, first!)])));

  await recordReport(jobCtx(), 'token-1', [event(editionId, second!)]);

  expect(await statesOf(editionId)).toEqual({ [first!.email]: 'bounced', [second!.email]: 'sent' });
  await sweepReports(jobCtx());
  expect(await db.$count(mailReportTokens)).toBe(1);
  await sweepReports(jobCtx(later(clock.now, INBOUND_LIMITS.tokenKept + 1)));
  expect(await db.$count(mailReportTokens)).toBe(0);
});

test('a batch larger than one transaction is recorded completely', async () => {
  const { readers, editionId } = await sentTo(INBOUND_LIMITS.batch + 5);

  await recordMailEvents(
    jobCtx(),
    readers.map((reader) => event(editionId, reader, { isHard: false })),
  );

  expect(
    await db.$count(
      editionRecipients,
      and(eq(editionRecipients.editionId, editionId), eq(editionRecipients.state, 'bounced')),
    ),
  ).toBe(readers.length);
  expect(await db.$count(editions, eq(editions.id, editionId))).toBe(1);
});

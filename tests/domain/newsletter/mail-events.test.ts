import { and, eq, lt } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { contacts, mergedContacts, suppressions } from '~/db/schema/audience';
import { editionRecipients, editions, mailReportTokens } from '~/db/schema/newsletter';
import { episodeEmailOptOuts, outbox } from '~/db/schema/notifications';
import { DELIVERY_STATES, type DeliveryState } from '~/db/values/editions';
import { DAYS, later, MINUTES } from '~/server/base/time';
import type { MailEvent } from '~/server/bounces/mail-event';
import { leaveList } from '~/server/domain/audience/leave-newsletter';
import { suppress, suppressionOf } from '~/server/domain/audience/suppressions';
import { emailTag, readEmailTag } from '~/server/domain/newsletter/email-tags';
import { leaseEmails, recordOutcomes } from '~/server/domain/newsletter/lease-emails';
import { recordMailEvents, recordReport, sweepReports } from '~/server/domain/newsletter/record-mail-events';
import { CHANGED_BY, REPORTED_STATE } from '~/server/domain/newsletter/rules';
import { sendWelcome } from '~/server/domain/newsletter/send-welcome';
import { INBOUND_LIMITS, SENDING_LIMITS } from '~/server/limits/newsletter';
import { transact } from '~/server/runtime/ctx';
import { newsletterStage } from './sent-editions';

const stage = await newsletterStage();
const { runtime, make, clock, publisher, addContacts, draft, deliver, jobCtx, statesOf, rowOf, pauseAt } = stage;
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
  const complaints = (some: Contact[]) => some.map((reader) => event(edition.id, reader, { kind: 'complaint' }));

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

test('a bounce of a welcome counts, unless the contact has changed since', async () => {
  const owner = await publisher();
  await owner.api.newsletter.saveSettings({
    ...{ name: 'N', description: '', category: 101, language: 'en', senderName: 'N', senderEmail: owner.email },
    ...{ header: 'h', footer: 'f', sendsWelcome: true, welcomeSubject: 'Hi', welcomeContent: '<p>Hi</p>' },
  } as never);
  const readers = await addContacts(owner.creatorId, 2, { statusAt: clock.now });
  for (const { id } of readers) await sendWelcome(jobCtx(), { contactId: id });
  const emails = await db.select().from(outbox).where(eq(outbox.creatorId, owner.creatorId)).orderBy(outbox.to);
  const [gone, back] = readers;
  await db
    .update(contacts)
    .set({ statusAt: later(clock.now, DAYS(1)) })
    .where(eq(contacts.id, back!.id));

  const events = emails.map(({ id, to }) => event(0, { id: 0, email: to }, { messageId: `${id}@altavoz.example` }));
  expect(await recordMailEvents(jobCtx(), events)).toEqual({ recorded: 1, unknown: 1 });

  expect(await contactOf(gone!.id)).toMatchObject({ inactiveAs: 'bounced' });
  expect(await contactOf(back!.id)).toMatchObject({ status: 'active' });
});

/** An email about a new episode that was sent to an address, which may have no contact. */
async function sentEpisode(owner: Awaited<ReturnType<typeof publisher>>, to: string) {
  const show = await make.product(owner, {});
  const row = { to, creatorId: owner.creatorId, productId: show.id, topic: 'new_episode', createdAt: clock.now };
  const [email] = await db
    .insert(outbox)
    .values({ ...row, language: 'en', subject: 's', html: '', text: '', sentAt: clock.now })
    .returning();
  const report = { kind: 'complaint', email: null, messageId: `${email!.id}@altavoz.example` } as const;
  return { show, report: event(0, { id: 0, email: to }, report) };
}
const hasOptedOut = (email: string, productId: number) =>
  db.$count(
    episodeEmailOptOuts,
    and(eq(episodeEmailOptOuts.email, email), eq(episodeEmailOptOuts.productId, productId)),
  );

test('a complaint about a new episode ends the emails to an address that is no contact', async () => {
  const owner = await publisher();
  const listener = await make.person();
  await db.update(users).set({ emailVerifiedAt: clock.now }).where(eq(users.id, listener.id));
  const { show, report } = await sentEpisode(owner, listener.email.toUpperCase());
  const { show: other, report: bounce } = await sentEpisode(owner, 'follower@mail.example');

  expect(await recordMailEvents(jobCtx(), [report])).toEqual({ recorded: 1, unknown: 0 });
  await recordMailEvents(jobCtx(), [{ ...bounce, kind: 'bounce', email: 'follower@mail.example' }]);

  expect((await suppressedOf(owner.creatorId)).map(({ reason }) => reason).sort()).toEqual(['bounced', 'complained']);
  expect(await hasOptedOut(listener.email, show.id)).toBe(1);
  expect(await hasOptedOut('follower@mail.example', other.id)).toBe(0);
  const jobs = await runtime.queue.boss.fetch('billing.stop-messages', { batchSize: 10 });
  expect(jobs?.map(({ data }) => data)).toEqual([{ creatorId: owner.creatorId, userId: listener.id }]);
});

test('a complaint about a new episode counts for a person who has left the newsletter since, and a bounce too', async () => {
  const owner = await publisher();
  const people = await addContacts(owner.creatorId, 2);
  for (const { email } of people)
    await transact(jobCtx(later(clock.now, MINUTES(5))), (tx) =>
      leaveList(tx, { creatorId: owner.creatorId, id: null, email }),
    );
  const [angry, gone] = people;
  const { show, report } = await sentEpisode(owner, angry!.email);
  const { report: bounce } = await sentEpisode(owner, gone!.email);

  await recordMailEvents(jobCtx(), [report, { ...bounce, kind: 'bounce', email: gone!.email }]);

  expect((await suppressedOf(owner.creatorId)).map(({ reason }) => reason).sort()).toEqual(['bounced', 'complained']);
  expect(await hasOptedOut(angry!.email, show.id)).toBe(1);
  // the newsletter's list shows what they did themselves
  for (const { id } of people) expect(await contactOf(id)).toMatchObject({ inactiveAs: 'unsubscribed' });
});

test('a complaint about a single email counts once, also after the person has signed up again', async () => {
  const owner = await publisher();
  const [reader] = await addContacts(owner.creatorId, 1, { statusAt: later(clock.now, MINUTES(5)) });
  const { report } = await sentEpisode(owner, reader!.email);

  await recordMailEvents(jobCtx(), [report]);
  expect(await contactOf(reader!.id)).toMatchObject({ inactiveAs: 'complained' });
  await db.update(contacts).set({ status: 'active', inactiveAs: null }).where(eq(contacts.id, reader!.id));
  await recordMailEvents(jobCtx(), [report, report]);

  expect(await contactOf(reader!.id)).toMatchObject({ status: 'active' });
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

import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { contacts } from '~/db/schema/audience';
import { episodeEmailOptOuts, outbox } from '~/db/schema/notifications';
import { DAYS, later, MINUTES } from '~/server/base/time';
import { leaveList } from '~/server/domain/audience/leave-newsletter';
import { recordMailEvents } from '~/server/domain/newsletter/record-mail-events';
import { sendWelcome } from '~/server/domain/newsletter/send-welcome';
import { transact } from '~/server/runtime/ctx';
import { mailEventStage } from './mail-event-stage';

const { runtime, make, clock, publisher, addContacts, jobCtx, event, contactOf, suppressedOf } = await mailEventStage();
const { db } = runtime;

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

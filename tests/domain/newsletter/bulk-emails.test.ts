import { and, eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contacts, suppressions } from '~/db/schema/audience';
import { outbox } from '~/db/schema/notifications';
import type { BulkMessage, BulkResult } from '~/server/adapters/mail/bulk/message';
import { HOURS, later, MINUTES } from '~/server/base/time';
import { followShow, unfollowShow } from '~/server/domain/access/follow-show';
import { leaveList } from '~/server/domain/audience/leave-newsletter';
import { markBounced } from '~/server/domain/audience/mark-bounced';
import { deliverBulkEmails } from '~/server/domain/newsletter/deliver-bulk-emails';
import { sendWelcome } from '~/server/domain/newsletter/send-welcome';
import { deliverEmail, listFailedEmails, resendFailedEmails } from '~/server/domain/notifications/deliver-email';
import { queueEmails } from '~/server/domain/notifications/outbox';
import { unsubscribe, unsubscribeLink } from '~/server/domain/notifications/unsubscribe';
import { BULK_EMAIL_LIMITS, MAIL_LIMITS } from '~/server/limits/notifications';
import { type TxCtx, transact } from '~/server/runtime/ctx';
import { newsletterStage, SETTINGS } from './sent-editions';

const stage = await newsletterStage();
const { runtime, make, ctxOf, visitorCtx, clock, inbox, pauseAt, addContacts, jobCtx } = stage;
const { db } = runtime;

const owner = await make.creator({ name: 'Nora Quay' });
const show = await make.product(owner, { name: 'Olas' });
const withNewsletter = await stage.publisher();

let number = 0;
/** Queues an email about a new episode to each of some new addresses. */
async function queueEpisodeEmails(count: number, creatorId = owner.creatorId): Promise<string[]> {
  const people = Array.from({ length: count }, () => `listener${++number}@mail.example`);
  await transact(visitorCtx(), (tx) =>
    queueEmails(
      tx,
      people.map((to) => episodeEmail(tx, to, creatorId)),
    ),
  );
  return people;
}

const episodeEmail = (tx: TxCtx, to: string, creatorId: number) => ({
  ...{ to, userId: null, creatorId, productId: show.id, topic: 'new_episode', language: 'en' as const },
  subject: 'Olas: The tide',
  content: { heading: 'The tide', paragraphs: ['{{name}} stays as it is'], footer: 'Bye' },
  headers: unsubscribeLink(tx, { email: to, productId: show.id }, 'en').headers,
});

type Answer = (message: BulkMessage) => Partial<BulkResult>;
/** Runs the job with the results of `answer` instead of a mail server's. @returns the addresses */
async function deliver({ now = clock.now, answer }: { now?: Date; answer?: Answer } = {}): Promise<string[]> {
  const ctx = jobCtx(now);
  const sent: string[] = [];
  const send = async (messages: BulkMessage[], onResults: (results: BulkResult[]) => void | Promise<void>) => {
    sent.push(...messages.map(({ to }) => to));
    await onResults(messages.map((message) => ({ id: message.id, state: 'sent' as const, ...answer?.(message) })));
  };
  await deliverBulkEmails({ ...ctx, ports: { ...ctx.ports, bulkMail: { ...ctx.ports.bulkMail, send } } });
  return sent.sort();
}

async function rowsOf(people: string[]) {
  return db.select().from(outbox).where(inArray(outbox.to, people)).orderBy(outbox.to);
}
const kept = new Map<string, string>();
function keep({ to, bytes }: BulkMessage): Partial<BulkResult> {
  kept.set(to, String(bytes()));
  return {};
}
const headerOf = (source: string, name: string) =>
  new RegExp(`^${name}: (.*(?:\\r?\\n .*)*)`, 'im').exec(source)?.[1]?.replaceAll(/\r?\n /g, ' ');

test('an email about a new episode comes from its creator’s address, with the headers of a list', async () => {
  const [to] = await queueEpisodeEmails(1);

  await deliver({ answer: keep });

  const source = kept.get(to!)!;
  const header = (name: string) => headerOf(source, name);
  const [row] = await rowsOf([to!]);
  const { domain } = runtime.ports.mail;
  expect(header('From')).toBe(`Nora Quay <${owner.domain}@${domain}>`);
  // only an address that the creator has chosen is shown to listeners
  expect(header('Reply-To')).toBeUndefined();
  expect(header('Message-ID')).toBe(`<${row!.id}@${domain}>`);
  expect(header('List-Id')).toContain(`<new-episode.${owner.domain}.${domain}>`);
  expect(header('List-Unsubscribe')).toBe(row!.headers['List-Unsubscribe']);
  expect(header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  expect(header('Precedence')).toBe('bulk');
  expect(header('Feedback-ID')).toBe(`${show.id}:${owner.creatorId}:new-episode:altavoz`);
  expect(row).toMatchObject({ sentAt: clock.now, dueAt: null, attempts: 1, failedAt: null });
});

test('a welcome comes from the newsletter, and the answer goes to its address', async () => {
  const texts = { sendsWelcome: true, welcomeSubject: 'Welcome', welcomeContent: 'So glad!' };
  await withNewsletter.api.newsletter.saveSettings({
    ...SETTINGS,
    senderEmail: withNewsletter.email,
    ...texts,
  } as never);
  const [contact] = await addContacts(withNewsletter.creatorId, 1);

  await sendWelcome(jobCtx(), { contactId: contact!.id });
  await deliver({ answer: keep });

  const source = kept.get(contact!.email)!;
  expect(headerOf(source, 'From')).toBe(`Nora <${withNewsletter.domain}@${runtime.ports.mail.domain}>`);
  expect(headerOf(source, 'Reply-To')).toBe(`Nora <${withNewsletter.email}>`);
  expect(headerOf(source, 'List-Id')).toContain('The Night Mail');
});

test('the job of a single email leaves emails of the bulk sender alone', async () => {
  const people = await queueEpisodeEmails(1);
  const [row] = await rowsOf(people);

  await deliverEmail(jobCtx(), { emailId: row!.id });

  expect(await inbox!.list(people[0]!)).toEqual([]);
  expect(await deliver()).toEqual(people);
});

test('of two workers, each sends other emails', async () => {
  const people = await queueEpisodeEmails(40);

  const sent = await Promise.all([deliver(), deliver()]);

  expect(sent.flat().sort()).toEqual([...people].sort());
});

test('a worker that is killed before it records loses no email, and nobody else sends them meanwhile', async () => {
  const people = await queueEpisodeEmails(3);
  const pause = pauseAt('emails.sent');
  const killed = deliver();
  await pause.reachedBy(killed);

  expect(await deliver()).toEqual([]);
  const afterLease = later(clock.now, BULK_EMAIL_LIMITS.lease + MINUTES(1));
  expect(await deliver({ now: afterLease })).toEqual([...people].sort());

  // the first worker wakes up again: what the second one has recorded stays
  pause.goOn();
  await killed;
  expect((await rowsOf(people)).map(({ attempts, sentAt }) => [attempts, sentAt])).toEqual(
    people.map(() => [2, afterLease]),
  );
});

test('a deferred email is tried again for a day, and then fails for the operator to see', async () => {
  const people = await queueEpisodeEmails(1);
  let { now } = clock;
  let attempts = 0;
  for (let [row] = await rowsOf(people); row!.dueAt; [row] = await rowsOf(people)) {
    now = row!.dueAt;
    attempts += (await deliver({ now, answer: () => ({ state: 'deferred', code: 451, text: 'busy' }) })).length;
  }

  expect(attempts).toBe(MAIL_LIMITS.retryDelays.length + 1);
  expect(now.getTime() - clock.now.getTime()).toBeGreaterThanOrEqual(HOURS(24));
  expect((await listFailedEmails(runtime)).map(({ to, failure }) => [to, failure])).toEqual([[people[0], '451 busy']]);
  expect(await resendFailedEmails(jobCtx(now))).toBe(1);
  expect(await deliver({ now })).toEqual(people);
});

test('emails to a domain that is slowed down wait without an attempt', async () => {
  const people = await queueEpisodeEmails(1);

  await deliver({ answer: () => ({ state: 'unsent', retryInMs: MINUTES(2) }) });

  const [row] = await rowsOf(people);
  expect(row).toMatchObject({ attempts: 0, dueAt: later(clock.now, MINUTES(2)), failedAt: null });
  expect(await deliver()).toEqual([]);
  expect(await deliver({ now: later(clock.now, MINUTES(3)) })).toEqual(people);
});

test('an email without an answer is never repeated, not even by an operator', async () => {
  const people = await queueEpisodeEmails(1);

  await deliver({ answer: () => ({ state: 'unknown' }) });

  expect(await rowsOf(people)).toMatchObject([{ settledAs: 'unknown', sentAt: null, dueAt: null }]);
  expect(await resendFailedEmails(jobCtx())).toBe(0);
  expect(await deliver({ now: later(clock.now, HOURS(48)) })).toEqual([]);
});

test('an address that does not exist ends the emails to its contact', async () => {
  const [to] = await queueEpisodeEmails(1);
  await addContacts(owner.creatorId, 1, { email: to! });

  await deliver({ answer: () => ({ state: 'bounced', isHard: true, code: 550 }) });

  const [contact] = await db.select().from(contacts).where(eq(contacts.email, to!));
  expect(contact).toMatchObject({ status: 'inactive', inactiveAs: 'bounced' });
  expect(await rowsOf([to!])).toMatchObject([{ settledAs: 'bounced' }]);
  expect(await resendFailedEmails(jobCtx())).toBe(0);
});

test('an address that does not exist gets no next email, without a contact and after leaving the newsletter', async () => {
  const people = await queueEpisodeEmails(2);
  const [, left] = people;
  await addContacts(owner.creatorId, 1, { email: left! });
  await transact(visitorCtx(), (tx) => leaveList(tx, { creatorId: owner.creatorId, id: null, email: left! }));
  expect(await deliver({ answer: () => ({ state: 'bounced', isHard: true, code: 550 }) })).toEqual([...people].sort());

  await db.update(outbox).set({ settledAs: null, failedAt: null, dueAt: clock.now }).where(inArray(outbox.to, people));

  expect(await deliver()).toEqual([]);
});

test('an email that the server refuses for its content can be sent again', async () => {
  const people = await queueEpisodeEmails(1);

  await deliver({ answer: () => ({ state: 'bounced', code: 554, text: 'policy' }) });

  expect(await rowsOf(people)).toMatchObject([{ settledAs: null, failure: '554 policy' }]);
  expect(await resendFailedEmails(jobCtx())).toBe(1);
  expect(await deliver()).toEqual(people);
});

test('who has ended the emails since they were queued, or can’t be reached, gets none', async () => {
  const [stays, left, gone] = await queueEpisodeEmails(3);
  const { headers } = unsubscribeLink(visitorCtx(), { email: left!, productId: show.id }, 'en');
  const token = new URL(headers['List-Unsubscribe']!.slice(1, -1)).searchParams.get('token')!;
  await unsubscribe(visitorCtx(), { token });
  const [contact] = await addContacts(owner.creatorId, 1, { email: gone! });
  await transact(visitorCtx(), (tx) => markBounced(tx, { contactIds: [contact!.id], addresses: [] }));

  expect(await deliver()).toEqual([stays]);

  expect(await db.$count(suppressions, eq(suppressions.creatorId, owner.creatorId))).toBeGreaterThan(0);
  const skipped = and(inArray(outbox.to, [left!, gone!]), eq(outbox.settledAs, 'skipped'));
  expect(await db.$count(outbox, skipped)).toBe(2);
});

test('who has unfollowed the show since the email was queued gets none', async () => {
  const [stays, leaves] = [await make.person(), await make.person()];
  for (const person of [stays, leaves]) await followShow(ctxOf(person), { productId: show.id });
  await transact(visitorCtx(), (tx) =>
    queueEmails(
      tx,
      [stays, leaves].map(({ id, email }) => ({ ...episodeEmail(tx, email, owner.creatorId), userId: id })),
    ),
  );
  await unfollowShow(ctxOf(leaves), { productId: show.id });

  expect(await deliver()).toEqual([stays.email]);
  const about = (await rowsOf([leaves.email])).filter(({ topic }) => topic === 'new_episode');
  expect(about).toMatchObject([{ settledAs: 'skipped', sentAt: null }]);
});

test('one address that no email can have does not keep others from theirs', async () => {
  const [bad, good] = await queueEpisodeEmails(2);
  await db.update(outbox).set({ headers: {} }).where(eq(outbox.to, bad!));

  await deliverBulkEmails(jobCtx());
  await deliverBulkEmails(jobCtx());

  expect([await inbox!.list(bad!), await inbox!.list(good!)]).toMatchObject([[], [{ subject: 'Olas: The tide' }]]);

  expect(await rowsOf([bad!, good!])).toMatchObject([{ failedAt: clock.now }, { sentAt: clock.now }]);
});

import { eq, inArray, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { contacts, suppressions } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import { creatorPlans } from '~/db/schema/plans';
import { members } from '~/db/schema/team';
import { DAYS, HOURS, later, MINUTES } from '~/server/base/time';
import { leaveLink, leaveNewsletter } from '~/server/domain/audience/leave-newsletter';
import { deliverEdition } from '~/server/domain/newsletter/deliver-edition';
import { eraseNewsletter } from '~/server/domain/newsletter/erase-newsletter';
import { leaseEmails, recordOutcomes } from '~/server/domain/newsletter/lease-emails';
import { recoverEditions, startScheduled } from '~/server/domain/newsletter/send-edition';
import { SENDING_LIMITS } from '~/server/limits/newsletter';
import '../../support/matchers';
import { newsletterStage } from './sent-editions';

const stage = await newsletterStage();
const { runtime, make, as, visitorCtx, clock, inbox, publisher, addContacts, draft, deliver, jobCtx, statesOf, rowOf } =
  stage;
const { db } = runtime;
const emailsOf = (rows: { email: string }[]) => rows.map(({ email }) => email).sort();

async function leave(creatorId: number, email: string) {
  const { url } = leaveLink(visitorCtx(), { creatorId, email }, 'en');
  await leaveNewsletter(visitorCtx(), { token: new URL(url).searchParams.get('list')! });
}

test('an edition reaches each active contact once, with its name, over the mail server', async () => {
  const owner = await publisher();
  const { creatorId } = owner;
  const [nora] = await addContacts(creatorId, 1, { name: 'Nóra <b>' });
  const [nameless] = await addContacts(creatorId, 1, { name: '' });
  await addContacts(creatorId, 1, { status: 'inactive', inactiveAs: 'bounced' });
  await addContacts(creatorId, 1, { status: 'pending' });
  const edition = await draft(owner, { content: '<p>Good evening, {{name|friend}}.</p>' });

  await owner.api.editions.send(edition as never);
  await deliverEdition(jobCtx(), { editionId: edition.id });
  await deliverEdition(jobCtx(), { editionId: edition.id });

  expect(await statesOf(edition.id)).toEqual({ [nora!.email]: 'sent', [nameless!.email]: 'sent' });
  const [mail, ...others] = await inbox!.list(nora!.email);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ subject: 'Hello Nóra <b>' });
  const { html } = (await inbox!.find(mail!.id))!;
  expect(html).toContain('Good evening, Nóra &lt;b&gt;.');
  expect((await inbox!.list(nameless!.email))[0]).toMatchObject({ subject: 'Hello friend' });
  expect(await rowOf(edition.id)).toMatchObject({ status: 'sent', recipients: 2 });
});

test('nothing is sent without settings, title, content or readers', async () => {
  const owner = await stage.make.creator();
  const edition = await draft(owner);
  await expect(owner.api.editions.send(edition as never)).toFailWith('newsletter.settings_not_defined');

  const other = await publisher();
  const untitled = await draft(other, { title: '' });
  await expect(other.api.editions.send(untitled as never)).toFailWith('newsletter.title_required');
  const empty = await draft(other, { content: '' });
  await expect(other.api.editions.send(empty as never)).toFailWith('newsletter.content_required');
  const lonely = await draft(other);
  await expect(other.api.editions.send(lonely as never)).toFailWith('newsletter.nobody');
});

test('who leaves after the audience was frozen gets no email', async () => {
  const owner = await publisher();
  const [stays, leaves] = await addContacts(owner.creatorId, 2);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);

  await leave(owner.creatorId, leaves!.email);

  expect(await deliver(edition.id)).toEqual([stays!.email]);
  expect(await statesOf(edition.id)).toEqual({ [stays!.email]: 'sent', [leaves!.email]: 'skipped' });
});

test('of two workers, each sends to other recipients', async () => {
  const owner = await publisher();
  const readers = await addContacts(owner.creatorId, 30);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);

  const [first, second] = await Promise.all([deliver(edition.id), deliver(edition.id)]);

  expect([...first, ...second].sort()).toEqual(emailsOf(readers));
});

test('a killed worker’s emails are sent again when its lease ends, and no others', async () => {
  const owner = await publisher();
  const readers = await addContacts(owner.creatorId, 5);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  const kill = () => {
    throw new Error('killed');
  };
  await expect(deliver(edition.id, { answer: kill })).rejects.toThrow('killed');

  expect(await deliver(edition.id)).toEqual([]);
  expect(await rowOf(edition.id)).toMatchObject({ status: 'sending' });

  const now = later(clock.now, SENDING_LIMITS.lease + MINUTES(1));
  expect(await deliver(edition.id, { now })).toEqual(emailsOf(readers));
  expect(await rowOf(edition.id)).toMatchObject({ status: 'sent' });
});

test('a deferred email is tried again, an unanswered one never', async () => {
  const owner = await publisher();
  const [busy, silent] = await addContacts(owner.creatorId, 2);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);

  const answers = { [busy!.email]: 'deferred', [silent!.email]: 'unknown' } as const;
  await deliver(edition.id, { answer: ({ to }) => ({ state: answers[to] }) });

  const soon = later(clock.now, SENDING_LIMITS.retryDelays[0]! + 1);
  expect(await deliver(edition.id, { now: soon })).toEqual([busy!.email]);
  expect(await deliver(edition.id, { now: later(clock.now, DAYS(1)) })).toEqual([]);
  expect(await statesOf(edition.id)).toEqual({ [busy!.email]: 'sent', [silent!.email]: 'unknown' });
});

test('an address that does not exist gets no further emails, one that is full does', async () => {
  const owner = await publisher();
  const [gone, full] = await addContacts(owner.creatorId, 2);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);

  await deliver(edition.id, { answer: ({ to }) => ({ state: 'bounced', isHard: to === gone!.email, code: 550 }) });

  const rows = await db
    .select()
    .from(contacts)
    .where(inArray(contacts.id, [gone!.id, full!.id]))
    .orderBy(contacts.id);
  expect(rows.map(({ status, inactiveAs }) => [status, inactiveAs])).toEqual([
    ['inactive', 'bounced'],
    ['active', null],
  ]);
  expect(await db.$count(suppressions, eq(suppressions.creatorId, owner.creatorId))).toBe(1);
});

test('sending stops when too many of the first addresses bounce', async () => {
  const owner = await publisher();
  await addContacts(owner.creatorId, SENDING_LIMITS.batch + 50);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);

  const sent = await deliver(edition.id, {
    answer: ({ id }) => (Number(id) % 10 === 0 ? { state: 'bounced', isHard: true } : {}),
  });

  expect(sent).toHaveLength(SENDING_LIMITS.batch);
  expect(await rowOf(edition.id)).toMatchObject({ status: 'stopped' });
});

test('a cancelled edition reaches nobody else', async () => {
  const owner = await publisher();
  await addContacts(owner.creatorId, 3);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);

  await owner.api.editions.cancel({ id: edition.id });

  expect(await deliver(edition.id)).toEqual([]);
  expect(await rowOf(edition.id)).toMatchObject({ status: 'cancelled' });
  await expect(owner.api.editions.send(edition as never)).toFailWith('newsletter.edition_sent');
});

test('an edition is sent once, whoever presses twice', async () => {
  const owner = await publisher();
  const readers = await addContacts(owner.creatorId, 3);
  const edition = await draft(owner);

  const results = await Promise.allSettled([1, 2, 3].map(() => owner.api.editions.send(edition as never)));

  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await deliver(edition.id)).toEqual(emailsOf(readers));
});

test('the emails of a month count towards the plan, when editions start', async () => {
  const owner = await publisher();
  await db
    .insert(creatorPlans)
    .values({ creatorId: owner.creatorId, plan: 'FREE' } as never)
    .onConflictDoNothing();
  clock.now = later(clock.now, DAYS(20));
  await addContacts(owner.creatorId, 300);
  const first = await draft(owner);
  const second = await draft(owner);

  await owner.api.editions.send(first as never);

  await expect(owner.api.editions.send(second as never)).toFailWith('plan.max_emails');
  expect(await statesOf(second.id)).toEqual({});
});

test('a scheduled edition is sent at its time, taken back before it, and asked about when it is late', async () => {
  const owner = await publisher();
  await addContacts(owner.creatorId, 1);
  const at = later(clock.now, HOURS(2));
  const [kept, taken, late] = await Promise.all([draft(owner), draft(owner), draft(owner)]);
  for (const edition of [kept, taken, late]) await owner.api.editions.send({ ...edition, sendAt: at } as never);
  await owner.api.editions.cancel({ id: taken!.id });

  await startScheduled(jobCtx(), { editionId: kept!.id });
  expect(await rowOf(kept!.id)).toMatchObject({ status: 'scheduled' });
  for (const { id } of [kept!, taken!]) await startScheduled(jobCtx(at), { editionId: id });
  await startScheduled(jobCtx(later(at, HOURS(7))), { editionId: late!.id });

  expect(await rowOf(kept!.id)).toMatchObject({ status: 'sending' });
  expect(await rowOf(taken!.id)).toMatchObject({ status: 'draft' });
  expect(await rowOf(late!.id)).toMatchObject({ status: 'scheduled' });
  await recoverEditions(jobCtx(at));
});

test('whoever has not verified their address, or may not publish, sends nothing', async () => {
  const owner = await publisher();
  await addContacts(owner.creatorId, 1);
  const edition = await draft(owner);
  await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, owner.id));
  await expect(owner.api.editions.send(edition as never)).toFailWith('account.email_not_verified');
  await expect(owner.api.editions.sendTest({ id: edition.id, to: 'a@mail.example' })).toFailWith(
    'account.email_not_verified',
  );

  await db.update(users).set({ emailVerifiedAt: clock.now }).where(eq(users.id, owner.id));
  await db.update(creators).set({ publishingStoppedAt: clock.now }).where(eq(creators.id, owner.creatorId));
  await expect(owner.api.editions.send(edition as never)).toFailWith('creator.publishing_stopped');
  expect(await statesOf(edition.id)).toEqual({});
});

test('an account that is deleted ends what is being sent', async () => {
  const owner = await publisher();
  await addContacts(owner.creatorId, 1);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);

  await eraseNewsletter(jobCtx(), { userId: owner.id });

  expect(await deliver(edition.id)).toEqual([]);
});

test('an editor sees no numbers of an edition to people who pay', async () => {
  const owner = await publisher();
  const show = await make.product(owner, { priceMinor: 500 });
  const edition = await draft(owner, { audience: `subscribers:${show.slug}` });
  const open = await draft(owner);
  await db
    .update(editions)
    .set({ status: 'sent', startedAt: clock.now, recipients: 7 })
    .where(eq(editions.id, edition.id));
  const person = await make.person();
  await db.insert(members).values({ creatorId: owner.creatorId, userId: person.id, role: 'editor' });
  await (await as(person, 'web')).team.switch({ creatorId: owner.creatorId });
  const editor = await as(person, 'web');

  expect(await editor.editions.get({ id: edition.id })).toMatchObject({
    recipients: null,
    counts: null,
    reach: null,
  });
  const { items } = await editor.editions.list({});
  expect(items.map(({ recipients }) => recipients)).toEqual([0, null]);
  expect(await owner.api.editions.get({ id: edition.id })).toMatchObject({ recipients: 7, counts: { opens: 0 } });
  await expect(editor.editions.update({ ...open, audience: `subscribers:${show.slug}` } as never)).toFailWith(
    'common.role_not_allowed',
  );
});

test('an edition that was changed after it was scheduled is checked again', async () => {
  const owner = await publisher();
  await addContacts(owner.creatorId, 1);
  const { id, revision } = await draft(owner);
  const at = later(clock.now, HOURS(1));
  await owner.api.editions.send({ id, revision, sendAt: at } as never);
  await owner.api.editions.update({ id, revision: revision + 1, content: '' });

  await startScheduled(jobCtx(at), { editionId: id });

  expect(await rowOf(id)).toMatchObject({ status: 'draft', problem: 'newsletter.content_required' });
});

test('a worker whose lease has ended does not settle what another one has leased since', async () => {
  const owner = await publisher();
  const [reader] = await addContacts(owner.creatorId, 1);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  const { leased } = await leaseEmails(jobCtx(), edition.id);
  const late = later(clock.now, SENDING_LIMITS.lease + 1);
  await leaseEmails(jobCtx(late), edition.id);

  await recordOutcomes(jobCtx(late), edition.id, [
    { contactId: reader!.id, attempts: leased[0]!.attempts, state: 'unknown' },
  ]);

  expect(await statesOf(edition.id)).toEqual({ [reader!.email]: 'leased' });
});

test('an outage uses up no attempts, and an answer that was cut within a character is stored', async () => {
  const owner = await publisher();
  const [reader] = await addContacts(owner.creatorId, 1);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  const at = (n: number) => later(clock.now, n * (SENDING_LIMITS.unsentDelay + 1));
  for (let n = 0; n < 9; n += 1) await deliver(edition.id, { now: at(n), answer: () => ({ state: 'unsent' }) });

  await deliver(edition.id, { now: at(9), answer: () => ({ state: 'deferred', text: `${'x'.repeat(299)}😀` }) });

  expect(await statesOf(edition.id)).toEqual({ [reader!.email]: 'waiting' });
});

test('a creator who was taken down sends nothing more', async () => {
  const owner = await publisher();
  await addContacts(owner.creatorId, 1);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  await db.update(creators).set({ takenDownAt: clock.now }).where(eq(creators.id, owner.creatorId));

  expect(await deliver(edition.id)).toEqual([]);
  expect(await rowOf(edition.id)).toMatchObject({ status: 'cancelled' });
});

test('what is deferred has one job, however often lost jobs are looked for', async () => {
  const owner = await publisher();
  await addContacts(owner.creatorId, 1);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  await deliver(edition.id, { answer: () => ({ state: 'deferred' }) });
  await db
    .update(editionRecipients)
    .set({ dueAt: later(clock.now, HOURS(12)) })
    .where(eq(editionRecipients.editionId, edition.id));
  const jobs = async () => {
    const rows = await db.execute(sql`
      select id from pgboss.job where name = 'newsletter.deliver-edition' and data->>'editionId' = ${String(edition.id)} order by id`);
    return rows.length;
  };
  const before = await jobs();

  await recoverEditions(jobCtx(later(clock.now, HOURS(1))));
  expect(await jobs()).toBe(before);

  await recoverEditions(jobCtx(later(clock.now, HOURS(13))));
  expect(await jobs()).toBe(before + 1);
});

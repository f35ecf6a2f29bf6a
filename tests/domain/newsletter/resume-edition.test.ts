import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { creators } from '~/db/schema/creators';
import { editions } from '~/db/schema/newsletter';
import { creatorPlans } from '~/db/schema/plans';
import { members } from '~/db/schema/team';
import { DAYS, later } from '~/server/base/time';
import { leaseEmails, recordOutcomes } from '~/server/domain/newsletter/lease-emails';
import { SENDING_LIMITS } from '~/server/limits/newsletter';
import '../../support/matchers';
import { newsletterStage } from './sent-editions';

const stage = await newsletterStage();
const { runtime, make, as, clock, pauseAt, publisher, addContacts, draft, deliver, jobCtx, statesOf, rowOf } = stage;
const { db } = runtime;

/** Other tests have databases of their own in the same Postgres. */
const waiting = sql`select count(*)::int as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;
const waitForLock = () => expect.poll(() => db.execute(waiting)).toEqual([{ n: 1 }]);

/** An edition that was cancelled after the first batch of its recipients. */
async function cancelledHalfway(more = 3) {
  const owner = await publisher();
  await addContacts(owner.creatorId, SENDING_LIMITS.batch + more);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  const { leased } = await leaseEmails(jobCtx(), edition.id);
  await owner.api.editions.cancel({ id: edition.id });
  return { owner, ...edition, leased };
}

test('an edition that was cancelled is sent to those who still wait, once each', async () => {
  const { owner, id, leased } = await cancelledHalfway();
  expect(await owner.api.editions.get({ id })).toMatchObject({ recipients: SENDING_LIMITS.batch, resumable: 503 });

  await owner.api.editions.resume({ id });
  const sent = await deliver(id);

  expect(sent).toHaveLength(3);
  expect(sent.filter((email) => leased.some((one) => one.email === email))).toEqual([]);
  expect(await rowOf(id)).toMatchObject({ status: 'sending', recipients: SENDING_LIMITS.batch + 3 });
  // what the killed worker had is sent when its lease has ended
  const rest = await deliver(id, { now: later(clock.now, SENDING_LIMITS.lease + 1) });
  expect(rest).toHaveLength(SENDING_LIMITS.batch);
  expect(await rowOf(id)).toMatchObject({ status: 'sent' });
  expect(new Set(Object.values(await statesOf(id)))).toEqual(new Set(['sent']));
});

test('an edition that is cancelled while its last emails leave was sent to everybody', async () => {
  const owner = await publisher();
  await addContacts(owner.creatorId, 3);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);

  await deliver(edition.id, { meanwhile: () => owner.api.editions.cancel({ id: edition.id }) });

  expect(await rowOf(edition.id)).toMatchObject({ status: 'sent', recipients: 3 });
  await expect(owner.api.editions.resume({ id: edition.id })).toFailWith('newsletter.edition_not_ended');
});

test('an edition that was cancelled before all had it says how many got it', async () => {
  const { owner, id, leased } = await cancelledHalfway();
  const outcomes = leased.map(({ contactId, attempts }) => ({ contactId, attempts, state: 'sent' as const }));

  await recordOutcomes(jobCtx(), id, outcomes);

  const { items } = await owner.api.editions.list({});
  const partly = { done: SENDING_LIMITS.batch, of: SENDING_LIMITS.batch + 3 };
  expect(items).toMatchObject([{ id, status: 'cancelled', partly }]);
  expect(await owner.api.editions.get({ id })).toMatchObject({ partly });
});

test('pressing twice resumes once, also at the same time', async () => {
  const { owner, id } = await cancelledHalfway();
  const pause = pauseAt('edition.checked');
  const first = owner.api.editions.resume({ id });
  await pause.reachedBy(first);
  const second = owner.api.editions.resume({ id });
  await waitForLock();

  pause.goOn();

  await expect(second).toFailWith('newsletter.edition_not_ended');
  await first;
});

test('only the owner resumes, and only what has ended and is not over', async () => {
  const { owner, id } = await cancelledHalfway();
  const open = await draft(owner);
  const person = await make.person();
  await db.insert(members).values({ creatorId: owner.creatorId, userId: person.id, role: 'editor' });
  await (await as(person, 'web')).team.switch({ creatorId: owner.creatorId });
  const editor = await as(person, 'web');

  await expect(editor.editions.resume({ id })).toFailWith('common.role_not_allowed');
  expect(await editor.editions.get({ id })).toMatchObject({ resumable: null });
  await expect(owner.api.editions.resume({ id: open.id })).toFailWith('newsletter.edition_not_ended');
  await owner.api.editions.resume({ id });
  await deliver(id);
  await deliver(id, { now: later(clock.now, SENDING_LIMITS.lease + 1) });
  await db.update(editions).set({ status: 'cancelled' }).where(eq(editions.id, id));
  await expect(owner.api.editions.resume({ id })).toFailWith('newsletter.nobody_left');
});

test('a creator who may not publish resumes nothing', async () => {
  const { owner, id } = await cancelledHalfway();
  await db.update(creators).set({ publishingStoppedAt: clock.now }).where(eq(creators.id, owner.creatorId));

  await expect(owner.api.editions.resume({ id })).toFailWith('creator.publishing_stopped');
});

test('the rest counts in the month of its start, so that waiting for the next one gains nothing', async () => {
  const owner = await publisher();
  const plan = { creatorId: owner.creatorId, plan: 'FREE' } as never;
  await db.insert(creatorPlans).values(plan).onConflictDoNothing();
  clock.now = later(clock.now, DAYS(20));
  await addContacts(owner.creatorId, 300);
  const first = await draft(owner);
  const second = await draft(owner);
  await owner.api.editions.send(first as never);
  await owner.api.editions.cancel({ id: first.id });
  await owner.api.editions.send(second as never);

  clock.now = later(clock.now, DAYS(31));

  await expect(owner.api.editions.resume({ id: first.id })).toFailWith('plan.max_emails');
  expect(await rowOf(first.id)).toMatchObject({ status: 'cancelled', recipients: 0 });
});

test('an edition that was stopped stops again if the next results are bad, too', async () => {
  const owner = await publisher();
  await addContacts(owner.creatorId, SENDING_LIMITS.batch * 2 + 10);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  const answer = ({ id }: { id: string }) =>
    Number(id) % 10 === 0 ? ({ state: 'bounced', isHard: true, status: '5.1.1' } as const) : {};
  await deliver(edition.id, { answer });
  expect(await rowOf(edition.id)).toMatchObject({ status: 'stopped' });

  await owner.api.editions.resume({ id: edition.id });
  const sent = await deliver(edition.id, { answer });

  expect(sent).toHaveLength(SENDING_LIMITS.batch);
  expect(await rowOf(edition.id)).toMatchObject({ status: 'stopped' });
  const { counts } = await owner.api.editions.get({ id: edition.id });
  expect(counts?.bounces).toEqual([{ reason: 'unknown_address', count: 100 }]);
});

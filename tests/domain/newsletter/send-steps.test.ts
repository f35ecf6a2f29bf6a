import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { contacts } from '~/db/schema/audience';
import { automationEnrolments } from '~/db/schema/automations';
import { subscriptions } from '~/db/schema/billing';
import { later, MINUTES } from '~/server/base/time';
import { deliverStep } from '~/server/domain/newsletter/deliver-step';
import { enrolContact } from '~/server/domain/newsletter/enrol-contact';
import { sendDueSteps } from '~/server/domain/newsletter/send-due-steps';
import { recoverEditions } from '~/server/domain/newsletter/send-edition';
import { automationStage } from './running-automations';

const {
  runtime,
  clock,
  publisher,
  deliver,
  jobCtx,
  statesOf,
  rowOf,
  pauseAt,
  addContacts,
  running,
  signUp,
  send,
  inHours,
  answersOf,
  leave,
  subscriber,
  subscribe,
  happens,
  emailsOf,
} = await automationStage();
const { db } = runtime;

test('a new reader gets each email when it is due, and once', async () => {
  const owner = await publisher();
  const { steps } = await running(owner, [0, 72]);
  const [reader] = await addContacts(owner.creatorId, 1, { name: 'Nora' });

  await signUp(reader!.id);
  await signUp(reader!.id, inHours(1));

  expect(await send(steps[0]!)).toEqual([reader!.email]);
  expect(await send(steps[0]!)).toEqual([]);
  expect(await send(steps[1]!, { now: inHours(71) })).toEqual([]);
  expect(await send(steps[1]!, { now: inHours(72) })).toEqual([reader!.email]);
  expect(await send(steps[1]!, { now: inHours(720) })).toEqual([]);
  expect(await rowOf(steps[0]!)).toMatchObject({ status: 'sending' });
});

test('the job of every minute finds what is due, and the recovery of editions leaves steps alone', async () => {
  const owner = await publisher();
  const { steps } = await running(owner, [2]);
  const [reader] = await addContacts(owner.creatorId, 1);
  await signUp(reader!.id);

  const early = await jobsOf(() => sendDueSteps(jobCtx(), {}));
  const due = await jobsOf(() => sendDueSteps(jobCtx(inHours(2)), {}));
  const recovered = await jobsOf(() => recoverEditions(jobCtx(inHours(4))));

  expect(early).not.toContainEqual({ editionId: steps[0] });
  expect(due).toContainEqual({ editionId: steps[0] });
  expect(recovered).not.toContainEqual({ editionId: steps[0] });
});

async function jobsOf(run: () => Promise<void>): Promise<unknown[]> {
  const before = await countJobs();
  await run();
  return (await listJobs()).slice(before).map(({ data }) => data);
}

const listJobs = async () =>
  (await db.execute(
    `select data from pgboss.job where name in ('newsletter.deliver-step', 'newsletter.deliver-edition') order by created_on, id`,
  )) as unknown as { data: unknown }[];
const countJobs = async () => (await listJobs()).length;

test('of two simultaneous enrolments one wins', async () => {
  const owner = await publisher();
  const { id, steps } = await running(owner, [0]);
  const [reader] = await addContacts(owner.creatorId, 1);
  const pause = pauseAt('enrolment.contact_found', 2);

  const [first, second] = [signUp(reader!.id), signUp(reader!.id)];
  await pause.reachedBy(Promise.all([first, second]));
  pause.goOn();
  await Promise.all([first, second]);

  expect(await db.$count(automationEnrolments, eq(automationEnrolments.automationId, id))).toBe(1);
  expect(await send(steps[0]!)).toEqual([reader!.email]);
});

test('an automation that is switched off between the event and the enrolment enrols nobody', async () => {
  const owner = await publisher();
  const { id } = await running(owner, [0]);
  const [reader] = await addContacts(owner.creatorId, 1);
  const pause = pauseAt('enrolment.contact_found');

  const enrolling = signUp(reader!.id);
  await pause.reachedBy(enrolling);
  await owner.api.automations.switch({ id, isActive: false } as never);
  pause.goOn();
  await enrolling;

  expect(await db.$count(automationEnrolments, eq(automationEnrolments.automationId, id))).toBe(0);
});

test('events before it was switched on, contacts who have left, and other shows enrol nobody', async () => {
  const owner = await publisher();
  const { id } = await running(owner, [0]);
  const [before, left] = await addContacts(owner.creatorId, 2);
  await db.update(contacts).set({ status: 'inactive' }).where(eq(contacts.id, left!.id));

  await enrolContact(jobCtx(), {
    trigger: 'sign_up',
    contactId: before!.id,
    at: later(clock.now, -MINUTES(1)).toISOString(),
  });
  await signUp(left!.id);

  expect(await db.$count(automationEnrolments, eq(automationEnrolments.automationId, id))).toBe(0);
});

test('switching off drops what waits, and switching on does not send it', async () => {
  const owner = await publisher();
  const { id, steps } = await running(owner, [0, 24]);
  const [reader] = await addContacts(owner.creatorId, 1);
  await signUp(reader!.id);

  await owner.api.automations.switch({ id, isActive: false } as never);
  await owner.api.automations.switch({ id, isActive: true } as never);

  expect(await send(steps[0]!)).toEqual([]);
  expect(await send(steps[1]!, { now: inHours(24) })).toEqual([]);
  expect([await answersOf(steps[0]!), await answersOf(steps[1]!)]).toEqual([['off'], ['off']]);
});

test('an email that is being sent while it is switched off is recorded, and is not sent again later', async () => {
  const owner = await publisher();
  const { id, steps } = await running(owner, [0]);
  const [sent, deferred] = await addContacts(owner.creatorId, 2);
  await signUp(sent!.id);
  await signUp(deferred!.id);
  const off = () => owner.api.automations.switch({ id, isActive: false } as never);

  await deliver(steps[0]!, {
    run: async (ctx, input) => {
      const { bulkMail } = ctx.ports;
      const send: typeof bulkMail.send = async (...args) => {
        await off();
        return bulkMail.send(...args);
      };
      await deliverStep({ ...ctx, ports: { ...ctx.ports, bulkMail: { ...bulkMail, send } } }, input);
    },
    answer: ({ to }) => ({ state: to === deferred!.email ? 'deferred' : 'sent' }),
  });
  await owner.api.automations.switch({ id, isActive: true } as never);

  expect(await statesOf(steps[0]!)).toEqual({ [sent!.email]: 'sent', [deferred!.email]: 'skipped' });
  expect(await send(steps[0]!, { now: inHours(1) })).toEqual([]);
});

test('who unsubscribes gets no later email, even after signing up again', async () => {
  const owner = await publisher();
  const { steps } = await running(owner, [0, 24, 48]);
  const [reader] = await addContacts(owner.creatorId, 1);
  await signUp(reader!.id);
  await send(steps[0]!);

  await leave(owner.creatorId, reader!.email);
  expect(await send(steps[1]!, { now: inHours(24) })).toEqual([]);
  await db
    .update(contacts)
    .set({ status: 'active', inactiveAs: null, statusAt: inHours(25) })
    .where(eq(contacts.id, reader!.id));
  expect(await send(steps[2]!, { now: inHours(48) })).toEqual([]);

  expect([await answersOf(steps[1]!), await answersOf(steps[2]!)]).toEqual([['left'], ['left']]);
});

test('thanks end with the subscription, and the question why ends when somebody comes back', async () => {
  const owner = await publisher();
  const thanks = await running(owner, [0, 168], { trigger: 'purchase' });
  const why = await running(owner, [24], { trigger: 'cancellation' });
  const { product, person, contact } = await subscriber(owner);
  const who = { userId: person.id, productId: product.id };
  const renews = (on: boolean) => db.update(grants).set({ renews: on }).where(eq(grants.userId, person.id));

  await happens('purchase', who);
  expect(await send(thanks.steps[0]!)).toEqual([contact.email]);
  await renews(false);
  await happens('cancellation', who);
  expect(await send(thanks.steps[1]!, { now: inHours(168) })).toEqual([]);
  await renews(true);
  expect(await send(why.steps[0]!, { now: inHours(24) })).toEqual([]);

  expect([await answersOf(thanks.steps[1]!), await answersOf(why.steps[0]!)]).toEqual([['ended'], ['ended']]);
});

const RUNNING = { status: 'active', pausedFrom: null, pausedUntil: null, pastDueSince: null } as const;

test.each([
  ['paused', { pausedFrom: clock.now, pausedUntil: inHours(9999) }],
  ['overdue', { status: 'past_due' as const, pastDueSince: clock.now }],
])('while a subscription is %s, thanks wait with the days between them', async (_, onHold) => {
  const owner = await publisher();
  const { steps } = await running(owner, [24, 72], { trigger: 'purchase' });
  const { product, person, contact } = await subscriber(owner);
  await happens('purchase', { userId: person.id, productId: product.id });
  await subscribe({ owner, product, person }, onHold);

  for (let day = 1; day <= 4; day += 1)
    for (const step of steps) expect(await send(step, { now: inHours(day * 24 + day) })).toEqual([]);
  await db.update(subscriptions).set(RUNNING).where(eq(subscriptions.userId, person.id));
  await db.update(grants).set({ renews: true }).where(eq(grants.userId, person.id));

  expect(await send(steps[0]!, { now: inHours(125) })).toEqual([contact.email]);
  expect(await send(steps[1]!, { now: inHours(145) })).toEqual([]);
  expect(await send(steps[1]!, { now: inHours(175) })).toEqual([contact.email]);
  expect(await emailsOf(owner.creatorId)).toBe(2);
});

import { and, eq, like } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contacts } from '~/db/schema/audience';
import { automationEnrolments, automations } from '~/db/schema/automations';
import { editionLinks, editionRecipients } from '~/db/schema/newsletter';
import { HOURS, later, MINUTES } from '~/server/base/time';
import { checkSteps } from '~/server/domain/newsletter/check-steps';
import { countClick } from '~/server/domain/newsletter/count-readers';
import { leaseEmails, recordOutcomes } from '~/server/domain/newsletter/lease-emails';
import { moveOtherWaiting } from '~/server/domain/newsletter/move-waiting';
import { releaseUnused } from '~/server/domain/newsletter/release-pictures';
import { AUTOMATION_LIMITS, SENDING_LIMITS } from '~/server/limits/newsletter';
import { moveWaiting, releasePictures } from '~/server/queue/jobs/newsletter';
import { picture } from '../../support/pictures';
import '../../support/matchers';
import { runJobs } from '../../support/run-jobs';
import { automationStage } from './running-automations';

const stage = await automationStage();
const { runtime, make, clock, pauseAt, publisher, rowOf, addContacts, running, write, signUp, send, inHours } = stage;
const { visitorCtx, jobCtx } = stage;
const { db } = runtime;

/** An automation of two steps, of which the first has sent its email, with a link and a picture. */
async function sentOnce() {
  const owner = await publisher();
  const { id, steps } = await running(owner, [0, 24]);
  const key = await make.upload(owner, 'edition_picture', await picture(60, 50));
  const { src } = await owner.api.media.storeEditionPicture({ key });
  const content = `<p>Read <a href="https://example.com/read">this</a></p><img src="${src}" alt="Rain">`;
  await write(owner.api, steps[0]!, { content });
  const [reader] = await addContacts(owner.creatorId, 1);
  await signUp(reader!.id);
  expect(await send(steps[0]!)).toEqual([reader!.email]);
  return { owner, id, steps, reader: reader!, pictureKey: src.replace('/media/', '') };
}

async function opens(stepId: number, pictureKey: string) {
  const isReads = and(eq(editionLinks.editionId, stepId), like(editionLinks.href, '%example.com/read%'));
  const [link] = await db.select().from(editionLinks).where(isReads);
  const release = await runJobs(runtime, releasePictures.name, (job, ctx) => releaseUnused(ctx, job));
  const removal = await runtime.queue.boss.fetch('media.remove-objects', { batchSize: 100 });
  const isRemoved = (removal ?? []).some(({ data }) => JSON.stringify(data).includes(pictureKey));
  const { href } = await countClick(visitorCtx(), { id: stepId, position: link!.position });
  return { href, isRemoved, release };
}

test('the emails of a removed step keep their links and pictures, and the step is gone for its creator', async () => {
  const { owner, id, steps, pictureKey } = await sentOnce();
  const [stepId] = steps;

  await owner.api.automations.removeStep({ id, stepId: stepId! } as never);

  expect(await opens(stepId!, pictureKey)).toMatchObject({ href: 'https://example.com/read', isRemoved: false });
  const { emails, steps: count } = await owner.api.automations.get({ id });
  expect([emails.map((step) => step.id), count]).toEqual([[steps[1]], 1]);
  for (const attempt of [
    () => owner.api.automations.removeStep({ id, stepId: stepId! } as never),
    () => owner.api.automations.delayStep({ id, stepId: stepId!, days: 1 } as never),
    () => owner.api.editions.get({ id: stepId! }),
    () => owner.api.editions.preview({ id: stepId! }),
    () => owner.api.editions.duplicate({ id: stepId! }),
    () => owner.api.editions.update({ id: stepId!, revision: 1, title: 'Back' } as never),
  ])
    await expect(attempt()).toFailWith('newsletter.edition_not_found');
  expect((await owner.api.editions.list({})).items).toEqual([]);
});

test('nobody who is enrolled later, or waits, gets a removed step, also after the switch', async () => {
  const { owner, id, steps } = await sentOnce();
  const [waits, comes] = await addContacts(owner.creatorId, 2);
  await signUp(waits!.id);
  await owner.api.automations.removeStep({ id, stepId: steps[0]! } as never);
  await signUp(comes!.id);
  for (const isActive of [false, true]) await owner.api.automations.switch({ id, isActive } as never);

  expect(await send(steps[0]!, { now: inHours(1) })).toEqual([]);
  expect(await stage.statesOf(steps[0]!)).toMatchObject({ [waits!.email]: 'skipped' });
});

test('a deleted automation is gone, and the emails that it has sent keep their links and pictures', async () => {
  const { owner, id, steps, pictureKey } = await sentOnce();

  await owner.api.automations.delete({ id });

  expect(await opens(steps[0]!, pictureKey)).toMatchObject({ isRemoved: false });
  expect((await owner.api.automations.list()).items).toEqual([]);
  for (const attempt of [
    () => owner.api.automations.get({ id }),
    () => owner.api.automations.switch({ id, isActive: true } as never),
    () => owner.api.automations.addStep({ id }),
  ])
    await expect(attempt()).toFailWith('newsletter.automation_not_found');
  expect(await db.$count(automationEnrolments, eq(automationEnrolments.automationId, id))).toBe(0);
  const unsent = await owner.api.automations.create({ trigger: 'sign_up' });
  await owner.api.automations.delete({ id: unsent.id });
  expect(await db.$count(automations, eq(automations.id, unsent.id))).toBe(0);
});

test('a step that bounces have stopped enrols nobody until it is started again, and the list says so', async () => {
  const owner = await publisher();
  const { id, steps } = await running(owner, [0, 24]);
  const readers = await addContacts(owner.creatorId, SENDING_LIMITS.leastWatched);
  const enrolments = readers.map(({ id: contactId }) => ({ automationId: id, contactId, enrolledAt: clock.now }));
  await db.insert(automationEnrolments).values(enrolments);
  const waiting = readers.map(({ id: contactId }) => ({ editionId: steps[0]!, contactId, pays: false }));
  await db.insert(editionRecipients).values(waiting.map((row) => ({ ...row, dueAt: clock.now })));
  await send(steps[0]!, { answer: () => ({ state: 'bounced', isHard: true }) });
  expect(await rowOf(steps[0]!)).toMatchObject({ status: 'stopped' });
  const [meanwhile, late, after] = await addContacts(owner.creatorId, 3);

  await signUp(meanwhile!.id);
  expect((await owner.api.automations.list()).items).toMatchObject([{ id, isActive: true, isStopped: true }]);
  const stopped = clock.now;
  clock.now = later(stopped, HOURS(1));
  await owner.api.automations.switch({ id, isActive: true } as never);
  await signUp(late!.id, stopped);
  await signUp(after!.id);

  const enrolled = await db
    .select({ contactId: automationEnrolments.contactId })
    .from(automationEnrolments)
    .where(eq(automationEnrolments.automationId, id))
    .orderBy(automationEnrolments.contactId);
  const ids = [...readers.map((reader) => reader.id), after!.id];
  expect(enrolled.map(({ contactId }) => contactId)).toEqual(ids);
  expect((await owner.api.automations.list()).items).toMatchObject([{ isStopped: false }]);
});

test('a new time moves those who are due first at once, and a job the others', async () => {
  const owner = await publisher();
  const { id, steps } = await running(owner, [48]);
  const stepId = steps[0]!;
  const count = AUTOMATION_LIMITS.moved + 10;
  const rows = await addContacts(owner.creatorId, count);
  const enrolledAt = (index: number) => later(clock.now, -MINUTES(count - index));
  await db
    .insert(automationEnrolments)
    .values(rows.map((row, index) => ({ automationId: id, contactId: row.id, enrolledAt: enrolledAt(index) })));
  await db.insert(editionRecipients).values(
    rows.map((row, index) => ({
      ...{ editionId: stepId, contactId: row.id, pays: false, dueAt: later(enrolledAt(index), HOURS(48)) },
    })),
  );
  const misplaced = async () =>
    (
      await db
        .select({ contactId: editionRecipients.contactId, dueAt: editionRecipients.dueAt })
        .from(editionRecipients)
        .innerJoin(contacts, eq(contacts.id, editionRecipients.contactId))
        .where(eq(editionRecipients.editionId, stepId))
        .orderBy(editionRecipients.contactId)
    ).filter(({ dueAt }, index) => dueAt!.getTime() !== later(enrolledAt(index), HOURS(240)).getTime()).length;

  await owner.api.automations.delayStep({ id, stepId, days: 10 } as never);
  expect(await misplaced()).toBe(10);
  const turns = [];
  for (let turn = 1; turn !== 0; turns.push(turn))
    turn = await runJobs(runtime, moveWaiting.name, (job) => moveOtherWaiting(stage.jobCtx(), job));

  expect([await misplaced(), turns]).toEqual([0, [1, 0]]);
});

/** A step for which three people wait, of a creator whose plan has no limit of emails. */
async function waitingStep() {
  const owner = await publisher();
  const { id, steps } = await running(owner, [0]);
  const people = await addContacts(owner.creatorId, 3);
  for (const one of people) await signUp(one.id);
  return { owner, id, stepId: steps[0]!, people };
}

test('a step that a worker is leasing is hidden without waiting for the worker', async () => {
  const { owner, id, stepId } = await waitingStep();
  const { leased } = await leaseEmails(jobCtx(), stepId, 100, async (_, __, rows) => {
    await owner.api.automations.removeStep({ id, stepId } as never);
    return { allowed: rows, refused: new Map() };
  });

  expect(leased).toHaveLength(3);
  expect(await rowOf(stepId)).toMatchObject({ status: 'cancelled', removedAt: clock.now });
});

test('nobody leases the emails of a step that is being removed', async () => {
  const { owner, id, stepId } = await waitingStep();
  const pause = pauseAt('steps.hidden');
  const removing = owner.api.automations.removeStep({ id, stepId } as never);
  await pause.reachedBy(removing);
  const { leased } = await leaseEmails(jobCtx(), stepId, 100, checkSteps);
  pause.goOn();
  await removing;

  expect(leased).toEqual([]);
  expect(await rowOf(stepId)).toBeUndefined();
});

test('an email of a removed step that could not be delivered is not tried again', async () => {
  const { owner, id, stepId } = await waitingStep();
  const { leased } = await leaseEmails(jobCtx(), stepId, 100, checkSteps);
  await owner.api.automations.removeStep({ id, stepId } as never);

  const [first, second, third] = leased.map(({ contactId, attempts }) => ({ contactId, attempts }));
  const outcomes = [
    { ...first!, state: 'deferred' as const },
    { ...second!, state: 'unsent' as const },
    { ...third!, state: 'sent' as const },
  ];
  await recordOutcomes(jobCtx(), stepId, outcomes);

  const rows = await db
    .select()
    .from(editionRecipients)
    .where(eq(editionRecipients.editionId, stepId))
    .orderBy(editionRecipients.contactId);
  const stateOf = Object.fromEntries(rows.map(({ contactId, state }) => [contactId, state]));
  expect(outcomes.map(({ contactId }) => stateOf[contactId])).toEqual(['skipped', 'skipped', 'sent']);
});

test('a new time also reaches people whom somebody else had locked', async () => {
  const { owner, id, stepId, people } = await waitingStep();
  await db.transaction(async (tx) => {
    const isFirst = eq(editionRecipients.contactId, people[0]!.id);
    await tx.update(editionRecipients).set({ pays: true }).where(isFirst);
    await owner.api.automations.delayStep({ id, stepId, days: 10 } as never);
  });
  await runJobs(runtime, moveWaiting.name, (job) => moveOtherWaiting(jobCtx(), job));

  const rows = await db
    .select()
    .from(editionRecipients)
    .where(eq(editionRecipients.editionId, stepId))
    .orderBy(editionRecipients.contactId);
  expect(rows.map(({ dueAt }) => dueAt)).toEqual(people.map(() => later(clock.now, HOURS(240))));
});

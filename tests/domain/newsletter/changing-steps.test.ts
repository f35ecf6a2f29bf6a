import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { contacts } from '~/db/schema/audience';
import { editionLinks } from '~/db/schema/newsletter';
import { HOURS, later, MINUTES } from '~/server/base/time';
import { moveContacts } from '~/server/domain/audience/move-contacts';
import { deliverStep } from '~/server/domain/newsletter/deliver-step';
import { leaseEmails } from '~/server/domain/newsletter/lease-emails';
import { moveSeries } from '~/server/domain/newsletter/move-series';
import { AUTOMATION_LIMITS, SENDING_LIMITS } from '~/server/limits/newsletter';
import { automationStage } from './running-automations';

const {
  runtime,
  make,
  clock,
  publisher,
  deliver,
  jobCtx,
  statesOf,
  addContacts,
  running,
  write,
  signUp,
  send,
  inHours,
  answersOf,
  emailsOf,
} = await automationStage();
const { db } = runtime;

test('when two contacts of a person become one, the emails of both go on, and none arrives twice', async () => {
  const owner = await publisher();
  const both = await running(owner, [0, 24]);
  const [reader, other] = await addContacts(owner.creatorId, 2);
  const person = await make.person();
  await db.update(contacts).set({ userId: person.id }).where(eq(contacts.id, reader!.id));
  await signUp(reader!.id);
  await send(both.steps[0]!);
  await db.update(users).set({ email: other!.email }).where(eq(users.id, person.id));

  await moveContacts(jobCtx(inHours(1)), { userId: person.id }, moveSeries);
  await signUp(other!.id, inHours(2));

  expect(await send(both.steps[0]!, { now: inHours(3) })).toEqual([]);
  expect(await statesOf(both.steps[0]!)).toEqual({ [other!.email]: 'sent' });
  expect(await send(both.steps[1]!, { now: inHours(24) })).toEqual([other!.email]);
});

test('an email that is leaving while two contacts become one is not sent again', async () => {
  const owner = await publisher();
  const { steps } = await running(owner, [0]);
  const [reader, other] = await addContacts(owner.creatorId, 2);
  const person = await make.person();
  await db.update(contacts).set({ userId: person.id }).where(eq(contacts.id, reader!.id));
  await signUp(reader!.id);
  await db.update(users).set({ email: other!.email }).where(eq(users.id, person.id));

  const { leased } = await leaseEmails(jobCtx(), steps[0]!);
  await moveContacts(jobCtx(), { userId: person.id }, moveSeries);

  expect(leased).toHaveLength(1);
  expect(await send(steps[0]!, { now: inHours(3) })).toEqual([]);
  expect(await statesOf(steps[0]!)).toEqual({ [other!.email]: 'unknown' });
});

test('a killed worker’s emails are sent again when its lease ends, and count once in the plan', async () => {
  const owner = await publisher();
  const { steps } = await running(owner, [0]);
  const readers = await addContacts(owner.creatorId, 3);
  for (const { id } of readers) await signUp(id);
  const kill = () => {
    throw new Error('killed');
  };

  await expect(send(steps[0]!, { answer: kill })).rejects.toThrow('killed');
  expect(await send(steps[0]!)).toEqual([]);
  const now = later(clock.now, SENDING_LIMITS.lease + MINUTES(1));
  expect(await send(steps[0]!, { now })).toEqual(readers.map(({ email }) => email).sort());

  expect(await emailsOf(owner.creatorId)).toBe(3);
});

test('two workers send to different people', async () => {
  const owner = await publisher();
  const { steps } = await running(owner, [0]);
  const readers = await addContacts(owner.creatorId, 20);
  for (const { id } of readers) await signUp(id);

  const [first, second] = await Promise.all([send(steps[0]!), send(steps[0]!)]);

  expect([...first, ...second].sort()).toEqual(readers.map(({ email }) => email).sort());
});

test('a clock that jumps sends nothing twice, and nothing that is days late', async () => {
  const owner = await publisher();
  const { steps } = await running(owner, [1, 24]);
  const [reader] = await addContacts(owner.creatorId, 1);
  await signUp(reader!.id);

  expect(await send(steps[0]!, { now: later(clock.now, HOURS(30)) })).toEqual([reader!.email]);
  expect(await send(steps[0]!, { now: inHours(2) })).toEqual([]);
  const tooLate = later(inHours(24), AUTOMATION_LIMITS.lateAfter);
  expect(await send(steps[1]!, { now: tooLate })).toEqual([]);

  expect(await answersOf(steps[1]!)).toEqual(['late']);
});

test('a changed text is sent to those who have not got it, an unfinished one to nobody', async () => {
  const owner = await publisher();
  const { steps } = await running(owner, [0]);
  const [first, second] = await addContacts(owner.creatorId, 2);
  await signUp(first!.id);
  await write(owner.api, steps[0]!, { content: '' });
  expect(await send(steps[0]!)).toEqual([]);
  await write(owner.api, steps[0]!, { content: '<p><a href="https://one.example/">One</a></p>' });
  expect(await send(steps[0]!)).toEqual([first!.email]);

  await write(owner.api, steps[0]!, {
    content: '<p><a href="https://two.example/">Two</a> <a href="https://one.example/">One</a></p>',
  });
  await signUp(second!.id);
  const texts: string[] = [];
  await deliver(steps[0]!, {
    run: deliverStep,
    answer: ({ to }) => {
      texts.push(to);
      return {};
    },
  });

  expect(texts).toEqual([second!.email]);
  const links = await db
    .select({ position: editionLinks.position, href: editionLinks.href })
    .from(editionLinks)
    .where(eq(editionLinks.editionId, steps[0]!))
    .orderBy(editionLinks.position);
  expect(links).toEqual([
    { position: 0, href: 'https://one.example/' },
    { position: 1, href: 'https://two.example/' },
  ]);
});

test('a new time applies to those who wait, and an email that is added to those who come later', async () => {
  const owner = await publisher();
  const { id, steps } = await running(owner, [48]);
  const [early, late] = await addContacts(owner.creatorId, 2);
  await signUp(early!.id);

  await owner.api.automations.delayStep({ id, stepId: steps[0]!, days: 1 } as never);
  const added = await owner.api.automations.addStep({ id });
  await write(owner.api, added.id, { title: 'Added', content: '<p>New</p>' });
  await owner.api.automations.switch({ id, isActive: true } as never);
  await signUp(late!.id);

  expect(await send(steps[0]!, { now: inHours(24) })).toEqual([early!.email, late!.email].sort());
  expect(await send(added.id, { now: inHours(48) })).toEqual([late!.email]);
});

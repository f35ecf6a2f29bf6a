import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contacts } from '~/db/schema/audience';
import { editionRecipients } from '~/db/schema/newsletter';
import { describeProblem } from '~/server/base/problems';
import { later, MINUTES } from '~/server/base/time';
import { moveContacts } from '~/server/domain/audience/move-contacts';
import { emailTag } from '~/server/domain/newsletter/email-tags';
import { leaseEmails, type Outcome, recordOutcomes } from '~/server/domain/newsletter/lease-emails';
import { moveSeries } from '~/server/domain/newsletter/move-series';
import { recordMailEvents } from '~/server/domain/newsletter/record-mail-events';
import { createLog } from '~/server/watching/log';
import { automationStage } from '../domain/newsletter/running-automations';
import { deepSeed, isDeep } from '../support/deep';
import { seededInts } from '../support/seeded-ints';

const stage = await automationStage();
const { runtime, make, clock, publisher, addContacts, running, leave } = stage;
const { db } = runtime;
const deadlocks: string[] = [];
runtime.log = createLog('warn', {
  write: (line) =>
    line.includes('deadlock: running') && deadlocks.push(line.match(/at (\w+) \(\S+domain/g)?.join(' ') ?? line),
});
const job = stage.jobCtx();
const below = seededInts(deepSeed());
const ROUNDS = isDeep ? 40 : 6;
const PEOPLE = 60;

const pick = <T>(all: readonly T[]): T => all[below(all.length)]!;
const mixed = <T>(all: readonly T[]): T[] => [...all].sort(() => below(3) - 1);
const some = <T>(all: readonly T[]): T[] => mixed(all).slice(0, 1 + below(all.length));

/** A step whose emails are leased, and their readers, some of whom have an account with another contact. */
async function leasedStep() {
  const owner = await publisher();
  const { id, steps } = await running(owner, [0]);
  const readers = await addContacts(owner.creatorId, PEOPLE);
  const moving = [await make.person(), await make.person()];
  for (const [index, { id: userId, email }] of moving.entries()) {
    await db.update(contacts).set({ userId }).where(eq(contacts.id, readers[index]!.id));
    await addContacts(owner.creatorId, 1, { email });
  }
  const all = await db.select().from(contacts).where(eq(contacts.creatorId, owner.creatorId)).orderBy(contacts.id);
  const rows = all.map((contact) => ({ editionId: steps[0]!, contactId: contact.id, pays: false }));
  await db.insert(editionRecipients).values(rows.map((row) => ({ ...row, dueAt: clock.now })));
  const check = async (_: unknown, __: number, leased: never[]) => ({ allowed: leased, refused: new Map() });
  const { leased } = await leaseEmails(job, steps[0]!, PEOPLE * 2, check as never);
  return { owner, automationId: id, stepId: steps[0]!, all, leased, moving };
}
type Step = Awaited<ReturnType<typeof leasedStep>>;

const outcome = ({ contactId, attempts }: Step['leased'][number]): Outcome => ({
  ...{ contactId, attempts },
  ...pick([{ state: 'sent' }, { state: 'bounced', isHard: true }, { state: 'unsent' }, { state: 'deferred' }] as const),
});
const event = (stepId: number, { id, email }: Step['all'][number]) => ({
  ...{ kind: pick(['delivery', 'bounce', 'complaint'] as const), isHard: true, email, at: clock.now },
  messageId: `<${emailTag(job, { editionId: stepId, contactId: id })}@mail.example>`,
});

/** All that can happen to the same people at a moment. */
function storm({ owner, automationId, stepId, all, leased, moving }: Step): Promise<unknown>[] {
  const half = leased.length / 2;
  const change = (action: 'delete' | 'deactivate') =>
    owner.api.contacts.change({ action, ids: some(all.slice(0, 50)).map(({ id }) => id) } as never);
  return mixed([
    () => recordOutcomes(job, stepId, mixed(leased.slice(0, half)).map(outcome)),
    () => recordOutcomes(job, stepId, mixed(leased.slice(half)).map(outcome)),
    ...Array.from(
      { length: 4 },
      () => () =>
        recordMailEvents(
          job,
          some(all).map((one) => event(stepId, one)),
        ),
    ),
    () => change('delete'),
    () => change('deactivate'),
    ...moving.map((person) => () => moveContacts(job, { userId: person.id }, moveSeries)),
    ...some(all)
      .slice(0, 3)
      .map(
        ({ email }) =>
          () =>
            leave(owner.creatorId, email),
      ),
    // also finds leases that have ended
    () => owner.api.automations.switch({ id: automationId, isActive: false } as never),
  ]).map((act) => act());
}

test('outcomes, reports, deletions and merges of the same people never wait for each other in a circle', {
  timeout: 600_000,
}, async () => {
  const unexpected: string[] = [];
  const now = clock.now;
  for (let round = 0; round < ROUNDS; round += 1) {
    clock.now = now;
    const step = await leasedStep();
    if (round % 2 === 1) clock.now = later(now, MINUTES(31));
    for (const result of await Promise.allSettled(storm(step)))
      if (result.status === 'rejected' && describeProblem(result.reason).unexpected)
        unexpected.push(faultOf(result.reason));
  }

  expect(unexpected).toEqual([]);
  expect(deadlocks).toEqual([]);
});

/** The error that the database named. */
function faultOf(error: unknown): string {
  let last = error;
  while (last instanceof Error && last.cause instanceof Error) last = last.cause;
  return String(last);
}

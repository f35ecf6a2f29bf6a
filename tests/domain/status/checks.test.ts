import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { paymentEvents } from '~/db/schema/checkouts';
import { outbox } from '~/db/schema/notifications';
import { milestones } from '~/db/schema/operations';
import { statusChecks } from '~/db/schema/status';
import { DAYS, earlier, HOURS, later, MINUTES } from '~/server/base/time';
import { checkComponents } from '~/server/domain/status/check-components';
import { viewStatus } from '~/server/domain/status/status-page';
import { sweepChecks } from '~/server/domain/status/sweep-checks';
import { convertAudio, goLive } from '~/server/queue/jobs/episodes';
import { type Runtime, systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

const { runtime, clock } = await cast({ empty: true });
const { db } = runtime;
const ctxOf = (over: Partial<Runtime> = {}) => systemCtx({ ...runtime, ...over }, 'status.check');
const withPorts = (ports: Partial<Runtime['ports']>) => ctxOf({ ports: { ...runtime.ports, ...ports } });
const { storage, mail } = runtime.ports;

beforeEach(async () => {
  await db.delete(statusChecks);
  await db.delete(outbox);
  await db.delete(milestones);
  await db.delete(paymentEvents);
  await db.execute(sql`delete from pgboss.job`);
});

const found = async () => {
  const rows = await db.select().from(statusChecks).orderBy(statusChecks.slot, statusChecks.component);
  return Object.fromEntries(rows.map(({ component, isOk }) => [component, isOk]));
};

test('a check records each component that this installation has', async () => {
  await checkComponents(ctxOf());

  expect(await found()).toEqual({ database: true, emails: true, jobs: true, storage: true });
});

test('two processes write a slot once, and the next slot again', async () => {
  await Promise.all([checkComponents(ctxOf()), checkComponents(ctxOf())]);
  expect(await db.$count(statusChecks)).toBe(4);

  clock.now = later(clock.now, MINUTES(5));
  await checkComponents(ctxOf());

  expect(await db.$count(statusChecks)).toBe(8);
});

test('a storage that does not answer and a mail server that refuses the login fail', async () => {
  const broken = () => Promise.reject(new Error('connection refused'));

  await checkComponents(withPorts({ storage: { ...storage, head: broken }, mail: { ...mail, check: broken } }));

  expect(await found()).toEqual({ database: true, emails: false, jobs: true, storage: false });
});

const addJob = (name: string, minutes: number, priority = 0) =>
  db.execute(sql`
    insert into pgboss.job (name, data, state, priority, start_after)
    values (${name}, '{}', 'created', ${priority}, now() - make_interval(mins => ${minutes}))`);

test.each([
  ['a short job waits for long', goLive.name, 16, 0, false],
  ['a short job waits for a moment', goLive.name, 14, 0, true],
  ['a short job in the background waits', goLive.name, 60, -1, true],
  ['a job that may take half an hour waits', convertAudio.name, 60, 0, true],
  ['a job that no worker knows waits', 'former.job', 60, 0, true],
])('if %s, the jobs pass or fail', async (_, name, minutes, priority, isOk) => {
  await db.execute(sql`select pgboss.create_queue(${name}, '{"policy":"standard"}')`).catch(() => {});
  await addJob(name, minutes, priority);

  await checkComponents(ctxOf());

  expect(await found()).toMatchObject({ jobs: isOk });
});

const email = (to: string, values: Partial<typeof outbox.$inferInsert>) =>
  db.insert(outbox).values({
    ...{ to, topic: 'contact', language: 'en', subject: 'a', html: 'a', text: 'a' },
    ...{ createdAt: clock.now, ...values },
  });

test.each([
  ['three addresses fail and none was sent', ['a', 'b', 'c'], false, false],
  ['two addresses fail', ['a', 'b', 'b'], false, true],
  ['three fail and another was sent', ['a', 'b', 'c'], true, true],
])('if %s, emails pass or fail', async (_, failing, isSent, isOk) => {
  for (const to of failing) await email(`${to}@mail.example`, { failure: '421 later', attempts: 1 });
  if (isSent) await email('sent@mail.example', { sentAt: clock.now });

  await checkComponents(ctxOf());

  expect(await found()).toMatchObject({ emails: isOk });
});

const looked = (ago: number) =>
  db.insert(milestones).values({ name: 'payments.caught_up/platform', reachedAt: earlier(clock.now, ago) });
const waits = (ago: number) =>
  db.insert(paymentEvents).values({
    ...{ id: 'evt_1', event: { id: 'evt_1' } as never, at: clock.now },
    receivedAt: earlier(clock.now, ago),
  });

test.each([
  ['the provider answered an hour ago', HOURS(1), null, true],
  ['the provider has not answered for three hours', HOURS(3), null, false],
  ['a message waits for a moment', HOURS(1), MINUTES(10), true],
  ['a message waits for long', HOURS(1), MINUTES(20), false],
  ['a message was given up', HOURS(1), HOURS(4), true],
])('if %s, payments pass or fail', async (_, answered, waiting, isOk) => {
  await looked(answered);
  if (waiting !== null) await waits(waiting);

  await checkComponents(ctxOf());

  expect(await found()).toMatchObject({ payments: isOk });
});

test('without payments, the page does not show them', async () => {
  await looked(HOURS(1));

  await checkComponents(ctxOf({ settings: { ...runtime.settings, takesPayments: false } }));

  expect((await viewStatus(ctxOf())).components.map(({ component }) => component)).toEqual([
    ...['database', 'storage', 'jobs', 'emails'],
  ]);
});

test('a failing component names the first failure since it last worked', async () => {
  const slots = [true, false, true, false, false].map((isOk, i) => ({
    ...{ component: 'emails' as const, isOk, ms: null },
    slot: earlier(new Date(Math.floor(clock.now.getTime() / MINUTES(5)) * MINUTES(5)), MINUTES(20 - 5 * i)),
  }));
  await db.insert(statusChecks).values(slots);

  const { components } = await viewStatus(ctxOf());

  expect(components).toMatchObject([{ component: 'emails', isOk: false, failingSince: slots[3]!.slot }]);
});

test('a sweep deletes what the page no longer shows, in batches', async () => {
  const rows = [92, 93, 94, 95, 90, 1].map((days) => ({
    ...{ component: 'jobs' as const, isOk: true, ms: null },
    slot: earlier(clock.now, DAYS(days)),
  }));
  await db.insert(statusChecks).values(rows);

  await sweepChecks(ctxOf(), 2);

  expect((await db.select().from(statusChecks).orderBy(statusChecks.slot)).map(({ slot }) => slot)).toEqual([
    rows[4]!.slot,
    rows[5]!.slot,
  ]);
});

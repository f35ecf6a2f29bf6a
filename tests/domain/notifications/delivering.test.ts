import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { outbox } from '~/db/schema/notifications';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { DAYS, later } from '~/server/base/time';
import { deliverEmail, resendFailedEmails } from '~/server/domain/notifications/deliver-email';
import { lookupUnsentEmail, sweepOutbox } from '~/server/domain/notifications/outbox';
import { MAIL_LIMITS } from '~/server/limits/notifications';
import { deliverEmail as deliverEmailJob } from '~/server/queue/jobs/notifications';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

const { runtime, clock, inbox } = await cast();
const ctx = systemCtx(runtime, deliverEmailJob.name);
const refusing = { ...runtime.ports.mail, send: () => Promise.reject(new Error('connection refused')) };
const broken = { ...ctx, ports: { ...ctx.ports, mail: refusing } };

const content = { topic: 'test', language: DEFAULT_LANGUAGE, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };

async function emailTo(to: string) {
  const [row] = await runtime.db
    .insert(outbox)
    .values({ to, ...content })
    .returning();
  return row!;
}

async function attempt(emailId: string, times: number) {
  for (let i = 0; i < times; i += 1) await deliverEmail(broken, { emailId });
  const [row] = await runtime.db.select().from(outbox).where(eq(outbox.id, emailId));
  return row!;
}

/** The delays in seconds of an email's queued attempts, by attempt. */
async function queuedAttempts(emailId: string): Promise<[number, number][]> {
  const rows = await runtime.db.execute<{ attempt: number; at: string }>(sql`
    select (data->>'attempt')::int as attempt, start_after as at from pgboss.job
    where name = ${deliverEmailJob.name} and data->>'emailId' = ${emailId} order by 1`);
  return rows.map(({ attempt, at }) => [attempt, Math.round((new Date(at).getTime() - clock.now.getTime()) / 1000)]);
}

const ATTEMPTS = MAIL_LIMITS.retryDelays.length + 1;

test('an email is sent once, also if its job runs again', async () => {
  const { id } = await emailTo('once@mail.example');

  await deliverEmail(ctx, { emailId: id });
  await deliverEmail(ctx, { emailId: id });

  const [row] = await runtime.db.select().from(outbox).where(eq(outbox.id, id));
  expect(row).toMatchObject({ attempts: 1, sentAt: clock.now, failedAt: null, failure: null });
  expect(await inbox!.list('once@mail.example')).toHaveLength(1);
});

test('a failed attempt is recorded, and a later success clears the failure', async () => {
  const { id } = await emailTo('later@mail.example');

  expect(await attempt(id, 1)).toMatchObject({ attempts: 1, failure: 'connection refused', failedAt: null });
  await deliverEmail(ctx, { emailId: id });

  const [row] = await runtime.db.select().from(outbox).where(eq(outbox.id, id));
  expect(row).toMatchObject({ attempts: 2, failure: null, sentAt: clock.now });
});

test('the last attempt marks an email as failed, and it is not sent again', async () => {
  const { id } = await emailTo('never@mail.example');

  const beforeLast = await attempt(id, ATTEMPTS - 1);
  const last = await attempt(id, 1);
  await deliverEmail(ctx, { emailId: id });

  expect(beforeLast).toMatchObject({ attempts: ATTEMPTS - 1, failedAt: null });
  expect(last).toMatchObject({ attempts: ATTEMPTS, failedAt: clock.now, sentAt: null });
  expect(await lookupUnsentEmail(ctx, id)).toBeNull();
  expect(await inbox!.list('never@mail.example')).toEqual([]);
});

test('the sweep deletes old emails that were sent or failed, and keeps those that still wait', async () => {
  const addresses = ['sent@mail.example', 'failed@mail.example', 'waiting@mail.example'];
  const [sent, failed, waiting] = await Promise.all(addresses.map(emailTo));
  await deliverEmail(ctx, { emailId: sent!.id });
  await attempt(failed!.id, ATTEMPTS);
  const remaining = async () => {
    const rows = await runtime.db.select({ to: outbox.to }).from(outbox).orderBy(outbox.createdAt);
    return addresses.filter((address) => rows.some(({ to }) => to === address));
  };
  const { createdAt } = waiting!;

  await sweepOutbox({ ...ctx, now: () => later(createdAt, DAYS(29)) });
  expect(await remaining()).toEqual(addresses);
  await sweepOutbox({ ...ctx, now: () => later(createdAt, DAYS(31)) });

  expect(await remaining()).toEqual(['waiting@mail.example']);
});

test('an email is tried again for 24 hours, soon at first and then every hour', async () => {
  const { id } = await emailTo('patient@mail.example');

  await attempt(id, ATTEMPTS);

  const queued = await queuedAttempts(id);
  expect(queued.slice(0, 3)).toEqual([
    [1, 15],
    [2, 30],
    [3, 60],
  ]);
  expect(queued.at(-1)).toEqual([ATTEMPTS - 1, 3600]);
  const hours = queued.reduce((sum, [, seconds]) => sum + seconds, 0) / 3600;
  expect(hours).toBeGreaterThanOrEqual(24);
  expect(hours).toBeLessThan(24.5);
});

test('a job that runs again after a crash makes no second attempt', async () => {
  const { id } = await emailTo('crash@mail.example');

  await deliverEmail(broken, { emailId: id, attempt: 0 });
  await deliverEmail(broken, { emailId: id, attempt: 0 });

  expect(await queuedAttempts(id)).toEqual([[1, 15]]);
});

test('an operator sends failed emails again, and only those', async () => {
  const [failed, sent] = await Promise.all(['repaired@mail.example', 'done@mail.example'].map(emailTo));
  await deliverEmail(ctx, { emailId: sent!.id });
  await attempt(failed!.id, ATTEMPTS);

  await resendFailedEmails(ctx);
  await deliverEmail(ctx, { emailId: failed!.id, attempt: 0 });

  expect(await inbox!.list('repaired@mail.example')).toHaveLength(1);
  expect(await inbox!.list('done@mail.example')).toHaveLength(1);
  expect(await resendFailedEmails(ctx)).toBe(0);
});

test('many failed emails are sent again in several transactions of bounded size', async () => {
  const { retryDelays, resendBatch } = MAIL_LIMITS;
  const failed = { attempts: retryDelays.length, failure: 'refused', failedAt: clock.now };
  const many = Array.from({ length: resendBatch + 5 }, () => ({ to: 'many@mail.example', ...content, ...failed }));
  await runtime.db.insert(outbox).values(many);
  const sizes: number[] = [];
  const joiningAll: typeof ctx.queue.joiningAll = () => async (_, payloads) => void sizes.push(payloads.length);

  const count = await resendFailedEmails({ ...ctx, queue: { ...ctx.queue, joiningAll } });

  expect([count, sizes]).toEqual([resendBatch + 5, [resendBatch, 5]]);
  expect(await resendFailedEmails(ctx)).toBe(0);
});

import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { outbox } from '~/db/schema/notifications';
import { deliverEmail as deliverEmailJob } from '~/jobs/catalog';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { deliverEmail } from '~/server/domain/notifications/delivering';
import { lookupUnsentEmail, sweepOutbox } from '~/server/domain/notifications/outbox';
import { systemCtx } from '~/server/runtime';
import { DAYS, later } from '~/server/time';
import { cast } from '../../support/cast';

const { runtime, clock, inbox } = await cast();
const ctx = systemCtx(runtime, deliverEmailJob.name);
const refusing = { ...runtime.ports.mail, send: () => Promise.reject(new Error('connection refused')) };
const broken = { ...ctx, ports: { ...ctx.ports, mail: refusing } };

async function emailTo(to: string) {
  const content = { topic: 'test', language: DEFAULT_LANGUAGE, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
  const [row] = await runtime.db
    .insert(outbox)
    .values({ to, ...content })
    .returning();
  return row!;
}

async function attempt(emailId: string, times: number) {
  for (let i = 0; i < times; i += 1) {
    await expect(deliverEmail(broken, { emailId })).rejects.toThrow('connection refused');
  }
  const [row] = await runtime.db.select().from(outbox).where(eq(outbox.id, emailId));
  return row!;
}

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

test('the last attempt of the job marks an email as failed, and it is not sent again', async () => {
  const { id } = await emailTo('never@mail.example');

  const beforeLast = await attempt(id, deliverEmailJob.policy.retries);
  const last = await attempt(id, 1);
  await deliverEmail(ctx, { emailId: id });

  expect(beforeLast).toMatchObject({ attempts: deliverEmailJob.policy.retries, failedAt: null });
  expect(last).toMatchObject({ attempts: deliverEmailJob.policy.retries + 1, failedAt: clock.now, sentAt: null });
  expect(await lookupUnsentEmail(ctx, id)).toBeNull();
  expect(await inbox!.list('never@mail.example')).toEqual([]);
});

test('the sweep deletes old emails that were sent or failed, and keeps those that still wait', async () => {
  const addresses = ['sent@mail.example', 'failed@mail.example', 'waiting@mail.example'];
  const [sent, failed, waiting] = await Promise.all(addresses.map(emailTo));
  await deliverEmail(ctx, { emailId: sent!.id });
  await attempt(failed!.id, deliverEmailJob.policy.retries + 1);
  const remaining = async () => {
    const rows = await runtime.db.select({ to: outbox.to }).from(outbox);
    return addresses.filter((address) => rows.some(({ to }) => to === address));
  };
  const { createdAt } = waiting!;

  await sweepOutbox({ ...ctx, now: () => later(createdAt, DAYS(29)) });
  expect(await remaining()).toEqual(addresses);
  await sweepOutbox({ ...ctx, now: () => later(createdAt, DAYS(31)) });

  expect(await remaining()).toEqual(['waiting@mail.example']);
});

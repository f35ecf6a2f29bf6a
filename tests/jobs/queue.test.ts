import { eq, sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { users } from '~/db/schema/accounts';
import { startWorker } from '~/jobs/worker';
import { deleteAccount, sendPasswordReset } from '~/server/queue/jobs/accounts';
import { checkAudio } from '~/server/queue/jobs/episodes';
import { deliverEmail } from '~/server/queue/jobs/notifications';
import { BACKGROUND, createQueues } from '~/server/queue/queue';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';

const { runtime, make } = await cast({ empty: true });
const ctx = systemCtx(runtime, 'test');
const EMAIL_ID = '7f9c24e8-3b12-4fef-91e0-56a2d5a1b2c3';

async function statesOf(name: string): Promise<string[]> {
  const rows = await runtime.db.execute<{ state: string }>(
    sql`select state from pgboss.job where name = ${name} order by created_on, id`,
  );
  return rows.map(({ state }) => state);
}

test('a job is enqueued if and only if its transaction commits', async () => {
  const { id } = await make.person();
  const before = (await statesOf(deliverEmail.name)).length;
  const change = (name: string, fails: boolean) =>
    transact(ctx, async (tx) => {
      await tx.db.update(users).set({ name }).where(eq(users.id, id));
      await tx.jobs.enqueue(deliverEmail, { emailId: EMAIL_ID });
      if (fails) throw new Error('rolled back');
    });

  await expect(change('Ana', true)).rejects.toThrow('rolled back');
  expect(await statesOf(deliverEmail.name)).toHaveLength(before);

  await change('Ana', false);
  expect(await statesOf(deliverEmail.name)).toHaveLength(before + 1);
});

test('jobs that no user waits for run last', async () => {
  const background = { ...ctx, queue: ctx.queue.inBackground() };
  const request = { email: 'nobody@mail.example' };
  await transact(background, (tx) => tx.jobs.enqueueAll(sendPasswordReset, [request, request]));
  await transact(ctx, (tx) => tx.jobs.enqueue(sendPasswordReset, request));

  const next = async () => (await runtime.queue.boss.fetch(sendPasswordReset.name, { includeMetadata: true }))[0];

  expect((await next())?.priority).toBe(0);
  expect((await next())?.priority).toBe(BACKGROUND);
});

test('a job that fails is retried', async () => {
  // a payload that only this test can write
  await runtime.queue.boss.send(checkAudio.name, { episodeId: 'none' }, { retryLimit: 3 });

  await startWorker(runtime);

  await expect.poll(() => statesOf(checkAudio.name)).toEqual(['retry']);
});

test('a backlog runs without pauses, and what a background job enqueues is one, too', async () => {
  const { email } = await make.person();
  const background = { ...ctx, queue: ctx.queue.inBackground() };
  const unknown = Array.from({ length: 30 }, () => ({ email: 'nobody@mail.example' }));
  const asked = vi.spyOn(runtime.queue.boss, 'notifyWorker');
  onTestFinished(() => asked.mockRestore());
  await transact(background, (tx) => tx.jobs.enqueueAll(sendPasswordReset, [...unknown, { email }]));

  const emails = () =>
    runtime.db.execute(sql`select 1 from pgboss.job where name = ${deliverEmail.name} and priority = ${BACKGROUND}`);
  await expect.poll(async () => (await emails()).length, { timeout: 20_000 }).toBe(1);

  // each job asks for the next one at once, instead of after the worker's pause
  await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(unknown.length);
});

test('a worker asks for jobs only when there are some', async () => {
  const { boss } = runtime.queue;
  const asked = vi.spyOn(boss.getDb(), 'executeSql');
  const looked = vi.spyOn(runtime.db, 'execute');
  onTestFinished(() => void [asked, looked].map((spy) => spy.mockRestore()));
  const askedForThem = () => asked.mock.calls.filter(([, [name]]) => name === deleteAccount.name);

  await expect.poll(() => looked.mock.calls.length).toBeGreaterThan(5);
  expect(askedForThem()).toEqual([]);

  await transact(ctx, (tx) => tx.jobs.enqueue(deleteAccount, { userId: 1_000_000 }));
  await expect.poll(() => statesOf(deleteAccount.name)).toEqual(['completed']);
  expect(askedForThem()).not.toEqual([]);
});

test('a start changes only the queues that are missing or have another policy', async () => {
  const { boss } = runtime.queue;
  const sent = vi.spyOn(boss.getDb(), 'executeSql');
  onTestFinished(() => sent.mockRestore());

  await createQueues(boss);
  expect(changedQueues(sent.mock.calls)).toEqual([]);

  await runtime.db.execute(sql`update pgboss.queue set retry_limit = 99 where name = ${checkAudio.name}`);
  sent.mockClear();
  await createQueues(boss);
  expect(changedQueues(sent.mock.calls)).toEqual([checkAudio.name]);
  expect(await boss.getQueue(checkAudio.name)).toMatchObject({ retryLimit: checkAudio.policy.retries });
});

/** The queues that these calls of `executeSql` create or update. */
function changedQueues(calls: readonly (readonly unknown[])[]): unknown[] {
  return calls
    .filter(([text]) => /create_queue|update pgboss\.queue/i.test(String(text)))
    .map(([, values]) => (values as unknown[])[0]);
}

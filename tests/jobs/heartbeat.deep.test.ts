import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createDb } from '~/db/client';
import { startHeartbeat } from '~/jobs/heartbeat';
import { checkAudio } from '~/server/queue/jobs/episodes';
import { createLog } from '~/server/watching/log';
import { databaseProxy } from '../support/database-proxy';
import { testDatabase } from '../support/db';

const { client, url } = await testDatabase();
/** The heartbeat runs four times as fast as the product's. */
const PACE = { interval: 250, window: 1000 };

/** A process whose connection to the database the test can interrupt while the process runs on. */
async function startProcess() {
  const proxy = await databaseProxy(url);
  const { db, close } = createDb(proxy.url, { max: 1 });
  const heartbeat = startHeartbeat({ db, log: createLog('silent') }, PACE);
  onTestFinished(async () => {
    heartbeat.stop();
    await close();
    await proxy.close();
  });
  return { heartbeat, proxy };
}

async function startJob(): Promise<{ id: string; state(): Promise<string | undefined> }> {
  const [job] = await client<{ id: string }[]>`
    insert into pgboss.job (name, data, state, retry_limit, started_on)
    values (${checkAudio.name}, '{}', 'active', 2, now()) returning id`;
  const { id } = job!;
  return {
    id,
    async state() {
      const [row] = await client<{ state: string }[]>`select state from pgboss.job where id = ${id}`;
      return row?.state;
    },
  };
}

test('after an outage, the first process to beat again leaves the running jobs of others alone', async () => {
  const [first, second] = await Promise.all([startProcess(), startProcess()]);
  const { id, state } = await startJob();
  let end = () => {};
  const running = second.heartbeat.during(id, () => new Promise<void>((resolve) => (end = resolve)));
  await sleep(3 * PACE.window);

  await Promise.all([first.proxy.refuse(), second.proxy.refuse()]);
  await sleep(2 * PACE.window);
  await first.proxy.restore();
  await sleep(PACE.window / 2);
  await second.proxy.restore();
  await sleep(2 * PACE.window);

  expect(await state()).toBe('active');
  end();
  await running;
});

test('a job of a lost process is queued again, but not by a process that has only begun to beat', async () => {
  const { state } = await startJob();
  await sleep(2 * PACE.window);

  await startProcess();
  await sleep(PACE.window / 2);

  expect(await state()).toBe('active');
  await expect.poll(state, { interval: 50 }).toBe('retry');
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { ALL_JOBS } from '~/server/queue/all-jobs';
import { bundledServer } from '../support/bundled-server';
import { emptyDatabase, testDatabase } from '../support/db';
import { isDeep } from '../support/deep';

const { client, url } = await testDatabase();
const { main, remove } = await bundledServer();
afterAll(remove);

/** Starts the worker as `npm run worker` does; collects its `output`. */
async function startWorker(settings: Record<string, string> = {}) {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-process-'));
  const child = spawn(process.execPath, [main, '--worker'], {
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'debug', ...settings },
  });
  const started = { child, output: '', exit: once(child, 'exit') };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (started.output += text));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await fs.rm(dataDir, { recursive: true, force: true });
  });
  return started;
}

async function until(condition: () => boolean | Promise<boolean>, seconds = 15): Promise<void> {
  for (let i = 0; i < 10 * seconds && !(await condition()); i += 1) await sleep(100);
}

const queuedJobs = async () => {
  const rows = await client`select 1 from pgboss.job where name = 'accounts.sweep-sessions' and state < 'completed'`;
  return rows.length;
};

const schedulesWaiting = async () => {
  const rows = await client`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%schedule%'
    and datname = current_database()`;
  return rows.length;
};

/** Locks a table until the returned function is called. */
async function lockTable(name: string): Promise<() => Promise<void>> {
  let unlock = () => {};
  let locked = () => {};
  const held = new Promise<void>((resolve) => (unlock = resolve));
  const ready = new Promise<void>((resolve) => (locked = resolve));
  const locking = client.begin(async (tx) => {
    await tx`lock table ${tx(name)} in access exclusive mode`;
    locked();
    await held;
  });
  await ready;
  return async () => {
    unlock();
    await locking;
  };
}

test('a worker runs queued jobs, logs readable lines and stops cleanly', async () => {
  await client`insert into pgboss.job (name, data) values ('accounts.sweep-sessions', '{}')`;
  const worker = await startWorker();
  await until(async () => (await queuedJobs()) === 0);

  worker.child.kill('SIGTERM');
  const [code] = await worker.exit;

  expect(await queuedJobs()).toBe(0);
  expect(worker.output).toMatch(/DEBUG.*job done/);
  expect(code).toBe(0);
});

test('a worker that is stopped before it has started completely stops cleanly, too', async () => {
  const unlock = await lockTable('pgboss.schedule');
  const worker = await startWorker();
  await until(async () => (await schedulesWaiting()) > 0);

  worker.child.kill('SIGTERM');
  await until(() => /INFO.*stopping/.test(worker.output));
  await unlock();
  const [code] = await worker.exit;

  expect(worker.output).not.toContain('Error');
  expect(code).toBe(0);
});

test('a running job of a worker that was killed is taken up by another one within ten seconds', async () => {
  const state = async () => {
    const [row] = await client<{ state: string; retries: number }[]>`
      select state, retry_count as retries from pgboss.job where name = 'episodes.check-audio'`;
    return row;
  };
  // the job waits for this lock
  const unlock = await lockTable('episodes');
  await client`insert into pgboss.job (name, data, retry_limit, expire_in)
    values ('episodes.check-audio', '{"episodeId": 1}', 2, interval '2 minutes')`;
  const killed = await startWorker();
  await until(async () => (await state())?.state === 'active');
  const other = await startWorker();
  await until(() => /worker ready/.test(other.output));

  const began = performance.now();
  killed.child.kill('SIGKILL');
  await unlock();
  await until(async () => (await state())?.state === 'completed');

  expect(await state()).toEqual({ state: 'completed', retries: 1 });
  expect(performance.now() - began).toBeLessThan(10_000);
});

/** tests/server/open-runtime.test.ts opens four in one process, which costs a fifth. */
const TOGETHER = isDeep ? 4 : 2;

test(`${TOGETHER} processes that start together on an empty database all get ready`, async () => {
  const { url: DATABASE_URL, client: created } = await emptyDatabase();
  const workers = await Promise.all(Array.from({ length: TOGETHER }, () => startWorker({ DATABASE_URL })));

  const isSettled = (worker: (typeof workers)[number]) =>
    worker.output.includes('worker ready') || worker.child.exitCode !== null;
  await until(() => workers.every(isSettled), 50);

  for (const { output } of workers) expect(output).toContain('worker ready');
  const queues = await created<
    { name: string }[]
  >`select name from pgboss.queue where name not like '\\_\\_%' order by 1`;
  expect(queues.map(({ name }) => name).sort()).toEqual(ALL_JOBS.map(({ name }) => name).sort());
});

test('a wrong setting stops the start with one line that names it', async () => {
  const worker = await startWorker({ TRUST_PROXY: 'everyone' });

  const [code] = await worker.exit;

  expect(worker.output).toBe("Altavoz can't start: TRUST_PROXY must be a whole number from 0 to 10\n");
  expect(code).toBe(1);
});

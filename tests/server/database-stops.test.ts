import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '~/db/cluster/port';
import { startEmbedded } from '~/db/embedded';
import { bundledServer } from '../support/bundled-server';
import { isDeep } from '../support/deep';
import { freshDataDir } from '../support/first-start';
import { type Supervised, supervise, until } from '../support/supervised';

const AWAY_SECONDS = isDeep ? 75 : 2;
const BACK_SECONDS = 10;
/** Jobs that query the database, in queues of their own: one of each runs at any time. */
const QUEUES = ['accounts.sweep-sessions', 'notifications.sweep-outbox', 'audience.sweep-contacts', 'team.sweep'];

const PRINTS_PID = `data:text/javascript,console.log('pid ' + process.pid)`;

const { main, remove } = await bundledServer();
afterAll(remove);

type Member = { process: Supervised; isReady(): Promise<boolean> };

async function startMember(database: string, settings: Record<string, string>, args: string[] = []): Promise<Member> {
  const port = await freePort();
  const env = {
    DATABASE_URL: database,
    DATA_DIR: await freshDataDir(),
    APP_URL: `http://localhost:${port}`,
    HOST: '127.0.0.1',
    SEED_DEMO: '0',
    ...settings,
    [args.length > 0 ? 'WORKER_PORT' : 'PORT']: String(port),
  };
  const process = supervise(['--import', PRINTS_PID, main, ...args], env, path.dirname(main));
  const isReady = () =>
    fetch(`http://localhost:${port}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  return { process, isReady };
}

/** A site that runs jobs itself, and one with a worker of its own; all of them take jobs from the same queues. */
async function startMembers(database: string) {
  const members = await Promise.all([
    startMember(database, { WORKER: 'inline' }),
    startMember(database, { WORKER: 'off' }),
    startMember(database, {}, ['--worker']),
  ]);
  await untilReady(members);
  return members;
}

async function untilReady(members: Member[]): Promise<void> {
  await until(async () => (await Promise.all(members.map(({ isReady }) => isReady()))).every(Boolean));
}

async function countJobs(sql: postgres.Sql, state: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from pgboss.job where name in ${sql(QUEUES)} and state = ${state}`;
  return row!.count;
}

test('when the database stops while jobs run, no process ends, one that is killed meanwhile is started again, and jobs go on', async () => {
  const dir = await freshDataDir();
  const database = await startEmbedded({ dir });
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  onTestFinished(async () => {
    await sql.end();
    await database.stop({ force: true });
  });
  const members = await startMembers(database.url);
  const pids = () => members.map(({ process }) => process.pids());
  const before = pids();
  await sql`insert into pgboss.job (name, data, retry_limit)
    select name, '{}', 9 from unnest(${QUEUES}::text[]) as name, generate_series(1, 2000)`;
  await until(async () => (await countJobs(sql, 'completed')) > 20);

  await database.stop({ force: true });
  await sleep(AWAY_SECONDS * 1000);
  expect(pids()).toEqual(before);
  process.kill(before[0]![0]!, 'SIGKILL');
  await until(() => pids()[0]!.length > 2);
  await startEmbedded({ dir });
  const began = performance.now();
  await untilReady(members);
  const seconds = (performance.now() - began) / 1000;
  const completed = await countJobs(sql, 'completed');

  expect(pids().slice(1)).toEqual(before.slice(1));
  await expect.poll(() => countJobs(sql, 'completed')).toBeGreaterThan(completed);
  // buyers who paid meanwhile wait for these events
  await expect.poll(() => sql`select from pgboss.job where name = 'billing.catch-up' limit 1`).toHaveLength(1);
  if (isDeep) expect(seconds).toBeLessThan(BACK_SECONDS);
});

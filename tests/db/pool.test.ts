import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openPool, type PoolOptions } from '~/db/driver/pool';
import { databaseProxy } from '../support/database-proxy';
import { testDatabase } from '../support/db';

const { url } = await testDatabase();

test('a statement on a silent connection fails with the report, also if a new connection timed out before', async () => {
  const proxy = await databaseProxy(url);
  const pool = openPool(proxy.url);
  onTestFinished(async () => {
    await pool.close();
    await proxy.close();
  });
  await pool.client`select 1`;
  proxy.silence();
  const [old, fresh] = [pool.client`select 1`, pool.client`select 1`].map((query) =>
    query.then(
      () => 'answered',
      () => 'failed',
    ),
  );
  expect(await fresh).toBe('failed');
  // the pool has replaced its connections by then
  await sleep(50);

  pool.report(false);

  // without the report, it would fail five seconds after the replacement
  expect(await Promise.race([old, sleep(4000, 'waiting')])).toBe('failed');
});

test('a statement whose answer came while the process stood still is answered', async () => {
  const pool = openPool(url, { max: 1 });
  onTestFinished(() => pool.close());
  await pool.client`select 1`;
  // adapted statements go through `unsafe`, as Drizzle's do
  const ahead = pool.client.unsafe('select pg_sleep(0.3)').execute();
  const behind = pool.client.unsafe('select 1 as one').execute();
  await sleep(50);
  // timers run first, and then the event loop reads arrived data
  await afterReading();

  const began = performance.now();
  while (performance.now() - began < 1500);

  expect((await Promise.all([ahead, behind]))[1]).toEqual([{ one: 1 }]);
});

const DEADLINE = { answerSeconds: 1, silentSeconds: 600, onSilent: () => {} };

/** A pool behind a proxy that can lose its connections. It waits for a busy machine. */
async function openFragile(options: PoolOptions, onFinished = onTestFinished) {
  const proxy = await databaseProxy(url);
  const { client, close } = openPool(proxy.url, { ...options, patient: true });
  onFinished(async () => {
    // otherwise, the pool waits for lost answers
    await proxy.close();
    await close();
  });
  await client`select 1`;
  return { client, lose: async () => proxy.loseConnections() };
}

type Fragile = Awaited<ReturnType<typeof openFragile>>;
const UNANSWERED: [string, (fragile: Fragile) => Promise<unknown>][] = [
  ['a statement', ({ client, lose }) => lose().then(() => client.unsafe('select 1'))],
  ['a begin', ({ client, lose }) => lose().then(() => client.begin(async () => {}))],
  ['a commit', ({ client, lose }) => client.begin(lose)],
  ['a savepoint', ({ client, lose }) => client.begin((tx) => lose().then(() => tx.savepoint(async () => {})))],
  [
    'a statement of a transaction',
    ({ client, lose }) => client.begin((tx) => lose().then(() => tx.unsafe('select 1'))),
  ],
];

test.concurrent.for(UNANSWERED)(
  '%s that is never answered fails, and the next one is answered',
  async ([, send], context) => {
    const fragile = await openFragile({ max: 1, deadline: DEADLINE }, context.onTestFinished);

    await expect(send(fragile)).rejects.toThrow();

    expect(await fragile.client.unsafe('select 1 as one')).toEqual([{ one: 1 }]);
  },
);

test('a process learns that all its connections are in use and silent, and not before', async () => {
  const onSilent = vi.fn();
  const { client, lose } = await openFragile({ max: 2, deadline: { answerSeconds: 600, silentSeconds: 1, onSilent } });
  const ask = (seconds: number) => client.unsafe('select pg_sleep($1)', [seconds]).execute();
  await Promise.all([ask(0), ask(0)]);
  onSilent.mockClear();
  await ask(2);
  const told = onSilent.mock.calls.length;

  await lose();
  void Promise.allSettled([ask(0), ask(0)]);

  await expect.poll(() => onSilent.mock.calls.length).toBeGreaterThan(0);
  expect(told).toBe(0);
});

// an error of the connection that cancels, which nobody awaits, would fail the test run
test('a statement that got no connection in time is cancelled later, even if no other connection opens', async () => {
  const proxy = await databaseProxy(url);
  const pool = openPool(proxy.url, { max: 1 });
  onTestFinished(async () => {
    await pool.close();
    await proxy.close();
  });
  await pool.client`select 1`;
  const ahead = pool.client.unsafe('select pg_sleep(2)').execute();
  const behind = pool.client.unsafe('select pg_sleep(0.1)').execute();
  proxy.refuseNew();

  await expect(behind).rejects.toMatchObject({ code: 'CONNECT_TIMEOUT' });
  await ahead;

  await sleep(100);
});

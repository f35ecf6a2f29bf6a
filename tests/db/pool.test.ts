import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openPool } from '~/db/driver/pool';
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

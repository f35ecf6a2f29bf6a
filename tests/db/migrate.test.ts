import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { runMigrations, withCreationLock } from '~/db/migrate';
import { databaseProxy } from '../support/database-proxy';
import { emptyDatabase } from '../support/db';

const { url, client } = await emptyDatabase();
const nothing = () => {};

test('one process creates at a time, and a waiting one says so once after three seconds', async () => {
  const steps: string[] = [];
  const first = withCreationLock(url, {
    onWait: () => steps.push('first waits'),
    async create() {
      steps.push('first begins');
      await sleep(3500);
      steps.push('first ends');
    },
  });
  while (steps.length === 0) await sleep(10);

  await withCreationLock(url, {
    onWait: () => steps.push('second waits'),
    create: async () => steps.push('second begins'),
  });

  await first;
  expect(steps).toEqual(['first begins', 'second waits', 'first ends', 'second begins']);
});

test('a failed creation releases the lock', async () => {
  const failing = withCreationLock(url, { onWait: nothing, create: () => Promise.reject(new Error('disk full')) });
  await expect(failing).rejects.toThrow('disk full');

  expect(await withCreationLock(url, { onWait: nothing, create: async () => 'created' })).toBe('created');
});

test('a lost connection ends the creation with an error that can be caught', async () => {
  const proxy = await databaseProxy(url);
  onTestFinished(() => proxy.close());

  const lost = withCreationLock(proxy.url, {
    onWait: nothing,
    async create() {
      await proxy.refuse();
      await sleep(50);
    },
  });

  await expect(lost).rejects.toMatchObject({ code: expect.stringMatching(/^(?:CONNECTION_CLOSED|ECONNRESET)$/) });
  // an error in a later turn of the event loop would fail the test run
  await sleep(100);
});

test('the lock outlasts the timeouts that an operator set, and ends with its transaction', async () => {
  const database = new URL(url).pathname.slice(1);
  await client.unsafe(`alter database ${database} set idle_in_transaction_session_timeout = '500ms'`);

  const locks = () => client`
    select 1 from pg_locks join pg_database on pg_database.oid = database
    where locktype = 'advisory' and granted and datname = current_database()`;
  const result = await withCreationLock(url, { onWait: nothing, create: () => sleep(1200).then(() => locks()) });

  expect(result).toHaveLength(1);
  expect(await locks()).toHaveLength(0);
});

test('tables of a release before the first migration are left as they are', async () => {
  await client`create schema drizzle`;
  await client`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  await client`insert into drizzle.__drizzle_migrations (hash, created_at) values ('a', 1)`;

  await expect(runMigrations(url, 'db/migrations')).rejects.toThrow('older release');

  expect(await client`select to_regclass('users') is null as untouched`).toEqual([{ untouched: true }]);
});

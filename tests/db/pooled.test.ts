import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openPool } from '~/db/driver/pool';
import { testDatabase } from '../support/db';
import { pgbouncer } from '../support/pgbouncer';
import { toolPath } from '../support/tools';
import { type TransactionPooler, transactionPooler } from '../support/transaction-pooler';

const { url } = await testDatabase();
const program = toolPath('pgbouncer');
const POOLERS: [string, () => Promise<TransactionPooler>][] = [
  ['a pooler in transaction mode', () => transactionPooler(url)],
  ...(program ? [['PgBouncer', () => pgbouncer(program, url)] as [string, () => Promise<TransactionPooler>]] : []),
];
const ROUNDS = 20;

async function openPooled(open: () => Promise<TransactionPooler>) {
  const pooler = await open();
  const pool = openPool(pooler.url, { max: 2, prepare: false, patient: true });
  onTestFinished(async () => {
    await pool.close();
    await pooler.close();
  });
  return pool;
}

const inTime = <T>(answers: Promise<T>) => Promise.race([answers, sleep(5000, 'no answer')]);

test.each(POOLERS)('behind %s, statements that are sent at the same time are all answered', async (_, open) => {
  const { client, use } = await openPooled(open);
  const statements = [
    () => client.unsafe('select 1', []),
    () => client.unsafe('select $1::int', [1]),
    () => client`select ${'x'}::text`,
    () => client.begin((tx) => Promise.all([tx.unsafe('select $1::int', [2]), tx.unsafe('select 2')])),
    () => client.unsafe('select 1 / $1::int', [0]).catch(() => 'fails'),
    () => client.begin((tx) => tx`select 1 / ${0}::int`).catch(() => 'fails'),
  ];

  const rounds = [];
  for (let i = 0; i < ROUNDS; i += 1) rounds.push(await inTime(Promise.all(statements.map((send) => send()))));

  expect(rounds).not.toContain('no answer');
  expect(use()).toEqual({ max: 2, used: 0, waiting: 0 });
});

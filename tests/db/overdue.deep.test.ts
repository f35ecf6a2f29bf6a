import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { endOverdue } from '~/db/driver/overdue';
import { openPool, type PoolOptions } from '~/db/driver/pool';
import { watchDatabase } from '~/db/driver/watch';
import { testDatabase } from '../support/db';
import { reservedConnection } from '../support/reserved-connection';
import { until } from '../support/supervised';
import { transactionPooler } from '../support/transaction-pooler';

const { url } = await testDatabase();
/** The limits in seconds: a thirtieth of the product's limits for requests. */
const LIMITS = {
  'altavoz-web': { statement: 0.5, idle: 0.5 },
  'altavoz-jobs': { statement: 60, idle: 60 },
};

async function openPooler(): Promise<string> {
  const pooler = await transactionPooler(url);
  onTestFinished(() => pooler.close());
  return pooler.url;
}

async function watched(address: string, options: PoolOptions) {
  const stop = watchDatabase(address, { onAnswer: () => {}, limits: LIMITS, probesPerSweep: 1 });
  const { client, close } = openPool(address, { max: 1, prepare: false, ...options });
  onTestFinished(async () => void (await Promise.all([close(), stop()])));
  return client;
}

const WAYS: [string, () => Promise<string>][] = [
  ['directly', async () => url],
  ['through a pooler', openPooler],
];

test.each(WAYS)('%s, a statement of a request ends after its limit', async (_, address) => {
  const client = await watched(await address(), { purpose: 'altavoz-web' });
  const began = performance.now();

  await expect(client`select pg_sleep(20)`).rejects.toMatchObject({ code: '57014' });

  expect(performance.now() - began).toBeLessThan(10_000);
  expect(await client`select 1 as one`).toEqual([{ one: 1 }]);
});

test.each(WAYS)('%s, a transaction of a request that sends nothing ends after its limit', async (_, address) => {
  const client = await watched(await address(), { purpose: 'altavoz-web' });

  const forgotten = client.begin(async (tx) => {
    await tx`select 1`;
    await sleep(20_000, null, { ref: false });
  });

  await expect(forgotten).rejects.toMatchObject({ code: expect.stringMatching(/^(?:57P01|CONNECTION_CLOSED)$/) });
});

test.each(['altavoz-jobs', undefined] as const)(
  'statements and transactions of %s may take longer',
  async (purpose) => {
    const client = await watched(url, { ...(purpose && { purpose }) });

    const [row] = await client.begin(async (tx) => {
      await tx`select pg_sleep(1)`;
      await sleep(1000);
      return tx`select 1 as one`;
    });

    expect(row).toEqual({ one: 1 });
  },
);

test('a process ends nothing while another one does, because its signal could hit the next statement', async () => {
  const { client, close } = openPool(url, { max: 4, prepare: false });
  const overdue = openPool(url, { max: 1, prepare: false, purpose: 'altavoz-web' });
  const first = await reservedConnection(client);
  onTestFinished(async () => {
    first.release();
    await Promise.all([close(), overdue.close()]);
  });
  await first`begin`;
  await endOverdue(first, LIMITS);
  const ended = overdue.client`select pg_sleep(200)`.catch(({ code }) => code);
  // it may have to connect first, which can take long
  await until(
    async () =>
      (
        await client`select 1 from pg_stat_activity
    where query like 'select pg_sleep(200)%' and query_start < now() - interval '0.6 seconds'`
      ).length > 0,
  );

  await endOverdue(client, LIMITS);
  const afterSecond = await Promise.race([ended, sleep(100, 'running')]);
  await first`commit`;
  await endOverdue(client, LIMITS);

  expect([afterSecond, await ended]).toEqual(['running', '57014']);
});

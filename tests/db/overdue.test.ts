import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openPool, type PoolOptions } from '~/db/pool';
import { watchDatabase } from '~/db/watch';
import { databaseProxy } from '../support/database-proxy';
import { testDatabase } from '../support/db';
import { transactionPooler } from '../support/transaction-pooler';

const { url } = await testDatabase();
/** In seconds; thirty times as strict as the product's for requests. */
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

test('a pooler that does not answer is not taken for the database, as long as that answers directly', async () => {
  const proxy = await databaseProxy(url);
  proxy.silence();
  const answers = { pooled: [] as boolean[], alone: [] as boolean[] };
  const stops = [
    watchDatabase(proxy.url, { directUrl: url, onAnswer: (isUp) => answers.pooled.push(isUp) }),
    watchDatabase(proxy.url, { onAnswer: (isUp) => answers.alone.push(isUp) }),
  ];
  onTestFinished(async () => void (await Promise.all([...stops.map((stop) => stop()), proxy.close()])));

  while (answers.pooled.length === 0 || answers.alone.length === 0) await sleep(50);

  expect([answers.pooled[0], answers.alone[0]]).toEqual([true, false]);
});

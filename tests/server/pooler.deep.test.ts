import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { openPool } from '~/db/driver/pool';
import { parseEnv } from '~/server/env/read';
import { openRuntime } from '~/server/runtime/open-runtime';
import { createLog } from '~/server/watching/log';
import { startWeb } from '~/server/web';
import { cast } from '../support/cast';
import { pagesBuild } from '../support/pages-build';
import { pgbouncer } from '../support/pgbouncer';
import { sendRaw } from '../support/raw-http';
import { toolPath } from '../support/tools';
import { type TransactionPooler, transactionPooler } from '../support/transaction-pooler';

const { url, env: staged, lucia, podcast, client } = await cast();
const program = toolPath('pgbouncer');
const POOLERS: [string, () => Promise<TransactionPooler>][] = [
  ['a pooler in transaction mode', () => transactionPooler(url)],
  ...(program ? [['PgBouncer', () => pgbouncer(program, url)] as [string, () => Promise<TransactionPooler>]] : []),
];
const TOKEN = `authorization: Token ${lucia.token}\r\n`;
const LIST = `/api/podcasts/${podcast.id}/episodes_list/`;
const HOST = 'staging-lucia.altavoz.localhost:3000';

async function openPooler(open: () => Promise<TransactionPooler>): Promise<string> {
  const pooler = await open();
  onTestFinished(() => pooler.close());
  return pooler.url;
}

/** The product behind a pooler, and its log. */
async function startProduct(settings: Record<string, string>) {
  const lines: string[] = [];
  const log = createLog(
    'warn',
    new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
  const env = parseEnv({ DATA_DIR: staged.dataDir, ...settings });
  const opened = await openRuntime(env, log, { runsJobs: true });
  const web = await startWeb({ ...env, port: 0, host: '127.0.0.1' }, opened, {
    development: false,
    build: pagesBuild(),
  });
  onTestFinished(async () => {
    await web.close();
    await opened.close({ afterError: true });
  });
  const get = (path: string, host = 'altavoz.localhost:3000') =>
    sendRaw(web.port, [`GET ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: token=${lucia.token}\r\n${TOKEN}\r\n`]);
  return { ...opened, lines, get };
}

/** Whether a REST list misses an unannounced change. */
async function isKept(get: (path: string) => Promise<{ body: string }>): Promise<boolean> {
  const before = await get(LIST);
  await client`update episodes set season = coalesce(season, 0) + 1 where product_id = ${podcast.id}`;
  return (await get(LIST)).body === before.body;
}

const deafness = (lines: string[]) => lines.filter((line) => line.includes('DATABASE_DIRECT_URL'));

test.each(POOLERS)('the product works through %s, and LISTEN through the direct address', async (_, open) => {
  const pooled = await openPooler(open);
  const { runtime, lines, get } = await startProduct({
    DATABASE_URL: pooled,
    DATABASE_DIRECT_URL: url,
    DATABASE_PREPARE: '0',
  });

  const answers = await Promise.all(Array.from({ length: 20 }, () => get('/trpc/accounts.me')));
  const sums = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      runtime.db.transaction(async (tx) => {
        await tx.execute(sql`select ${i}::int`);
        return tx.execute<{ sum: number }>(sql`select ${i}::int + 1 as sum`);
      }),
    ),
  );
  await sleep(3200);

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(sums.map(([row]) => row!.sum)).toEqual(sums.map((_, i) => i + 1));
  expect((await get('/readyz')).status).toBe(200);
  expect((await get(`/p/${podcast.slug}/feed.xml`, HOST)).status).toBe(200);
  expect(await isKept(get)).toBe(true);
  const before = await get(LIST);
  await client`update episodes set season = season + 1 where product_id = ${podcast.id}`;
  await client`select pg_notify('changed', ${`product:${podcast.id}`})`;
  await expect.poll(async () => (await get(LIST)).body, { interval: 10, timeout: 500 }).not.toBe(before.body);
  expect(lines).toEqual([]);
});

test.each(POOLERS)('with the address of %s alone, one line says that LISTEN needs another', async (_, open) => {
  const pooled = await openPooler(open);

  const { lines, get } = await startProduct({ DATABASE_URL: pooled, DATABASE_PREPARE: '0' });
  await expect.poll(() => deafness(lines)).toHaveLength(1);

  expect((await get('/trpc/accounts.me')).status).toBe(200);
  expect(await isKept(get)).toBe(false);
  expect(lines).toHaveLength(1);
});

test.each(POOLERS)('%s loses prepared statements, which are off with DATABASE_PREPARE=0', async (_, open) => {
  const pooled = await openPooler(open);
  const failuresOf = async (prepare: boolean) => {
    const [ours, other] = [openPool(pooled, { max: 1, prepare }), openPool(pooled, { max: 1, prepare: false })];
    const ask = () => ours.client.begin((tx) => tx`select ${'x'}::text as answer`);
    let failures = 0;
    for (let i = 0; i < 4; i += 1) {
      await ask().catch(() => (failures += 1));
      // occupies the most recently used server connection
      await other.client.begin(async (tx) => {
        await tx`select 1`;
        await ask().catch(() => (failures += 1));
      });
    }
    await Promise.all([ours.close(), other.close()]);
    return failures;
  };

  expect(await failuresOf(false)).toBe(0);
  expect(await failuresOf(true)).toBeGreaterThan(0);
});

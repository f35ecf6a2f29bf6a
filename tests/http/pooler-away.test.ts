import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { products } from '~/db/schema/products';
import { parseEnv } from '~/server/env/read';
import { openRuntime } from '~/server/runtime/open-runtime';
import { createLog } from '~/server/watching/log';
import { startWeb } from '~/server/web';
import { cast } from '../support/cast';
import { databaseProxy } from '../support/database-proxy';
import { pagesBuild } from '../support/pages-build';
import { sendRaw } from '../support/raw-http';

const staged = await cast();
const { podcast, episodes, client, runtime } = staged;
const [pooler, direct] = await Promise.all([databaseProxy(staged.url), databaseProxy(staged.url)]);
const settings = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: direct.url, DATABASE_PREPARE: '0' };
const env = parseEnv({ ...settings, DATA_DIR: staged.env.dataDir, SMTP_URL: 'smtp://127.0.0.1:9' });
const opened = await openRuntime(env, createLog('silent'), { runsJobs: false });
const web = await startWeb({ ...env, port: 0, host: '127.0.0.1' }, opened, { development: false, build: pagesBuild() });
afterEach(async () => {
  await Promise.all([pooler.restore(), direct.restore()]);
});
afterAll(async () => {
  await web.close();
  await opened.close();
  await Promise.all([pooler.close(), direct.close()]);
});

const HOST = 'staging-lucia.altavoz.localhost:3000';
const PAGE = `/p/${podcast.slug}`;
const CACHED = [PAGE, `${PAGE}/feed.xml`, `/audio/${episodes.podcast.public.id}/a.mp3`];

const get = (path: string) => {
  const host = path.startsWith('/p/') ? HOST : 'altavoz.localhost:3000';
  return sendRaw(web.port, [`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`]);
};
const statuses = async () => (await Promise.all(CACHED.map(get))).map(({ status }) => status);

async function hasListener(): Promise<boolean> {
  const found = await client`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'altavoz-changes' and query ilike 'listen%' limit 1`;
  return found.length > 0;
}

const isWhole = async () =>
  (await get('/readyz')).status === 200 && /^database_listening 1$/m.test((await get('/metrics')).body);

beforeEach(() => expect.poll(isWhole).toBe(true));

test('while only the pooler is away, cached pages, feeds and audio stay', async () => {
  expect(await statuses()).toEqual([200, 200, 200]);

  await pooler.refuse();
  await expect.poll(async () => (await get('/readyz')).status).toBe(503);

  expect(await statuses()).toEqual([200, 200, 200]);
});

test('when the database is back before its pooler, caches serve until the pooler answers, and then changes appear', async () => {
  expect(await statuses()).toEqual([200, 200, 200]);
  await Promise.all([pooler.refuse(), direct.refuse()]);
  await expect.poll(hasListener).toBe(false);
  await runtime.db.update(products).set({ name: 'Changed meanwhile' }).where(eq(products.id, podcast.id));

  await direct.restore();
  await expect.poll(hasListener).toBe(true);
  const between = await statuses();
  await pooler.restore();

  expect(between).toEqual([200, 200, 200]);
  await expect.poll(async () => (await get(PAGE)).body).toContain('Changed meanwhile');
});

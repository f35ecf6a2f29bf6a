import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { startWorkerPort } from '~/server/runtime/worker-port';
import { cast } from '../support/cast';

const { runtime, env } = await cast();
const port = await startWorkerPort({ ...env, host: '127.0.0.1' }, runtime, 0);
afterAll(() => port.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port.port}${path}`, { headers });
const metrics = async () => (await get('/metrics')).text();

test('a worker says that it lives and is ready, and nothing else', async () => {
  expect(await (await get('/healthz')).json()).toEqual({ ok: true });
  expect((await get('/readyz')).status).toBe(200);
  for (const path of ['/', '/api/categories/', '/trpc/accounts.me', '/admin', '/webhooks/stripe'])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
});

test('its metrics are for this machine, count its requests, and see jobs that wait', async () => {
  expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(403);
  await runtime.db.execute(sql`
    insert into pgboss.job (name, created_on, start_after)
    select name, now() - interval '5 minutes', now() - interval '5 minutes' from pgboss.queue where name = 'episodes.go-live'`);

  const text = await metrics();

  expect(text).toMatch(/^http_requests_total\{.*\/healthz.*\} [1-9]/m);
  expect(Number(/^job_oldest_waiting_seconds\{name="episodes.go-live"\} (\S+)/m.exec(text)?.[1])).toBeGreaterThan(290);
});

test('from the signal on it says that it leaves, while it still answers', async () => {
  await port.announceStop();

  const answer = await get('/readyz');

  expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ ok: false, leaving: true })]);
  expect((await get('/healthz')).status).toBe(200);
});

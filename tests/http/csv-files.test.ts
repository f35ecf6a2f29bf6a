import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { eq, sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { createListener } from '~/server/http/listener';
import { BUYER_LIMITS } from '~/server/limits/buyers';
import { ObservedResponse } from '~/server/watching/observed-response';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, lucia, paidPodcast } = await cast();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const responses: ObservedResponse[] = [];
const answer = getRequestListener((request, bindings) => app.fetch(request, bindings as never), {
  overrideGlobalObjects: false,
});
const listener = createListener([], (req, res) => void answer(req, res), { log: runtime.log });
const server = http.createServer({ ServerResponse: ObservedResponse }, (req, res) => {
  responses.push(res);
  listener(req, res);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => void server.close());

const { host } = new URL(env.urls.appUrl);

type Answer = { headers: http.IncomingHttpHeaders; status: number; bytes: number };

/** fetch can't set a host. @throws if the body ends before its end */
function download(encoding: string): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  const path = `/podcasts/${paidPodcast.id}/subscribers.csv`;
  const headers = { host, cookie: `token=${lucia.token}`, 'accept-encoding': encoding };
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path, headers, agent: false }, async (response) => {
      let bytes = 0;
      try {
        for await (const chunk of response) bytes += (chunk as Buffer).length;
        resolve({ headers: response.headers, status: response.statusCode ?? 0, bytes });
      } catch (error) {
        reject(error);
      }
    });
    request.on('error', reject);
  });
}

const at = runtime.now().toISOString();
await db.execute(sql`
  with people as (
    insert into users (email, name, password_hash, language, currency, terms_accepted_at)
    select gen_random_uuid() || '@mail.example', 'N', 'none', 'en', 'eur', now()
    from generate_series(1, ${2 * BUYER_LIMITS.exported}) n returning id)
  insert into grants (user_id, product_id, source, starts_at, drips_from)
  select id, ${paidPodcast.id}, 'subscription', ${at}, ${at} from people`);

test('a file is sent in parts, with gzip, too', async () => {
  const zipped = await download('gzip');
  const plain = await download('identity');

  expect(zipped).toMatchObject({
    status: 200,
    headers: { 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' },
  });
  expect(plain.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
  expect(plain.bytes).toBeGreaterThan(2 * BUYER_LIMITS.exported * 60);
});

test.each(['identity', 'gzip'])('a file of which a part fails breaks off, with %s', async (encoding) => {
  const [last] = await db.execute<{ id: number }>(sql`select max(user_id)::int as id from holders`);
  // a date that no file can show
  await db.update(grants).set({ startsAt: sql`'infinity'` }).where(eq(grants.userId, last!.id));

  await expect(download(encoding)).rejects.toThrow('aborted');

  expect(responses.at(-1)).toMatchObject({ statusCode: 200, hasFailed: true });
});

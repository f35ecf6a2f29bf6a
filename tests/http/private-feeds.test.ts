import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { grantAccess } from '~/server/domain/access/grant-access';
import { privateFeedsDoor } from '~/server/doors/feeds/private-feeds';
import { PRIVATE_FEED_LIMITS } from '~/server/limits/feeds';
import { transact } from '~/server/runtime/ctx';
import { cast } from '../support/cast';

const { runtime, visitorCtx, tom, paidPodcast } = await cast();
const { db } = runtime;
const door = privateFeedsDoor(runtime);
const server = http.createServer((req, res) => void door(req, res));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());

const addressOf = (url: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(url).pathname}`;

test('a feed that could not be read once is read again with the next request', async () => {
  const { id: productId } = paidPodcast;
  await transact(visitorCtx(), (tx) => grantAccess(tx, { userId: tom.id, productId, source: 'subscription' }));
  const [link] = await tom.api.feeds.privateLinks({ productId });
  const statusNow = async () => (await fetch(addressOf(link!.url))).status;

  await db.execute(sql`alter table episodes rename to episodes_away`);
  const away = await statusNow();
  await db.execute(sql`alter table episodes_away rename to episodes`);

  expect([away, await statusNow()]).toEqual([500, 200]);
});

test('the ETag of a feed says nothing about its listener', async () => {
  const { id: productId } = paidPodcast;
  await transact(visitorCtx(), (tx) => grantAccess(tx, { userId: tom.id, productId, source: 'gift' }));
  const [link] = await tom.api.feeds.privateLinks({ productId });

  const { headers } = await fetch(addressOf(link!.url));

  const [, version = ''] = /^"([\w+/]{22})"$/.exec(headers.get('etag') ?? '') ?? [];
  expect(version).not.toBe('');
  expect(Buffer.from(version, 'base64').toString()).not.toContain('Tom');
});

test('a feed that many listeners get stays the same, however it is compressed', async () => {
  const { id: productId } = paidPodcast;
  await transact(visitorCtx(), (tx) => grantAccess(tx, { userId: tom.id, productId, source: 'gift' }));
  const [link] = await tom.api.feeds.privateLinks({ productId });
  const read = async (encoding: string) => {
    const response = await fetch(addressOf(link!.url), { headers: { 'accept-encoding': encoding } });
    return { bytes: response.headers.get('content-length'), xml: await response.text() };
  };
  const { xml } = await read('identity');

  const sizes = new Set<string | null>();
  for (let count = 0; count <= PRIVATE_FEED_LIMITS.compressedAfter; count++) {
    const gzip = await read('gzip');
    sizes.add(gzip.bytes);
    expect(gzip.xml).toBe(xml);
  }

  // as a whole, and from parts
  expect(sizes.size).toBe(2);
});

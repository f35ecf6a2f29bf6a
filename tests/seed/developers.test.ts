import { ne } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { webhookDeliveries } from '~/db/schema/webhooks';
import { listConnections } from '~/server/domain/apps/list-connections';
import { listCalls } from '~/server/domain/developers/list-calls';
import { listKeys } from '~/server/domain/developers/list-keys';
import { listDeliveries } from '~/server/domain/webhooks/deliveries';
import { listEndpoints } from '~/server/domain/webhooks/endpoints';
import { actAs } from '~/server/seed/acting';
import { claimPage, ensureProduct, register } from '~/server/seed/actions';
import { seedDevelopers } from '~/server/seed/developers';
import { ensureEpisode } from '~/server/seed/episodes';
import { synthesizeTune } from '~/server/seed/tunes';
import { seedWebhooks } from '~/server/seed/webhooks';
import { cast } from '../support/cast';
import { demoCast } from '../support/demo-cast';

const { runtime } = await cast({ empty: true });
const PEOPLE = demoCast('lucia');
const [person] = PEOPLE;
const product = person!.products[0]!;
await register(await actAs(runtime, person!), person!);
await claimPage(await actAs(runtime, person!), person!.creator!);
const owner = await actAs(runtime, person!);
const productId = await ensureProduct(owner, product);
for (const episode of product.episodes)
  await ensureEpisode(owner, { product, productId, episode, compose: synthesizeTune });

test('each page for developers shows something; repeating it changes nothing', async () => {
  for (const _ of [1, 2]) await seedDevelopers(runtime, PEOPLE);

  const keys = await listKeys(owner);
  const apps = await listConnections(owner);
  const calls = await listCalls(owner, { page: 1 });
  expect(keys.map(({ state, expiresAt, lastUsedAt }) => [state, expiresAt !== null, lastUsedAt !== null])).toEqual([
    ['active', true, false],
    ['active', false, true],
  ]);
  expect(apps).toMatchObject([{ name: 'Cuaderno de guiones', audience: 'v1', lastUsedAt: expect.any(Date) }]);
  expect(calls.total).toBe(60);
  expect(new Set(calls.items.map(({ status }) => status))).toEqual(new Set([200, 403, 404]));
});

test('the address of the demo has a log and is never called', async () => {
  for (const _ of [1, 2]) await seedWebhooks(runtime, PEOPLE);

  const [endpoint, ...others] = await listEndpoints(owner);
  const log = await listDeliveries(owner, { endpointId: endpoint!.id, page: 1 });
  expect(others).toEqual([]);
  expect(endpoint).toMatchObject({ disabledFor: 'owner', waiting: 0 });
  expect(log.items.map(({ type, state, attempts }) => [type, state, attempts.length])).toEqual([
    ['subscription.started', 'delivered', 1],
    ['episode.published', 'delivered', 2],
    ['episode.published', 'failed', 10],
    ['downloads.milestone', 'delivered', 1],
  ]);
  expect(await runtime.db.$count(webhookDeliveries, ne(webhookDeliveries.endpointId, endpoint!.id))).toBe(0);
});

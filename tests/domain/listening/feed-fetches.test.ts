import { expect, test } from 'vitest';
import type { FeedFetch } from '~/db/values/listening';
import { createVault } from '~/server/auth/vault';
import { feedAccess } from '~/server/domain/feeds/feed-access';
import type { Delivery } from '~/server/domain/listening/downloads';
import { recordFeedFetch } from '~/server/domain/listening/feed-fetches';

const vault = createVault('a secret of the installation');
const episode = { id: 5, creatorId: 1, productId: 2, bytes: 1_921_000, headBytes: 1000, durationMs: 120_000 };
const PHONE = { address: '203.0.113.9', userAgent: 'AntennaPod/3.4.0' };
const MINUTE = 961_000;

async function recorded(over: Partial<Delivery> = {}, { linkId = 3, access = '' } = {}) {
  const found: FeedFetch[] = [];
  const fetches = { record: async (item: FeedFetch) => void found.push(item) };
  const whole = { from: 0, to: episode.bytes };
  const delivery: Delivery = {
    episode,
    method: 'GET',
    status: 206,
    requested: null,
    delivered: whole,
    client: PHONE,
    source: 'private_feed',
    ...over,
  };
  const ctx = { recorders: { fetches } as never, vault, now: () => new Date(0) };
  await recordFeedFetch(ctx, delivery, access || feedAccess(ctx, { linkId, episodeId: episode.id }));
  return found;
}

test.each([
  ['the whole file', { from: 0, to: episode.bytes }, 1],
  ['a minute from the beginning', { from: 0, to: MINUTE }, 1],
  ['a minute after the head', { from: 1000, to: MINUTE }, 1],
  ['a byte less than a minute', { from: 0, to: MINUTE - 1 }, 0],
  ['a phone that continues in another network', { from: 1001, to: episode.bytes }, 0],
])('%s', async (_, delivered, count) => {
  expect(await recorded({ delivered })).toHaveLength(count);
});

test('the same network has another name for each link, and only signed addresses count', async () => {
  const [one] = await recorded();
  const [neighbour] = await recorded({ client: { ...PHONE, address: '203.0.113.200' } });
  const [other] = await recorded({}, { linkId: 4 });

  expect(one).toEqual({ linkId: 3, episodeId: 5, network: expect.any(String), app: 'antennapod', at: new Date(0) });
  expect(neighbour!.network).toBe(one!.network);
  expect(other!.network).not.toBe(one!.network);
  expect(await recorded({}, { access: `3-${'A'.repeat(43)}` })).toEqual([]);
});

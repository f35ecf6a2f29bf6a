import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { feedLinks } from '~/db/schema/feeds';
import { oldFeedAddresses } from '~/db/schema/moving';
import {
  exportOldFeeds,
  findByOldFeed,
  hashOldFeed,
  sealOldFeed,
} from '~/server/domain/moving/subscriber-imports/old-addresses';
import { oldFeedsDoor } from '~/server/doors/feeds/old-feeds';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';

const { runtime, lucia, tom, paidPodcast, ctxOf, clock } = await cast();
const ctx = systemCtx(runtime, 'old feeds');
const OLD = 'https://feeds.old.example/private/show.rss?token=abc';
await runtime.db.insert(oldFeedAddresses).values({
  ...{ hash: hashOldFeed(OLD)!, sealedUrl: sealOldFeed(ctx, OLD), createdAt: runtime.now() },
  ...{ creatorId: lucia.creatorId, productId: paidPodcast.id, userId: tom.id },
});
const rules = { ...runtime.urls.settings, allowsUnprefixedHosts: true, trustProxy: false };
const door = oldFeedsDoor(runtime, rules);
async function get(host: string, url: string, method = 'GET') {
  const sent: { status?: number; location?: string } = {};
  const res = {
    writeHead(status: number, headers: Record<string, string>) {
      Object.assign(sent, { status, location: headers.location });
      return res;
    },
    end: () => res,
  };
  const handled = await door({ method, headers: { host }, url } as never, res as never);
  return handled ? sent : null;
}
const APP = new URL(runtime.urls.app('/')).host;

test('the old address leads to the listener’s feed here, through the former host and at its own domain', async () => {
  const through = await get(APP, '/old-feeds/feeds.old.example/private/show.rss?token=abc');
  const atDomain = await get('feeds.old.example', '/private/show.rss?token=abc', 'HEAD');

  expect(through).toMatchObject({ status: 301, location: expect.stringContaining('/feed/private/') });
  expect(atDomain).toEqual(through);
});

test.each([
  ['another token', '/old-feeds/feeds.old.example/private/show.rss?token=abd'],
  ['no token', '/old-feeds/feeds.old.example/private/show.rss'],
  ['another host', '/old-feeds/feeds.other.example/private/show.rss?token=abc'],
  ['nothing', '/old-feeds/'],
  ['a broken address', '/old-feeds/%%%'],
  ['a long address', `/old-feeds/${'a'.repeat(3000)}`],
])('%s leads nowhere', async (_, url) => {
  expect(await get(APP, url)).toMatchObject({ status: 404 });
});

test('foreign hosts stay refused, and other pages of ours are not touched', async () => {
  expect(await get('feeds.old.example', '/')).toBeNull();
  expect(await get(APP, '/discover')).toBeNull();
  expect(await get(APP, '/old-feeds/feeds.old.example/private/show.rss?token=abc', 'POST')).toBeNull();
});

test('the list for the former host has the old addresses, and none of a feed here', async () => {
  const [row] = await exportOldFeeds(ctxOf(lucia), { id: paidPodcast.id, kind: 'podcast' });

  expect(row).toMatchObject({
    from: OLD,
    to: runtime.urls.app('/old-feeds/feeds.old.example/private/show.rss?token=abc'),
  });
  expect(row!.usedAt).not.toBeNull();
  const stored = JSON.stringify(await runtime.db.select().from(oldFeedAddresses).orderBy(oldFeedAddresses.hash));
  expect(stored).not.toContain('token=abc');
});

test('an address that the listener has replaced since leads nowhere any more', async () => {
  clock.now = new Date(clock.now.getTime() + 1000);
  await runtime.db.update(feedLinks).set({ replacedAt: clock.now }).where(eq(feedLinks.userId, tom.id));

  expect(await findByOldFeed(ctx, OLD)).toBe('gone');
  expect(await get(APP, '/old-feeds/feeds.old.example/private/show.rss?token=abc')).toMatchObject({ status: 410 });
});

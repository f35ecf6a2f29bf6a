import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { feedFetches, feedLinks, sharedFeeds } from '~/db/schema/feeds';
import { oldFeedAddresses } from '~/db/schema/moving';
import { outbox } from '~/db/schema/notifications';
import { grantAccess } from '~/server/domain/access/grant-access';
import { insertFetches } from '~/server/domain/feeds/fetches';
import { dealWithSharedFeed } from '~/server/domain/feeds/shared-feeds';
import { findByOldFeed, hashOldFeed, sealOldFeed } from '~/server/domain/moving/subscriber-imports/old-addresses';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

const { runtime, make, lucia, paidPodcast, episodes, clock, pauseAt } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
Object.assign(runtime.settings, { sharedFeeds: 'notify' });

const { id: productId } = paidPodcast;

/** A listener with addresses of a show's private feed. */
async function listener() {
  const { id: userId, api } = await make.person();
  await transact(ctx, (tx) => grantAccess(tx, { userId, productId, source: 'subscription' }));
  await api.feeds.privateLinks({ productId });
  return { userId, api };
}

test('a listener who has replaced a shared link before its job runs gets no email about it', async () => {
  const { userId, api } = await listener();
  const own = and(eq(feedLinks.userId, userId), eq(feedLinks.app, 'overcast'));
  const [link] = await db.select().from(feedLinks).where(own);
  const found = { foundAt: clock.now, lastFoundAt: clock.now, networks: 9, apps: 9 };
  await db.insert(sharedFeeds).values({ linkId: link!.id, ...found });
  await api.feeds.replaceLink({ productId, app: 'overcast' });

  await dealWithSharedFeed(ctx, { linkId: link!.id });

  expect(await db.$count(outbox, and(eq(outbox.userId, userId), eq(outbox.topic, 'feed_shared')))).toBe(0);
});

test('an address at a former host does not tell the address that replaces its own meanwhile', async () => {
  const { userId, api } = await listener();
  const old = 'https://feeds.old.example/private/show.rss?token=abc';
  const owner = { creatorId: lucia.creatorId, productId, userId };
  const stored = { hash: hashOldFeed(old)!, sealedUrl: sealOldFeed(ctx, old), createdAt: clock.now };
  await db.insert(oldFeedAddresses).values({ ...owner, ...stored });
  const pause = pauseAt('old-feed.read');
  const asked = findByOldFeed(ctx, old);
  await pause.reachedBy(asked);
  await api.feeds.replaceLink({ productId, app: 'other' });

  pause.goOn();

  expect(await asked).toBe('gone');
});

test('fetches with a link are not counted once the link is replaced', async () => {
  const { userId, api } = await listener();
  const own = and(eq(feedLinks.userId, userId), eq(feedLinks.app, 'overcast'));
  const [link] = await db.select().from(feedLinks).where(own);
  const { id: episodeId } = Object.values(episodes.paidPodcast)[0]!;
  const fetched = { linkId: link!.id, episodeId, network: '203.0.113.0/24', app: 'overcast', at: clock.now };
  await api.feeds.replaceLink({ productId, app: 'overcast' });

  await insertFetches(db, [fetched]);

  expect(await db.$count(feedFetches, eq(feedFetches.linkId, link!.id))).toBe(0);
});

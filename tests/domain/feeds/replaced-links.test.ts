import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { feedLinks, sharedFeeds } from '~/db/schema/feeds';
import { outbox } from '~/db/schema/notifications';
import { transact } from '~/server/ctx';
import { grantAccess } from '~/server/domain/access/granting';
import { dealWithSharedFeed } from '~/server/domain/feeds/sharing';
import { systemCtx } from '~/server/runtime';
import { cast } from '../../support/cast';

const { runtime, make, paidPodcast, clock } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
Object.assign(runtime.settings, { sharedFeeds: 'notify' });

test('a listener who has replaced a shared link before its job runs gets no email about it', async () => {
  const { id: userId, api } = await make.person();
  const { id: productId } = paidPodcast;
  await transact(ctx, (tx) => grantAccess(tx, { userId, productId, source: 'subscription' }));
  await api.feeds.privateLinks({ productId });
  const own = and(eq(feedLinks.userId, userId), eq(feedLinks.app, 'overcast'));
  const [link] = await db.select().from(feedLinks).where(own);
  const found = { foundAt: clock.now, lastFoundAt: clock.now, networks: 9, apps: 9 };
  await db.insert(sharedFeeds).values({ linkId: link!.id, ...found });
  await api.feeds.replaceLink({ productId, app: 'overcast' });

  await dealWithSharedFeed(ctx, { linkId: link!.id });

  expect(await db.$count(outbox, and(eq(outbox.userId, userId), eq(outbox.topic, 'feed_shared')))).toBe(0);
});

import { eq, lt } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { feedPings } from '~/db/schema/feeds';
import { products } from '~/db/schema/products';
import { AppError } from '../../base/errors';
import { isProductPublic } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';

/**
 * Tells the WebSub hub that a public feed has changed, so that apps learn of new episodes at once. If there are several
 * changes, the first job announces all of them. A hub that is down is pinged again, unless it refuses.
 */
export async function announceFeed(ctx: Ctx, { productId }: { productId: number }): Promise<void> {
  const hub = ctx.settings.webSubHub;
  const feed = await lookupFeed(ctx, productId);
  if (hub === null || !feed || feed.version <= (feed.pinged ?? 0)) return;
  const form = { 'hub.mode': 'publish', 'hub.url': feed.url };
  await unlessRefused(ctx, 'WebSub', () => ctx.ports.fetcher.post({ url: hub, form }));
  const pinged = { version: feed.version, pingedAt: ctx.now() };
  await ctx.db
    .insert(feedPings)
    .values({ productId, ...pinged })
    .onConflictDoUpdate({ target: feedPings.productId, set: pinged, setWhere: lt(feedPings.version, feed.version) });
}

/** The same for Podping, by its gateway: apps and indexes watch its messages instead of polling feeds. */
export async function podpingFeed(ctx: Ctx, { productId }: { productId: number }): Promise<void> {
  const { podping } = ctx.ports;
  const feed = await lookupFeed(ctx, productId);
  if (podping === null || !feed || feed.version <= (feed.podpinged ?? 0)) return;
  await unlessRefused(ctx, 'Podping', () => podping.announce(feed.url));
  const pinged = { podpingVersion: feed.version, pingedAt: ctx.now() };
  await ctx.db
    .insert(feedPings)
    .values({ productId, ...pinged })
    .onConflictDoUpdate({
      target: feedPings.productId,
      set: pinged,
      setWhere: lt(feedPings.podpingVersion, feed.version),
    });
}

async function unlessRefused(ctx: Ctx, by: string, announce: () => Promise<void>): Promise<void> {
  await announce().catch((error) => {
    if (!isRefused(error)) throw error;
    ctx.log.warn({ err: error, by }, 'a feed was not announced');
  });
}

/** Whether a retry would not help. */
const isRefused = (error: unknown) =>
  error instanceof AppError && error.kind !== 'upstream' && error.kind !== 'too_many';

async function lookupFeed({ db, urls }: Ctx, productId: number) {
  const [found] = await db
    .select({
      product: products,
      domain: creators.domain,
      pinged: feedPings.version,
      podpinged: feedPings.podpingVersion,
    })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .leftJoin(feedPings, eq(feedPings.productId, products.id))
    .where(eq(products.id, productId));
  if (!found || !isProductPublic(found.product)) return null;
  const { product, domain, pinged, podpinged } = found;
  return { version: product.version, url: urls.feed(domain, product.slug), pinged, podpinged };
}

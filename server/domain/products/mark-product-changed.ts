import { eq, sql } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { FEED_LIMITS } from '../../limits/feeds';
import { pingHub, podpingFeed } from '../../queue/jobs/feeds';
import { announceChange, type TxCtx } from '../../runtime/ctx';

/**
 * Raises a product's version and the time of its last change: at the commit, its cached pages and feeds become stale,
 * here and in podcast apps (the feed's Last-Modified).
 */
export async function markProductChanged(tx: TxCtx, productId: number): Promise<void> {
  await tx.db
    .update(products)
    .set({ version: sql`${products.version} + 1`, changedAt: tx.now() })
    .where(eq(products.id, productId));
  await announceChange(tx, `product:${productId}`);
  // changes come in groups: the first of their jobs announces all of them
  const at = new Date(tx.now().getTime() + FEED_LIMITS.pingDelay);
  if (tx.settings.webSubHub !== null) await tx.jobs.enqueue(pingHub, { productId }, { at });
  if (tx.ports.podping !== null) await tx.jobs.enqueue(podpingFeed, { productId }, { at });
}

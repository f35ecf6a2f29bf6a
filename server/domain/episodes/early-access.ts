import { and, eq, isNotNull } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { DAYS, later } from '../../base/time';
import { openEpisode } from '../../queue/jobs/episodes';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { markProductChanged } from '../products/mark-product-changed';
import type { EpisodeRow } from './queries';

type Published = Pick<EpisodeRow, 'id' | 'productId' | 'type' | 'releaseAt'>;

/**
 * A public episode that is published for the first time is first for the subscribers of its show, if its creator has
 * chosen early access. The days count from its release, so imported or late episodes may be open to all listeners at
 * once.
 */
export async function startEarlyAccess(tx: TxCtx, { id, productId, type, releaseAt }: Published): Promise<void> {
  if (type !== 'public' || releaseAt === null) return;
  const [show] = await tx.db
    .select({ days: products.earlyAccessDays })
    .from(products)
    .where(and(eq(products.id, productId), isNotNull(products.priceMinor)));
  const earlyUntil = later(releaseAt, DAYS(show?.days ?? 0));
  if (earlyUntil <= tx.now()) return;
  await tx.db.update(episodes).set({ earlyUntil }).where(eq(episodes.id, id));
  await tx.jobs.enqueue(openEpisode, { episodeId: id }, { at: earlyUntil });
}

/** Opens an episode to all listeners once its early access has ended. Repeating it is harmless. */
export async function openToAll(ctx: Ctx, { episodeId }: { episodeId: number }): Promise<void> {
  await transact(ctx, async (tx) => {
    const [row] = await tx.db
      .select({ productId: episodes.productId, earlyUntil: episodes.earlyUntil })
      .from(episodes)
      .where(eq(episodes.id, episodeId))
      .for('update');
    if (!row?.earlyUntil || row.earlyUntil > tx.now()) return;
    await tx.db.update(episodes).set({ earlyUntil: null }).where(eq(episodes.id, episodeId));
    await markProductChanged(tx, row.productId);
  });
}

import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import type { TakeDown } from '~/db/values/take-downs';
import type { TxCtx } from '../../runtime/ctx';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import { markProductChanged } from '../products/mark-product-changed';
import type { EpisodeRow } from './queries';

/**
 * Withholds an episode from everyone but its team, even a deleted episode that can be restored. It keeps its status and
 * its place. Of two concurrent calls, one finds nothing to do. @returns the episode, if this call has taken it down
 */
export async function takeDownEpisode(tx: TxCtx, id: number, takeDown: TakeDown): Promise<EpisodeRow | null> {
  const [done] = await tx.db
    .update(episodes)
    .set({ takenDownAt: tx.now(), takeDown, updatedAt: tx.now() })
    .where(and(eq(episodes.id, id), isNull(episodes.takenDownAt)))
    .returning();
  return markChanged(tx, done);
}

/** @returns the episode, if this call has restored it */
export async function restoreTakenDown(tx: TxCtx, id: number): Promise<EpisodeRow | null> {
  const [done] = await tx.db
    .update(episodes)
    .set({ takenDownAt: null, takeDown: null, updatedAt: tx.now() })
    .where(and(eq(episodes.id, id), isNotNull(episodes.takenDownAt)))
    .returning();
  return markChanged(tx, done);
}

async function markChanged(tx: TxCtx, changed: EpisodeRow | undefined): Promise<EpisodeRow | null> {
  if (!changed) return null;
  await markProductChanged(tx, changed.productId);
  await markCreatorChanged(tx, changed.creatorId);
  return changed;
}

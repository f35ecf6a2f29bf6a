import { eq, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { announceChange, type TxCtx } from '../../runtime/ctx';

/** Raises a creator's version: at the commit, all cached pages of that creator become stale. */
export async function markCreatorChanged(tx: TxCtx, creatorId: number): Promise<void> {
  await tx.db
    .update(creators)
    .set({ version: sql`${creators.version} + 1` })
    .where(eq(creators.id, creatorId));
  await announceChange(tx, `creator:${creatorId}`);
}

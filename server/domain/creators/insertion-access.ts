import { and, eq, ne } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import type { TxCtx } from '../../runtime/ctx';

/** Opens audio insertions for a creator on any plan, or closes them. @returns whether anything changed */
export async function setInsertionAccess(tx: TxCtx, id: number, isOpen: boolean): Promise<boolean> {
  const changed = await tx.db
    .update(creators)
    .set({ insertionSpecialAccess: isOpen, updatedAt: tx.now() })
    .where(and(eq(creators.id, id), ne(creators.insertionSpecialAccess, isOpen)))
    .returning({ id: creators.id });
  return changed.length > 0;
}

import { and, eq, isNull } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import type { TxCtx } from '../../runtime/ctx';

/**
 * Switches on or off whether the creator sees when contacts who agree to it last read. Repeating it changes nothing. Who
 * switches it off also deletes what was kept (audience/tracking-consents.ts).
 */
export async function trackReaders(tx: TxCtx, creatorId: number, isOn: boolean): Promise<void> {
  const isIts = eq(creators.id, creatorId);
  await tx.db
    .update(creators)
    .set({ tracksReadersSince: isOn ? tx.now() : null })
    .where(isOn ? and(isIts, isNull(creators.tracksReadersSince)) : isIts);
}

import { and, eq, exists, gt, inArray, type SQL } from 'drizzle-orm';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import type { TxCtx } from '../../runtime/ctx';
import { dropWaiting } from './drop-waiting';
import { isStepOf } from './queries';
import { contentsOfSteps, picturesIn, releasePictures } from './release-pictures';

type Which = { creatorId: number; automationId: number; stepId?: number };

/**
 * Removes one step or all steps of an automation. A step that has sent emails is only hidden, because their links lead
 * through it and its pictures are in them. Call it with the creator locked. @returns the number of removed steps
 */
export async function removeSteps(tx: TxCtx, { creatorId, automationId, stepId }: Which): Promise<number> {
  const isRemoved = and(isStepOf(automationId), stepId === undefined ? undefined : eq(editions.id, stepId));
  const now = tx.now();
  const hidden = await tx.db
    .update(editions)
    .set({ status: 'cancelled', endedAt: now, removedAt: now, updatedAt: now })
    .where(and(isRemoved, hasSent(tx)))
    .returning({ id: editions.id });
  const ids = hidden.map(({ id }) => id);
  if (ids.length > 0) await dropWaiting(tx, ids);
  const contents = await contentsOfSteps(tx, isRemoved);
  const deleted = await tx.db.delete(editions).where(isRemoved).returning({ id: editions.id });
  await releasePictures(tx, creatorId, picturesIn(contents));
  return ids.length + deleted.length;
}

/** Also an email that is being sent. */
const hasSent = ({ db }: TxCtx): SQL =>
  exists(
    db
      .select({ id: editionRecipients.contactId })
      .from(editionRecipients)
      .where(
        and(
          eq(editionRecipients.editionId, editions.id),
          gt(editionRecipients.attempts, 0),
          inArray(editionRecipients.state, [...ATTEMPTED]),
        ),
      ),
  );

const ATTEMPTED = ['leased', 'waiting', 'sent', 'bounced', 'complained', 'failed', 'unknown'] as const;

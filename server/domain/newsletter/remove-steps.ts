import { and, eq, exists, gt, inArray, or, type SQL } from 'drizzle-orm';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import type { TxCtx } from '../../runtime/ctx';
import { dropWaiting } from './drop-waiting';
import { isStepOf } from './queries';
import { contentsOfSteps, picturesIn, releasePictures } from './release-pictures';

type Which = { creatorId: number; automationId: number; stepId?: number };

/**
 * Removes one step or all steps of an automation. A step that has sent emails is only hidden, because their links lead
 * through it and its pictures are in them. Call it with the automation and the creator locked. @returns the number of
 * removed steps
 */
export async function removeSteps(tx: TxCtx, { creatorId, automationId, stepId }: Which): Promise<number> {
  const isRemoved = and(isStepOf(automationId), stepId === undefined ? undefined : eq(editions.id, stepId));
  // in turn with workers that record what they have sent, who see afterwards that the step was removed
  const steps = await tx.db
    .select({ id: editions.id })
    .from(editions)
    .where(isRemoved)
    .orderBy(editions.id)
    .for('no key update');
  if (steps.length === 0) return 0;
  await hide(tx, and(isRemoved, hasRecipient(tx, WAS_SENT)));
  await dropWaiting(
    tx,
    steps.map(({ id }) => id),
  );
  // what still waits is locked by a worker, which may send it: waiting for that worker could end in a circle
  await hide(tx, and(isRemoved, or(hasRecipient(tx, WAS_SENT), hasRecipient(tx, IS_OPEN))));
  await tx.reach('steps.hidden');
  const contents = await contentsOfSteps(tx, isRemoved);
  await tx.db.delete(editions).where(isRemoved);
  await releasePictures(tx, creatorId, picturesIn(contents));
  return steps.length;
}

async function hide(tx: TxCtx, isHidden: SQL | undefined): Promise<void> {
  const now = tx.now();
  await tx.db
    .update(editions)
    .set({ status: 'cancelled', endedAt: now, removedAt: now, updatedAt: now })
    .where(isHidden);
}

const hasRecipient = ({ db }: TxCtx, which: SQL | undefined): SQL =>
  exists(
    db
      .select({ id: editionRecipients.contactId })
      .from(editionRecipients)
      .where(and(eq(editionRecipients.editionId, editions.id), which)),
  );

const ATTEMPTED = ['leased', 'waiting', 'sent', 'bounced', 'complained', 'failed', 'unknown'] as const;
/** Also an email that is being sent. */
const WAS_SENT = and(gt(editionRecipients.attempts, 0), inArray(editionRecipients.state, [...ATTEMPTED]));
const IS_OPEN = inArray(editionRecipients.state, ['waiting', 'leased']);

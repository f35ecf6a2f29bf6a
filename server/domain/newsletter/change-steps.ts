import { and, eq } from 'drizzle-orm';
import { editions } from '~/db/schema/newsletter';
import { AUTOMATION_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockCreator } from '../creators/queries';
import { recordActivity } from '../team/activity';
import { lockAutomation } from './change-automation';
import { editionNotFound, tooManySteps } from './errors';
import { moveWaiting } from './move-waiting';
import { isStepOf } from './queries';
import { removeSteps } from './remove-steps';
import type { DelayStep, FindAutomation, FindStep } from './schema';

/**
 * Adds an empty email, a day after the last one. It begins when the automation is switched on, or started again, for
 * people who are enrolled after that. @throws newsletter.automation_not_found, newsletter.too_many_steps
 */
export async function addStep(ctx: Ctx, { id }: FindAutomation): Promise<{ id: number }> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  return transact(ctx, async (tx) => {
    const automation = await lockAutomation(tx, { creatorId, id });
    const steps = await tx.db
      .select({ delayHours: editions.delayHours })
      .from(editions)
      .where(isStepOf(id))
      .orderBy(editions.delayHours)
      .limit(AUTOMATION_LIMITS.steps);
    if (steps.length >= AUTOMATION_LIMITS.steps) throw tooManySteps({ count: AUTOMATION_LIMITS.steps });
    const last = steps.at(-1);
    const delayHours = last ? Math.min((last.delayHours ?? 0) + 24, AUTOMATION_LIMITS.delayHours) : 0;
    const now = tx.now();
    const [row] = await tx.db
      .insert(editions)
      .values({ creatorId, automationId: id, delayHours, isInArchive: false, createdAt: now, updatedAt: now })
      .returning({ id: editions.id });
    await record(tx, automation);
    return row!;
  });
}

/**
 * Changes when an email is sent, which decides its place among the others. People who wait for it get it at the new time,
 * or now if that has passed. @throws newsletter.automation_not_found, newsletter.edition_not_found
 */
export async function delayStep(ctx: Ctx, { id, stepId, days, hours }: DelayStep): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const delayHours = days * 24 + hours;
  await transact(ctx, async (tx) => {
    const automation = await lockAutomation(tx, { creatorId, id });
    const changed = await tx.db
      .update(editions)
      .set({ delayHours, updatedAt: tx.now() })
      .where(and(isStepOf(id), eq(editions.id, stepId)))
      .returning({ id: editions.id });
    if (changed.length === 0) throw editionNotFound();
    await moveWaiting(tx, stepId);
    await record(tx, automation);
  });
}

/**
 * Deletes an email; people who wait for it don't get it. In the emails that it has sent, links and pictures work on, and
 * they stay counted in the plan's month. @throws newsletter.automation_not_found, newsletter.edition_not_found
 */
export async function removeStep(ctx: Ctx, { id, stepId }: FindStep): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const automation = await lockAutomation(tx, { creatorId, id });
    // nobody copies its pictures meanwhile
    await lockCreator(tx, creatorId);
    const removed = await removeSteps(tx, { creatorId, automationId: id, stepId });
    if (removed === 0) throw editionNotFound();
    await record(tx, automation);
  });
}

function record(tx: TxCtx, { id, creatorId, name }: { id: number; creatorId: number; name: string }): Promise<void> {
  return recordActivity(tx, { creatorId, action: 'automation.updated', subjectId: id, params: { name } });
}

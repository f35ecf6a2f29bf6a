import { and, eq, sql } from 'drizzle-orm';
import { automationEnrolments } from '~/db/schema/automations';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import { AUTOMATION_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockCreator } from '../creators/queries';
import { recordActivity } from '../team/activity';
import { lockAutomation } from './change-automation';
import { editionNotFound, tooManySteps } from './errors';
import { contentsOfSteps, picturesIn, releasePictures } from './release-pictures';
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
      .where(eq(editions.automationId, id))
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
      .where(isStepOf(id, stepId))
      .returning({ id: editions.id });
    if (changed.length === 0) throw editionNotFound();
    const now = sql`${tx.now().toISOString()}::timestamptz`;
    await tx.db.execute(sql`
      update ${editionRecipients} r
      set due_at = greatest(${now}, en.enrolled_at + make_interval(hours => ${delayHours}::int))
      from ${automationEnrolments} en
      where r.edition_id = ${stepId} and en.automation_id = ${id} and en.contact_id = r.contact_id
        and r.state = 'waiting' and r.attempts = 0`);
    await record(tx, automation);
  });
}

/**
 * Deletes an email with its counts; people who wait for it don't get it. What it has sent stays counted in the plan's
 * month. @throws newsletter.automation_not_found, newsletter.edition_not_found
 */
export async function removeStep(ctx: Ctx, { id, stepId }: FindStep): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const automation = await lockAutomation(tx, { creatorId, id });
    // nobody copies its pictures meanwhile
    await lockCreator(tx, creatorId);
    const contents = await contentsOfSteps(tx, id, eq(editions.id, stepId));
    const removed = await tx.db.delete(editions).where(isStepOf(id, stepId)).returning({ id: editions.id });
    if (removed.length === 0) throw editionNotFound();
    await releasePictures(tx, creatorId, picturesIn(contents));
    await record(tx, automation);
  });
}

const isStepOf = (automationId: number, stepId: number) =>
  and(eq(editions.automationId, automationId), eq(editions.id, stepId));

function record(tx: TxCtx, { id, creatorId, name }: { id: number; creatorId: number; name: string }): Promise<void> {
  return recordActivity(tx, { creatorId, action: 'automation.updated', subjectId: id, params: { name } });
}

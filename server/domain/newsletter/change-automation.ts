import { and, eq, exists, isNull } from 'drizzle-orm';
import { automationEnrolments, automations } from '~/db/schema/automations';
import { editions } from '~/db/schema/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockCreator } from '../creators/queries';
import { recordActivity } from '../team/activity';
import { automationNotFound } from './errors';
import { removeSteps } from './remove-steps';
import type { FindAutomation, RenameAutomation } from './schema';

export type AutomationRow = typeof automations.$inferSelect;

/** Locked until the end of the transaction, against events that enrol people. @throws newsletter.automation_not_found */
export async function lockAutomation(tx: TxCtx, key: { creatorId: number; id: number }): Promise<AutomationRow> {
  const { creatorId, id, removedAt } = automations;
  const isIts = and(eq(creatorId, key.creatorId), eq(id, key.id), isNull(removedAt));
  const [row] = await tx.db.select().from(automations).where(isIts).for('update');
  if (!row) throw automationNotFound();
  if (row.trigger !== 'sign_up') authorize(tx, 'product.readBuyers', { creatorId: row.creatorId });
  return row;
}

/** @throws newsletter.automation_not_found, common.role_not_allowed */
export async function renameAutomation(ctx: Ctx, { id, name }: RenameAutomation): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    await lockAutomation(tx, { creatorId, id });
    await tx.db.update(automations).set({ name, updatedAt: tx.now() }).where(eq(automations.id, id));
    await recordActivity(tx, { creatorId, action: 'automation.updated', subjectId: id, params: { name } });
  });
}

/**
 * Deletes an automation with its emails and who was in it. Links and pictures in emails that people have work on. What it
 * has sent stays counted in the plan's month. @throws newsletter.automation_not_found, common.role_not_allowed
 */
export async function deleteAutomation(ctx: Ctx, { id }: FindAutomation): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const { name } = await lockAutomation(tx, { creatorId, id });
    // nobody copies its pictures meanwhile
    await lockCreator(tx, creatorId);
    await removeSteps(tx, { creatorId, automationId: id });
    await tx.db.delete(automationEnrolments).where(eq(automationEnrolments.automationId, id));
    const now = tx.now();
    const hasKept = exists(tx.db.select({ id: editions.id }).from(editions).where(eq(editions.automationId, id)));
    const isIts = eq(automations.id, id);
    const hidden = { isActive: false, removedAt: now, updatedAt: now };
    const kept = await tx.db
      .update(automations)
      .set(hidden)
      .where(and(isIts, hasKept))
      .returning({ id: automations.id });
    if (kept.length === 0) await tx.db.delete(automations).where(isIts);
    await recordActivity(tx, { creatorId, action: 'automation.deleted', subjectId: id, params: { name } });
  });
}

import { and, eq } from 'drizzle-orm';
import { automations } from '~/db/schema/automations';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockCreator } from '../creators/queries';
import { recordActivity } from '../team/activity';
import { automationNotFound } from './errors';
import { contentsOfSteps, picturesIn, releasePictures } from './release-pictures';
import type { FindAutomation, RenameAutomation } from './schema';

export type AutomationRow = typeof automations.$inferSelect;

/** Locked until the end of the transaction, against events that enrol people. @throws newsletter.automation_not_found */
export async function lockAutomation(tx: TxCtx, key: { creatorId: number; id: number }): Promise<AutomationRow> {
  const isIts = and(eq(automations.creatorId, key.creatorId), eq(automations.id, key.id));
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
 * Deletes an automation with its emails, their counts and who was in it. What it has sent stays counted in the plan's
 * month. @throws newsletter.automation_not_found, common.role_not_allowed
 */
export async function deleteAutomation(ctx: Ctx, { id }: FindAutomation): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const { name } = await lockAutomation(tx, { creatorId, id });
    // nobody copies its pictures meanwhile
    await lockCreator(tx, creatorId);
    const contents = await contentsOfSteps(tx, id);
    await tx.db.delete(automations).where(eq(automations.id, id));
    await releasePictures(tx, creatorId, picturesIn(contents));
    await recordActivity(tx, { creatorId, action: 'automation.deleted', subjectId: id, params: { name } });
  });
}

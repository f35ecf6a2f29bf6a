import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { automations } from '~/db/schema/automations';
import { editions } from '~/db/schema/newsletter';
import { AUTOMATION_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { requireVerifiedEmail } from '../accounts/logins/verify-email';
import { requirePublishing } from '../creators/suspend-publishing';
import { recordActivity } from '../team/activity';
import { lockAutomation } from './change-automation';
import { dropWaiting } from './drop-waiting';
import { noSteps, stepNotReady } from './errors';
import { requireNewsletter } from './newsletter-settings';
import { whyNotReady } from './preview-edition';
import { type EditionRow, isStepOf } from './queries';
import type { SwitchAutomation } from './schema';

/**
 * Switches an automation on or off. On: events from now on enrol people, and steps that were added or stopped begin; past
 * events are not made up for. Off: nobody is enrolled, and emails that wait are dropped, so that nothing is sent when it
 * is switched on again. Emails that are being sent arrive. Repeating it changes nothing.
 * @throws newsletter.automation_not_found, newsletter.no_steps, newsletter.step_not_ready,
 * newsletter.settings_not_defined, account.email_not_verified, creator.publishing_stopped, common.role_not_allowed
 */
export async function switchAutomation(ctx: Ctx, { id, isActive }: SwitchAutomation): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  if (isActive) {
    await requireVerifiedEmail(ctx);
    await requireNewsletter(ctx, creatorId);
  }
  await transact(ctx, async (tx) => {
    const automation = await lockAutomation(tx, { creatorId, id });
    const now = tx.now();
    // nobody was enrolled while a step was stopped, and what happened then is not made up for
    const resumes = isActive ? await startSteps(tx, { creatorId, id }) : await stopSteps(tx, id);
    if (resumes) await tx.db.update(automations).set({ activeSince: now }).where(eq(automations.id, id));
    if (automation.isActive === isActive) return;
    await tx.db
      .update(automations)
      .set({ isActive, updatedAt: now, ...(isActive && { activeSince: now }) })
      .where(eq(automations.id, id));
    const action = isActive ? 'automation.switched_on' : 'automation.switched_off';
    await recordActivity(tx, { creatorId, action, subjectId: id, params: { name: automation.name } });
  });
}

/** @returns whether one of them had been stopped by bounces or complaints */
async function startSteps(tx: TxCtx, { creatorId, id }: { creatorId: number; id: number }): Promise<boolean> {
  await requirePublishing(tx, creatorId);
  const steps = await listSteps(tx, id);
  if (steps.length === 0) throw noSteps();
  await Promise.all(steps.map((step, index) => requireReady(tx, step, index + 1)));
  const waiting = steps.filter(({ status }) => status !== 'sending').map(({ id: stepId }) => stepId);
  if (waiting.length === 0) return false;
  await dropWaiting(tx, waiting);
  const now = tx.now();
  await tx.db
    .update(editions)
    .set({ status: 'sending', startedAt: sql`coalesce(${editions.startedAt}, ${now.toISOString()}::timestamptz)` })
    .where(inArray(editions.id, waiting));
  return steps.some(({ status }) => status === 'stopped');
}

const listSteps = ({ db }: TxCtx, automationId: number): Promise<EditionRow[]> =>
  db
    .select()
    .from(editions)
    .where(isStepOf(automationId))
    .orderBy(editions.delayHours, editions.id)
    .limit(AUTOMATION_LIMITS.steps);

async function requireReady(tx: TxCtx, step: EditionRow, number: number): Promise<void> {
  const { title, content } = step;
  const missing = title === '' ? 'title_required' : content === '' ? 'content_required' : null;
  const why = missing ? tx.translate(`errors:newsletter.${missing}`) : await whyNotReady(tx, step);
  if (why) throw stepNotReady({ number, why });
}

async function stopSteps(tx: TxCtx, automationId: number): Promise<false> {
  const steps = await listSteps(tx, automationId);
  const running = steps.filter(({ status }) => status !== 'draft').map(({ id }) => id);
  if (running.length === 0) return false;
  await tx.db
    .update(editions)
    .set({ status: 'draft' })
    .where(and(inArray(editions.id, running), ne(editions.status, 'draft')));
  await dropWaiting(tx, running);
  return false;
}

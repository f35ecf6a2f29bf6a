import { sql } from 'drizzle-orm';
import { automationEnrolments } from '~/db/schema/automations';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import { later } from '../../base/time';
import { AUTOMATION_LIMITS } from '../../limits/newsletter';
import { moveWaiting as moveOthers } from '../../queue/jobs/newsletter';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';

/**
 * Gives the people who wait for a step the time of its delay, or now if that has passed: those who are due first at once,
 * so that none of them gets it at the former time, and a job goes on with the others. The job also comes back for those
 * whom somebody else had locked. Repeating it changes nothing.
 */
export async function moveWaiting(tx: TxCtx, stepId: number): Promise<void> {
  const now = sql`${tx.now().toISOString()}::timestamptz`;
  const wrong = sql`
    ${editionRecipients} r join ${editions} e on e.id = r.edition_id
      join ${automationEnrolments} en on en.automation_id = e.automation_id and en.contact_id = r.contact_id
    where r.edition_id = ${stepId} and r.state = 'waiting' and r.attempts = 0
      and greatest(r.due_at, ${now}) <> greatest(en.enrolled_at + make_interval(hours => e.delay_hours), ${now})`;
  const moved = await tx.db.execute(sql`
    with wrong as (
      select r.contact_id, en.enrolled_at + make_interval(hours => e.delay_hours) as due
      from ${wrong} order by r.due_at limit ${AUTOMATION_LIMITS.moved} for update of r skip locked
    )
    update ${editionRecipients} r set due_at = greatest(wrong.due, ${now})
    from wrong where r.edition_id = ${stepId} and r.contact_id = wrong.contact_id
    returning r.contact_id`);
  if (moved.length >= AUTOMATION_LIMITS.moved) return tx.jobs.enqueue(moveOthers, { editionId: stepId });
  const [left] = await tx.db.execute<{ some: boolean }>(sql`select exists (select from ${wrong}) as some`);
  const at = later(tx.now(), AUTOMATION_LIMITS.movedAgain);
  if (left!.some) await tx.jobs.enqueue(moveOthers, { editionId: stepId }, { at });
}

/** The job, with the delay of its moment. */
export async function moveOtherWaiting(ctx: Ctx, { editionId }: { editionId: number }): Promise<void> {
  await transact(ctx, (tx) => moveWaiting(tx, editionId));
}

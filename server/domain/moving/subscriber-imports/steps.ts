import { and, eq, inArray } from 'drizzle-orm';
import { subscriberImports } from '~/db/schema/moving';
import { WORKING_STATUSES } from '~/db/values/subscriber-imports';
import type { AppError } from '../../../base/errors';
import { importSubscribers } from '../../../queue/jobs/moving';
import type { Ctx, TxCtx } from '../../../runtime/ctx';
import { lookupSellingAccount } from '../../payouts/queries';

export type ImportRow = typeof subscriberImports.$inferSelect;

/** An import with a job that works on it; null if the import waits for its creator or has ended. */
export async function lookupWorking({ db }: Pick<Ctx, 'db'>, id: number): Promise<ImportRow | null> {
  const isWorking = and(eq(subscriberImports.id, id), inArray(subscriberImports.status, WORKING_STATUSES));
  const [row] = await db.select().from(subscriberImports).where(isWorking);
  return row ?? null;
}

/**
 * Whether new subscriptions still go to the account for which the list was checked. Copied customers stay in our
 * account.
 */
export const hasAccount = async (ctx: Pick<Ctx, 'db'>, { account, creatorId }: ImportRow): Promise<boolean> =>
  account === null || (await lookupSellingAccount(ctx, creatorId)) === account;

/** Whether the same call can succeed later. */
export const isProviderAway = ({ code }: AppError): boolean =>
  code === 'payments.rate_limited' || code === 'payments.unreachable';

type Next = Partial<Pick<ImportRow, 'status' | 'lines' | 'attempts'>> & { at?: Date };

/**
 * Ends a step and enqueues the next one, in one transaction. Does nothing if another job has done this step, or if the
 * import has ended. @returns whether this call has ended the step
 */
export async function continueImport(tx: TxCtx, row: ImportRow, { at, ...changes }: Next): Promise<boolean> {
  const isCurrent = and(
    eq(subscriberImports.id, row.id),
    eq(subscriberImports.step, row.step),
    eq(subscriberImports.status, row.status),
  );
  const step = row.step + 1;
  const raised = await tx.db
    .update(subscriberImports)
    .set({ ...changes, step, updatedAt: tx.now() })
    .where(isCurrent)
    .returning({ status: subscriberImports.status });
  const [next] = raised;
  if (!next) return false;
  if (WORKING_STATUSES.includes(next.status))
    await tx.jobs.enqueue(importSubscribers, { importId: row.id, step }, at && { at });
  return true;
}

/** @returns whether this call has ended it */
export async function endImport(
  tx: TxCtx,
  { id }: Pick<ImportRow, 'id'>,
  ending: { status: 'done' } | { status: 'failed'; error: AppError },
): Promise<boolean> {
  const failure =
    ending.status === 'failed' ? { failureReason: ending.error.code, failureParams: ending.error.params } : {};
  const ended = await tx.db
    .update(subscriberImports)
    .set({ status: ending.status, ...failure, endedAt: tx.now(), updatedAt: tx.now() })
    .where(and(eq(subscriberImports.id, id), inArray(subscriberImports.status, WORKING_STATUSES)))
    .returning({ id: subscriberImports.id });
  return ended.length > 0;
}

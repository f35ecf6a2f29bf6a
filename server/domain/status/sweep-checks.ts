import { asc, inArray, lt, sql } from 'drizzle-orm';
import { statusChecks } from '~/db/schema/status';
import { earlier } from '../../base/time';
import { STATUS_LIMITS } from '../../limits/status';
import type { Ctx } from '../../runtime/ctx';

/** Deletes checks that the status page no longer shows, step by step. */
export async function sweepChecks({ db, now }: Ctx, atOnce: number = STATUS_LIMITS.swept): Promise<void> {
  const row = sql<string>`${statusChecks}.ctid`;
  const old = db
    .select({ row })
    .from(statusChecks)
    .where(lt(statusChecks.slot, earlier(now(), STATUS_LIMITS.kept)))
    .orderBy(asc(statusChecks.slot))
    .limit(atOnce);
  let deleted: unknown[];
  do deleted = await db.delete(statusChecks).where(inArray(row, old)).returning({ slot: statusChecks.slot });
  while (deleted.length === atOnce);
}

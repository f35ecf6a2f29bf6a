import { sql } from 'drizzle-orm';
import { statisticsChanges } from '~/db/schema/listening';
import type { ChangeReason } from '~/db/values/statistics';
import type { Scope } from '../../adapters/statistics/port';
import { STATISTICS_LIMITS } from '../../limits/statistics';
import type { Ctx } from '../../runtime/ctx';
import { whereScope } from './postgres-statistics';
import type { DayRange } from './rules';

/**
 * A correction of stored figures. `day`: when they were corrected; `from` to `to`: the days whose figures have changed.
 * `listens` and `downloads`: how much these have grown; negative if they have shrunk.
 */
export type Change = DayRange & { day: string; reason: ChangeReason; listens: number; downloads: number };

/**
 * The corrections that were made in a period, or that have changed its figures, latest first. Those of several shows
 * in one recount are one.
 */
export async function changesIn({ db }: Pick<Ctx, 'db'>, scope: Scope, { from, to }: DayRange): Promise<Change[]> {
  const rows = await db.execute<Change>(sql`
    select d.day::text, d.reason, d.from_day::text as from, d.to_day::text as to,
      sum(d.listens)::float8 as listens, sum(d.downloads)::float8 as downloads
    from ${statisticsChanges} d
    where ${whereScope(scope)} and (d.day between ${from} and ${to} or (d.from_day <= ${to} and d.to_day >= ${from}))
    group by d.day, d.reason, d.from_day, d.to_day
    order by d.day desc, d.from_day desc, d.reason
    limit ${STATISTICS_LIMITS.changes}`);
  return [...rows];
}

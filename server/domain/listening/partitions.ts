import { lt, sql } from 'drizzle-orm';
import { dailySalts } from '~/db/schema/listening';
import type { Ctx } from '../../ctx';
import { DOWNLOAD_LIMITS } from '../../limits/listening';
import { DAYS, earlier, utcDay } from '../../time';

/** Months of partitions to have ahead: enough for a worker that was away for weeks. */
const MONTHS_AHEAD = 3;

/**
 * Makes the event tables' partitions ahead, throws away the salts of days that are over (their listeners can't be told
 * again) and the raw events that are kept no longer; rollups stay. Safe to run at any time, any number of times.
 */
export async function maintainPartitions(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  await ctx.db.execute(sql`select make_listening_partitions(${utcDay(now)}::date, ${MONTHS_AHEAD})`);
  await ctx.db.delete(dailySalts).where(lt(dailySalts.day, utcDay(earlier(now, DAYS(1)))));
  const keptFrom = utcDay(earlier(now, DOWNLOAD_LIMITS.rawKept));
  const over = await ctx.db.execute<{ name: string }>(sql`
    select c.relname as name
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('listens'::regclass, 'downloads'::regclass)
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= ${keptFrom}::date`);
  for (const { name } of over) await ctx.db.execute(sql`drop table if exists ${sql.identifier(name)}`);
}

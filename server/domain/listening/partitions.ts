import { lt, sql } from 'drizzle-orm';
import { dailySalts, legacyPlays } from '~/db/schema/listening';
import { DAYS, earlier, utcDay } from '../../base/time';
import { DOWNLOAD_LIMITS, LISTEN_LIMITS } from '../../limits/listening';
import type { Ctx } from '../../runtime/ctx';

/** Months of partitions to create in advance: enough even if no worker runs for weeks. */
const MONTHS_AHEAD = 3;

/**
 * Creates the partitions of the coming months. Deletes plays of legacy clients that can no longer count, raw events
 * past their retention, and the salts of past days, so that their listener keys can't be linked to a person. Rollups
 * stay. Safe to repeat at any time.
 */
export async function maintainPartitions(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  await ctx.db.execute(sql`select make_listening_partitions(${utcDay(now)}::date, ${MONTHS_AHEAD})`);
  await ctx.db.delete(dailySalts).where(lt(dailySalts.day, utcDay(earlier(now, DAYS(1)))));
  await ctx.db.delete(legacyPlays).where(lt(legacyPlays.at, earlier(now, LISTEN_LIMITS.ticketValidFor)));
  const keptFrom = utcDay(earlier(now, DOWNLOAD_LIMITS.rawKept));
  const expired = await ctx.db.execute<{ name: string }>(sql`
    select partition.name
    from (
      select c.relname::text as name
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent in ('listens'::regclass, 'downloads'::regclass, 'heard_minutes'::regclass)
      -- a fence: Postgres may otherwise read the dates of other relations' names first, and fail
      offset 0
    ) partition
    where to_date(right(partition.name, 7), 'YYYY_MM') + interval '1 month' <= ${keptFrom}::date`);
  for (const { name } of expired) await ctx.db.execute(sql`drop table if exists ${sql.identifier(name)}`);
}

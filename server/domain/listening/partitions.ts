import { and, eq, lt, notExists, sql } from 'drizzle-orm';
import { dailyListeners, dailySalts, legacyPlays } from '~/db/schema/listening';
import { logKeys } from '~/db/schema/log-imports';
import { DAYS, earlier, utcDay } from '../../base/time';
import { DOWNLOAD_LIMITS, LISTEN_LIMITS, LOG_LIMITS } from '../../limits/listening';
import type { Ctx } from '../../runtime/ctx';

/** Months of partitions to create in advance: enough even if no worker runs for weeks. */
const MONTHS_AHEAD = 3;

/**
 * Creates the partitions of the coming months. Deletes plays of legacy clients that can no longer count, raw events
 * past their retention, the listeners of past days, and their salts and keys, so that listener keys can't be linked to
 * a person. Rollups stay. Safe to repeat at any time.
 */
export async function maintainPartitions(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  await ctx.db.execute(sql`select make_listening_partitions(${utcDay(now)}::date, ${MONTHS_AHEAD})`);
  await ctx.db.delete(dailySalts).where(lt(dailySalts.day, utcDay(earlier(now, DAYS(1)))));
  const isOldKey = lt(logKeys.createdAt, earlier(now, LOG_LIMITS.keys));
  await ctx.db.delete(logKeys).where(isOldKey);
  await ctx.db.delete(dailyListeners).where(
    and(
      lt(dailyListeners.day, utcDay(earlier(now, DAYS(1)))),
      // an import still counts the listeners of these days
      notExists(ctx.db.select({ day: logKeys.day }).from(logKeys).where(eq(logKeys.day, dailyListeners.day))),
    ),
  );
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

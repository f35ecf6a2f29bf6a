import { and, asc, eq, sql } from 'drizzle-orm';
import { importedPlays, importedSources } from '~/db/schema/imported-plays';
import { listeningDays } from '~/db/schema/listening';
import { csvLine } from '../../../base/csv';
import { EXPORT_LIMITS } from '../../../limits/accounts';
import type { Ctx } from '../../../runtime/ctx';
import type { DataFile } from './rows';

/** The figures of a creator's shows, and those that were imported from other hosts. */
export function* statisticsFiles(ctx: Ctx, creatorId: number): Generator<DataFile, void> {
  yield { name: 'statistics.csv', rows: () => statistics(ctx, creatorId) };
  yield { name: 'imported-statistics.csv', rows: () => importedStatistics(ctx, creatorId) };
}

/** Listens and downloads by day and show. They have no listener. */
async function* statistics({ db }: Ctx, creatorId: number): AsyncGenerator<string, void> {
  const { day, productId, listens, downloads } = listeningDays;
  yield 'day,show_id,listens,downloads\n';
  for (let after = { day: '0001-01-01', productId: 0 }; ; ) {
    const isAfter = sql`(${day}, ${productId}) > (${after.day}::date, ${after.productId}::bigint)`;
    const rows = await db
      .select({ day, productId, listens, downloads })
      .from(listeningDays)
      .where(and(eq(listeningDays.creatorId, creatorId), isAfter))
      .orderBy(asc(day), asc(productId))
      .limit(EXPORT_LIMITS.page);
    for (const row of rows) yield `${[row.day, row.productId, row.listens, row.downloads].join()}\n`;
    const last = rows.at(-1);
    if (!last || rows.length < EXPORT_LIMITS.page) return;
    after = last;
  }
}

async function* importedStatistics({ db }: Ctx, creatorId: number): AsyncGenerator<string, void> {
  const { sourceId, period, day, episode, plays, productId } = importedPlays;
  yield 'show_id,host,period,day,episode,plays\n';
  for (let after = { sourceId: 0, period: 'day', day: '0001-01-01', episode: '' }; ; ) {
    const isAfter = sql`(${sourceId}, ${period}, ${day}, ${episode}) >
      (${after.sourceId}::bigint, ${after.period}::text, ${after.day}::date, ${after.episode}::text)`;
    const rows = await db
      .select({ sourceId, period, day, episode, plays, productId, name: importedSources.name })
      .from(importedPlays)
      .innerJoin(importedSources, eq(importedSources.id, sourceId))
      .where(and(eq(importedPlays.creatorId, creatorId), isAfter))
      .orderBy(asc(sourceId), asc(period), asc(day), asc(episode))
      .limit(EXPORT_LIMITS.page);
    yield rows.map((row) => csvLine([row.productId, row.name, row.period, row.day, row.episode, row.plays])).join('');
    const last = rows.at(-1);
    if (!last || rows.length < EXPORT_LIMITS.page) return;
    after = last;
  }
}

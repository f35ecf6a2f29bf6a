import { type SQL, sql } from 'drizzle-orm';
import { importedPlays, importedSources } from '~/db/schema/imported-plays';
import type { HistoryPeriod } from '~/db/values/imported-plays';
import type { Scope } from '../../adapters/statistics/port';
import { dayAfter, monthBounds, utcDay } from '../../base/time';
import { HISTORY_LIMITS, STATISTICS_LIMITS } from '../../limits/statistics';
import type { Ctx } from '../../runtime/ctx';
import { bucketsOf, type Period } from './rules';

/**
 * The figures of another host, one for each point of our chart, and never added to ours; null: the host has none there.
 * `isByMonth`: all of them are of months, which a chart of days or weeks can't show.
 */
export type ImportedSeries = { id: number; name: string; plays: (number | null)[]; isByMonth: boolean };

/** `since`: the first day of all figures that a chart can show. */
export type ImportedPlays = { since: string | null; series: ImportedSeries[] };

export type DatedFigure = { period: HistoryPeriod; day: string; plays: number };

/**
 * What was imported for a show, or for all shows of a creator, in the points of a chart. Shows that came from the same
 * host are one line, because that host counted all of them in the same way.
 */
export async function importedPlaysOf(
  ctx: Pick<Ctx, 'db' | 'now'>,
  scope: Scope,
  period: Period,
): Promise<ImportedPlays> {
  const sources = ofSources(scope);
  const [since, rows] = await Promise.all([
    firstImportedDay(ctx, sources),
    ctx.db.execute<DatedFigure & { id: number; name: string }>(sql`
      select s.id::float8 as id, s.name, p.period, p.day::text as day,
        -- a row of the whole show already contains its episodes
        coalesce(sum(p.plays) filter (where p.episode = ''), sum(p.plays))::float8 as plays
      from ${sources} s join ${importedPlays} p on p.source_id = s.id
      where p.day between ${period.from} and ${period.to}
      group by s.id, s.name, p.period, p.day order by s.name, s.id, p.day`),
  ]);
  const ids = [...new Set(rows.map(({ id }) => id))];
  const ofSource = ids.map((id) => {
    const own = rows.filter((row) => row.id === id);
    return { id, name: own[0]!.name, ...foldFigures(own, period) };
  });
  return { since, series: addHosts(ofSource) };
}

const ofSources = ({ creatorId, productId }: Scope): SQL => sql`
  (select id, name from ${importedSources}
    where creator_id = ${creatorId} ${productId === undefined ? sql`` : sql`and product_id = ${productId}`}
    order by imported_at desc, id limit ${HISTORY_LIMITS.shownSources})`;

/** One line for each host; its figures of whole months, which a chart of days can't show, stay apart. */
function addHosts(series: ImportedSeries[]): ImportedSeries[] {
  const lines = new Map<string, ImportedSeries>();
  for (const one of series) {
    const key = `${one.isByMonth} ${one.name}`;
    const line = lines.get(key);
    lines.set(key, line ? { ...line, plays: line.plays.map((value, i) => addKnown(value, one.plays[i]!)) } : one);
  }
  return [...lines.values()];
}

const addKnown = (a: number | null, b: number | null): number | null => (a === null ? b : a + (b ?? 0));

/** Years that no chart can show are left out. */
async function firstImportedDay({ db, now }: Pick<Ctx, 'db' | 'now'>, sources: SQL): Promise<string | null> {
  const earliest = dayAfter(utcDay(now()), 2 - STATISTICS_LIMITS.days);
  const [row] = await db.execute<{ day: string | null }>(sql`
    select greatest(min(first.day), ${earliest}::date)::text as day
    from ${sources} s, (values ('day'), ('month')) as k(period), lateral (
      -- one row by the primary key, instead of all rows of the source
      select p.day from ${importedPlays} p where p.source_id = s.id and p.period = k.period order by p.day limit 1
    ) first having min(first.day) is not null`);
  return row?.day ?? null;
}

/**
 * Sums figures by the points of a chart. The figure of a month belongs to a point that covers the whole month, and
 * there it replaces those of the days, because it contains them.
 */
export function foldFigures(figures: DatedFigure[], period: Period): Pick<ImportedSeries, 'plays' | 'isByMonth'> {
  const starts = bucketsOf(period).map(({ at }) => at);
  const ofPeriod = (wanted: HistoryPeriod) => figures.filter((figure) => figure.period === wanted);
  const days = ofPeriod('day');
  const months = new Map(ofPeriod('month').map(({ day, plays }) => [day, plays]));
  const sums = sumsByStart(days, starts);
  const plays = starts.map((at, i) => {
    const end = starts[i + 1] ? dayAfter(starts[i + 1]!, -1) : period.to;
    const isMonth = period.granularity === 'month' && at.endsWith('-01') && end >= lastDayOf(at);
    return (isMonth ? months.get(at) : undefined) ?? sums.get(at) ?? null;
  });
  return { plays, isByMonth: months.size > 0 && plays.every((value) => value === null) };
}

function sumsByStart(days: DatedFigure[], starts: string[]): Map<string, number> {
  const sums = new Map<string, number>();
  let at = 0;
  // both are in the order of their days
  for (const { day, plays } of days) {
    while (at + 1 < starts.length && starts[at + 1]! <= day) at += 1;
    const start = starts[at]!;
    sums.set(start, (sums.get(start) ?? 0) + plays);
  }
  return sums;
}

const lastDayOf = (day: string) => utcDay(new Date(monthBounds(day.slice(0, 7))[1].getTime() - 1));

import { sql } from 'drizzle-orm';
import { listeningDays, machineDays } from '~/db/schema/listening';
import type { Counts, Filters, Point, Scope } from '../../adapters/statistics/port';
import { dayAfter, dayIn, startOfDay, utcDay } from '../../base/time';
import type { Ctx } from '../../runtime/ctx';
import { type Breakdown, breakDown, playsByWeek, type Week } from './breakdown';
import { type Change, changesIn } from './changes';
import { releasesBetween } from './first-hours';
import { whereScope } from './postgres-statistics';
import {
  bucketsOf,
  countedDays,
  type DayRange,
  isFiltered,
  type Period,
  periodBefore,
  type Slice,
  topSlices,
} from './rules';

/** `listenersPerDay`: listeners of one show by downloads on an average day; null for several shows or a filter. */
export type Totals = Counts & { listenersPerDay: number | null };
/** `at`: the local day. */
export type Release = { id: number; name: string; at: string };
/** Requests that are not a listener's: bots, data centres, and others. They are in no other figure. */
export type Machines = { requests: number; reasons: Slice[]; agents: Slice[] };

export type PeriodStatistics = {
  /** The day of the first play that we counted; null without one. */
  since: string | null;
  /** The present, which the last point of a chart may not have reached the end of. */
  asOf: Date;
  period: Period;
  filters: Filters;
  before: DayRange;
  totals: Totals;
  totalsBefore: Totals;
  evolution: Point[];
  evolutionBefore: Point[];
  releases: Release[];
  changes: Change[];
  breakdown: Breakdown;
  /** Null for a country or an app. */
  week: Week | null;
  machines: Machines;
};

/** The figures of one show or of all shows in a period, and in the one before. */
export async function statisticsOf(
  ctx: Ctx,
  scope: Scope,
  { period, filters }: { period: Period; filters: Filters },
): Promise<PeriodStatistics> {
  const before = periodBefore(period);
  const hasListeners = scope.productId !== undefined && !isFiltered(filters);
  const [since, points, pointsBefore, listeners, listenersBefore, breakdown, week, machines, releases, changes] =
    await Promise.all([
      firstDay(ctx, scope),
      ctx.ports.statistics.sumBuckets(scope, { buckets: bucketsOf(period), filters }),
      ctx.ports.statistics.sumBuckets(scope, { buckets: bucketsOf(before), filters }),
      hasListeners ? sumListeners(ctx, scope, period) : null,
      hasListeners ? sumListeners(ctx, scope, before) : null,
      breakDown(ctx, scope, { period, filters }),
      isFiltered(filters) ? null : playsByWeek(ctx, scope, period),
      machinesOf(ctx, scope, period),
      releasesIn(ctx, scope, period),
      changesIn(ctx, scope, period),
    ]);
  /** A person who listens on two days is a listener of both, so a sum would say nothing. */
  const perDay = (sum: number | null, range: DayRange) =>
    sum === null ? null : Math.round(sum / Math.max(1, countedDays(range, { since, today: utcDay(ctx.now()) })));
  return {
    ...{ since, asOf: ctx.now(), period, filters, breakdown, week, machines, releases, changes },
    totals: { ...countsOf(points), listenersPerDay: perDay(listeners, period) },
    totalsBefore: { ...countsOf(pointsBefore), listenersPerDay: perDay(listenersBefore, before) },
    before: { from: before.from, to: before.to },
    evolution: points,
    evolutionBefore: pointsBefore,
  };
}

/** The day of the first play that we counted. */
export async function firstDay({ db }: Pick<Ctx, 'db'>, scope: Scope): Promise<string | null> {
  const [row] = await db.execute<{ day: string | null }>(sql`
    select min(d.day)::text as day from ${listeningDays} d where ${whereScope(scope)}`);
  return row?.day ?? null;
}

/** The points of a chart are the whole period, so their sums need no further query. */
function countsOf(points: Point[]): Counts {
  const sumOf = (count: keyof Counts) => points.reduce((sum, point) => sum + (point[count] ?? 0), 0);
  const known = (count: keyof Counts) => (points.every((point) => point[count] !== null) ? sumOf(count) : null);
  return {
    plays: sumOf('plays'),
    listens: known('listens'),
    downloads: known('downloads'),
    playerDownloads: known('playerDownloads'),
  };
}

/** The listeners of each UTC day. */
async function sumListeners({ db }: Pick<Ctx, 'db'>, scope: Scope, { from, to }: DayRange): Promise<number> {
  const [row] = await db.execute<{ listeners: number }>(sql`
    select coalesce(sum(d.listeners), 0)::float8 as listeners from ${listeningDays} d
    where ${whereScope(scope)} and d.day between ${from} and ${to}`);
  return row?.listeners ?? 0;
}

async function releasesIn(ctx: Ctx, scope: Scope, { from, to, zone }: Period): Promise<Release[]> {
  const range = { from: startOfDay(from, zone), to: startOfDay(dayAfter(to, 1), zone) };
  const found = await releasesBetween(ctx, scope, range);
  return found.map(({ id, name, releasedAt }) => ({ id, name, at: dayIn(releasedAt, zone) }));
}

async function machinesOf({ db }: Pick<Ctx, 'db'>, scope: Scope, { from, to }: DayRange): Promise<Machines> {
  const rows = await db.execute<{ kind: 'reasons' | 'agents'; key: string; plays: number }>(sql`
    select kind, key, sum(c.requests::int)::float8 as plays
    from ${machineDays} d,
      jsonb_each(jsonb_build_object('reasons', d.reasons, 'agents', d.agents)) as k(kind, counts),
      jsonb_each_text(counts) as c(key, requests)
    where ${whereScope(scope)} and d.day between ${from} and ${to} group by 1, 2`);
  const slicesOf = (kind: string) =>
    topSlices(rows.filter((row) => row.kind === kind).map(({ key, plays }) => ({ key, plays })));
  const reasons = slicesOf('reasons');
  return { requests: reasons.reduce((sum, { plays }) => sum + plays, 0), reasons, agents: slicesOf('agents') };
}

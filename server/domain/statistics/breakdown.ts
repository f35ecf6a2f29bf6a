import { type SQL, sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import { listeningDays } from '~/db/schema/listening';
import { DIMENSIONS, type Dimension } from '~/db/values/statistics';
import { dayAfter, MINUTES, zoneOffset } from '../../base/time';
import { STATISTICS_LIMITS } from '../../limits/statistics';
import type { Ctx } from '../../runtime/ctx';
import { type Filters, isFiltered, type Scope, whereScope } from './evolution';
import { daysOf, type HourOfWeek, type Period, type Slice, topSlices, weekOf } from './rules';

/** Plays by the values of each dimension. Null: not known for a country or an app. */
export type Breakdown = Record<Dimension, Slice[] | null>;

type Row = { dimension: Dimension; key: string; plays: number };
type Asked = { period: Period; filters: Filters };

/**
 * What the plays of a period are made of. They are kept by UTC day, so at the borders of the period this may include or
 * lack some hours in other zones.
 */
export async function breakDown(ctx: Pick<Ctx, 'db'>, scope: Scope, { period, filters }: Asked): Promise<Breakdown> {
  const where = sql`${whereScope(scope)} and d.day between ${period.from} and ${period.to}`;
  const rows = await ctx.db.execute<Row>(isFiltered(filters) ? pairsOf(where, filters) : allOf(where));
  const slicesOf = (dimension: Dimension) => topSlices(rows.filter((row) => row.dimension === dimension).map(toSlice));
  const known = (dimension: Dimension) => !isFiltered(filters) || dimension === 'country' || dimension === 'app';
  return Object.fromEntries(
    DIMENSIONS.map((dimension) => [dimension, known(dimension) ? slicesOf(dimension) : null]),
  ) as Breakdown;
}

const toSlice = ({ key, plays }: Row): Slice => ({ key, plays });

const allOf = (where: SQL) => sql`
  select dimension, key, sum(plays::int)::float8 as plays
  from ${listeningDays} d, jsonb_each(d.dimensions) as v(dimension, counts), jsonb_each_text(counts) as c(key, plays)
  where ${where} group by 1, 2`;

/** The pairs of a country and an app that pass the filters, once by country and once by app. */
const pairsOf = (where: SQL, { country, app }: Filters) => sql`
  with pairs as (
    select split_part(pair, '|', 1) as country, split_part(pair, '|', 2) as app, sum(plays::int)::float8 as plays
    from ${listeningDays} d, jsonb_each_text(d.pairs) as p(pair, plays)
    where ${where} group by 1, 2
  ), passed as (
    select * from pairs
    where (${country ?? null}::text is null or country = ${country ?? null})
      and (${app ?? null}::text is null or app = ${app ?? null})
  )
  select 'country' as dimension, country as key, sum(plays) as plays from passed group by country
  union all
  select 'app', app, sum(plays) from passed group by app`;

/** `from`: the latest days of the period only, because a weekly pattern of years ago says little. */
export type Week = { from: string; plays: number[][] };

/** Plays by weekday and hour of the zone. */
export async function playsByWeek({ db }: Pick<Ctx, 'db'>, scope: Scope, period: Period): Promise<Week> {
  const length = Math.min(daysOf(period), STATISTICS_LIMITS.weekDays);
  const days = Array.from({ length }, (_, i) => dayAfter(period.to, i + 1 - length));
  const offsets = days.map((day) => Math.round(zoneOffset(new Date(`${day}T12:00:00Z`), period.zone) / MINUTES(15)));
  const rows = await db.execute<HourOfWeek & { offset: number }>(sql`
    select z.slots_off as offset, extract(isodow from d.day)::int - 1 as weekday, slot::int, sum(plays::int)::float8 as plays
    from unnest(${plainArray(days)}::date[], ${plainArray(offsets)}::int[]) as z(day, slots_off)
    join ${listeningDays} d on ${whereScope(scope)} and d.day = z.day,
      jsonb_each(d.slots) as m(measure, counts), jsonb_each_text(counts) as c(slot, plays)
    group by 1, 2, 3`);
  const weeks = [...new Set(offsets)].map((offset) =>
    weekOf(
      rows.filter((row) => row.offset === offset),
      offset,
    ),
  );
  return { from: days[0]!, plays: weeks.reduce(addWeeks) };
}

const addWeeks = (a: number[][], b: number[][]) => a.map((day, i) => day.map((plays, hour) => plays + b[i]![hour]!));

import { DIMENSIONS, type Dimension } from '~/db/values/statistics';
import type { DimensionPlays, Filters, Scope } from '../../adapters/statistics/port';
import { dayAfter, MINUTES, zoneOffset } from '../../base/time';
import { STATISTICS_LIMITS } from '../../limits/statistics';
import type { Ctx } from '../../runtime/ctx';
import { daysOf, isFiltered, type Period, type Slice, topSlices, weekOf } from './rules';

/** Plays by the values of each dimension. Null: not known for a country or an app. */
export type Breakdown = Record<Dimension, Slice[] | null>;

type PortsCtx = Pick<Ctx, 'ports'>;
type Asked = { period: Period; filters: Filters };

/**
 * What the plays of a period are made of. They are kept by UTC day, so at the borders of the period this may include or
 * lack some hours in other zones.
 */
export async function breakDown({ ports }: PortsCtx, scope: Scope, { period, filters }: Asked): Promise<Breakdown> {
  const rows = await ports.statistics.sumDimensions(scope, { from: period.from, to: period.to, filters });
  const slicesOf = (dimension: Dimension) => topSlices(rows.filter((row) => row.dimension === dimension).map(toSlice));
  const known = (dimension: Dimension) => !isFiltered(filters) || dimension === 'country' || dimension === 'app';
  return Object.fromEntries(
    DIMENSIONS.map((dimension) => [dimension, known(dimension) ? slicesOf(dimension) : null]),
  ) as Breakdown;
}

const toSlice = ({ key, plays }: DimensionPlays): Slice => ({ key, plays });

/** `from`: the latest days of the period only, because a weekly pattern of years ago says little. */
export type Week = { from: string; plays: number[][] };

/** Plays by weekday and hour of the zone. */
export async function playsByWeek({ ports }: PortsCtx, scope: Scope, period: Period): Promise<Week> {
  const length = Math.min(daysOf(period), STATISTICS_LIMITS.weekDays);
  const days = Array.from({ length }, (_, i) => dayAfter(period.to, i + 1 - length));
  const offsetOf = (day: string) => Math.round(zoneOffset(new Date(`${day}T12:00:00Z`), period.zone) / MINUTES(15));
  const zoned = days.map((day) => ({ day, offset: offsetOf(day) }));
  const rows = await ports.statistics.sumWeekdays(scope, zoned);
  const weeks = [...new Set(zoned.map(({ offset }) => offset))].map((offset) =>
    weekOf(
      rows.filter((row) => row.offset === offset),
      offset,
    ),
  );
  return { from: days[0]!, plays: weeks.reduce(addWeeks) };
}

const addWeeks = (a: number[][], b: number[][]) => a.map((day, i) => day.map((plays, hour) => plays + b[i]![hour]!));

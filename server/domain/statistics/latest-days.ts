import type { Point, Scope } from '../../adapters/statistics/port';
import type { Ctx } from '../../runtime/ctx';
import type { Plays } from '../listening/queries';
import { bucketsOf, type Period, periodBefore } from './rules';
import { periodOf } from './show-statistics';

/** The last 30 days of the creator's time zone, today included, and the 30 days before. */
export type LatestDays = { period: Period; before: Period };

/** The days that statistics show unless others are asked for. */
export async function latestDays(ctx: Ctx, creatorId: number): Promise<LatestDays> {
  const period = await periodOf(ctx, creatorId, {});
  return { period, before: periodBefore(period) };
}

type DayPlays = { day: string } & Plays;

/** The plays of each day, oldest first. @throws statistics.unavailable */
export async function playsOfDays({ ports }: Pick<Ctx, 'ports'>, scope: Scope, { period, before }: LatestDays) {
  const buckets = [...bucketsOf(before), ...bucketsOf(period)];
  const points = await ports.statistics.sumBuckets(scope, { buckets, filters: {} });
  const days = points.map(toDay);
  const middle = buckets.length / 2;
  return { former: days.slice(0, middle), recent: days.slice(middle) };
}

const toDay = ({ at, listens, downloads }: Point): DayPlays => ({
  day: at,
  // both are known without a filter
  ...{ listens: listens ?? 0, downloads: downloads ?? 0 },
});

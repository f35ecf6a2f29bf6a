import { DIMENSIONS, type Dimension } from '~/db/values/statistics';
import type { Point } from '../../adapters/statistics/port';
import { monthBounds, utcDay } from '../../base/time';
import { STATISTICS_LIMITS } from '../../limits/statistics';
import { authorize, may } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { episodeNotFound } from '../episodes/errors';
import { findEpisodeRecord } from '../episodes/queries';
import type { Breakdown, Week } from './breakdown';
import { type EpisodeFigures, figuresOf, latestReleases, type Released, totalsByHour } from './first-hours';
import { firstDay, type Totals } from './period-statistics';
import {
  bucketsOf,
  type DayRange,
  type HourCounts,
  hoursOf,
  hoursWithin,
  type Period,
  periodBefore,
  type Quartiles,
  quartilesOf,
  sumHours,
  topSlices,
  weekOfHours,
  wholeOf,
} from './rules';
import type { EpisodeStatisticsInput } from './schema';
import { periodOf } from './show-statistics';

/** Running totals of plays by hour since the release, and the quartiles of the show's episodes before. */
export type Pacing = { hours: number[]; others: Quartiles; compared: number };

export type EpisodeStatistics = {
  since: string | null;
  asOf: Date;
  period: Period;
  before: DayRange;
  totals: Totals;
  totalsBefore: Totals;
  evolution: Point[];
  evolutionBefore: Point[];
  breakdown: Breakdown;
  /** The whole months (UTC) that `breakdown` covers, because these figures of an episode are kept by month. */
  breakdownPeriod: DayRange;
  week: Week;
  /** Null before its release. */
  figures: EpisodeFigures | null;
  /** Null, too, if it was released before the first play that we counted. */
  pacing: Pacing | null;
};

/**
 * The figures of an episode in a period of local days.
 * @throws episode.not_found, also for others than the team, and as resolvePeriod
 */
export async function statisticsOfEpisode(ctx: Ctx, input: EpisodeStatisticsInput): Promise<EpisodeStatistics> {
  const { episode } = await findEpisodeRecord(ctx, input.id, input.kind);
  if (!may(ctx, 'product.read', episode)) throw episodeNotFound();
  const { id, creatorId, productId, name, releaseAt } = episode;
  authorize(ctx, 'creator.readStatistics', { id: creatorId });
  const period = await periodOf(ctx, creatorId, input);
  const before = periodBefore(period);
  const [since, months] = await Promise.all([
    firstDay(ctx, { creatorId, productId }),
    ctx.ports.statistics.listMonths({ creatorId, productId, id }, { from: monthOf(before.from), to: period.to }),
  ]);
  const hours = hoursOf(months);
  const isOut = releaseAt !== null && releaseAt <= ctx.now();
  const released = isOut ? { id, name, releasedAt: releaseAt } : null;
  const [figures = null] = released ? await figuresOf(ctx, [released], { since }) : [];
  // the first hours of an older episode were not counted
  const pacing = released && figures?.first24h !== null ? await pacingOf(ctx, productId, released) : null;
  const counted = months.filter(({ month }) => month >= monthOf(period.from));
  return {
    ...{ since, asOf: ctx.now(), period, pacing },
    before: { from: before.from, to: before.to },
    totals: totalOf(hours, period),
    totalsBefore: totalOf(hours, before),
    evolution: sumHours(hours, bucketsOf(period)),
    evolutionBefore: sumHours(hours, bucketsOf(before)),
    breakdown: breakdownOf(counted),
    breakdownPeriod: { from: monthOf(period.from), to: lastDayOf(period.to) },
    week: { from: period.from, plays: weekOfHours(hoursWithin(hours, wholeOf(period)), period.zone) },
    figures,
  };
}

const monthOf = (day: string) => `${day.slice(0, 7)}-01`;
const lastDayOf = (day: string) => utcDay(new Date(monthBounds(day.slice(0, 7))[1].getTime() - 1));

function totalOf(hours: HourCounts[], period: Period): Totals {
  const { at: _, ...counts } = sumHours(hours, [wholeOf(period)])[0]!;
  return { ...counts, listenersPerDay: null };
}

function breakdownOf(months: { dimensions: Partial<Record<Dimension, Record<string, number>>> }[]): Breakdown {
  const slicesOf = (dimension: Dimension) => {
    const sums = new Map<string, number>();
    for (const { dimensions } of months)
      for (const [key, plays] of Object.entries(dimensions[dimension] ?? {}))
        sums.set(key, (sums.get(key) ?? 0) + plays);
    return topSlices([...sums].map(([key, plays]) => ({ key, plays })));
  };
  return Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, slicesOf(dimension)])) as Breakdown;
}

/** Episodes of which nothing was counted, such as imported ones, would pull the quartiles to zero. */
async function pacingOf(ctx: Ctx, productId: number, released: Released): Promise<Pacing> {
  const latest = await latestReleases(ctx, productId, STATISTICS_LIMITS.pacing + 1);
  const earlierOnes = latest.filter(({ id, releasedAt }) => id !== released.id && releasedAt < released.releasedAt);
  const [own, ...others] = await totalsByHour(ctx, [released, ...earlierOnes]);
  const counted = others.filter((totals) => (totals.at(-1) ?? 0) > 0);
  return { hours: own!, others: quartilesOf(counted), compared: counted.length };
}

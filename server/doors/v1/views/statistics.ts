import { z } from 'zod';
import { DIMENSIONS, type Dimension } from '~/db/values/statistics';
import type { EpisodeStatistics } from '../../../domain/statistics/episode-statistics';
import type { PeriodStatistics } from '../../../domain/statistics/period-statistics';
import { GRANULARITIES } from '../../../domain/statistics/rules';
import { plainView } from './plain-view';
import { instant } from './values';

const figure = z.number().nullable();
/** `downloads` are those of apps; null where the filters leave them unknown. */
const counts = { plays: z.number(), listens: figure, downloads: figure, player_downloads: figure };
const totals = z.strictObject({ ...counts, listeners_per_day: figure });
const points = z.array(z.strictObject({ at: z.iso.date(), ...counts }));
const days = { from: z.iso.date(), to: z.iso.date() };
const slices = z.array(z.strictObject({ key: z.string(), plays: z.number() })).nullable();
const breakdown = z.strictObject(
  Object.fromEntries(DIMENSIONS.map((name) => [name, slices])) as Record<Dimension, typeof slices>,
);

/** `evolution`: listens, and downloads of apps, for each point of the period; the ones before are of the period before it. */
const shared = {
  since: z.iso.date().nullable(),
  asOf: instant,
  period: z.strictObject({ ...days, zone: z.string(), granularity: z.enum(GRANULARITIES) }),
  before: z.strictObject(days),
  totals,
  totalsBefore: totals,
  evolution: points,
  evolutionBefore: points,
  breakdown,
};

export const statisticsView = plainView<PeriodStatistics>('Statistics', shared);
export const episodeStatisticsView = plainView<EpisodeStatistics>('EpisodeStatistics', {
  ...shared,
  breakdownPeriod: z.strictObject(days),
});

import { z } from 'zod';
import type { Point } from '../../adapters/statistics/port';
import { appName, osName } from '../../agents/classify';
import { CURRENCIES, toDecimal } from '../../base/money';
import type { EpisodeStatistics } from '../../domain/statistics/episode-statistics';
import type { Slice } from '../../domain/statistics/rules';
import type { ShowOverview } from '../../domain/statistics/show-overview';
import type { ShowStatistics } from '../../domain/statistics/show-statistics';
import { serializer } from '../call';

const count = z.int();
const date = z.iso.date();

const period = {
  plays: count,
  downloads: count,
  unique_listeners: count,
  evolution: z.array(z.strictObject({ date, plays: count, downloads: count })),
  countries: z.array(z.strictObject({ country: z.string(), plays: count })),
  players: z.array(z.strictObject({ player: z.string(), plays: count })),
  platforms: z.array(z.strictObject({ platform: z.string(), plays: count })),
  operating_systems: z.array(z.strictObject({ operating_system: z.string(), plays: count })),
};

type Figures = Pick<ShowStatistics | EpisodeStatistics, 'totals' | 'evolution' | 'breakdown'>;

/** Countries and apps that were filtered have no downloads of their own: all plays are then both. */
const downloadsOf = ({ plays, downloads }: Pick<Point, 'plays' | 'downloads'>) => downloads ?? plays;
const named = (slices: Slice[] | null, name: (key: string) => string) =>
  (slices ?? []).map(({ key, plays }) => ({ name: name(key), plays }));
const asKey = (key: string) => key;

function periodFields({ totals, evolution, breakdown }: Figures, uniqueListeners: number) {
  return {
    plays: totals.plays,
    downloads: downloadsOf(totals),
    unique_listeners: uniqueListeners,
    evolution: evolution.map((point) => ({ date: point.at, plays: point.plays, downloads: downloadsOf(point) })),
    countries: named(breakdown.country, asKey).map(({ name, plays }) => ({ country: name, plays })),
    players: named(breakdown.app, appName).map(({ name, plays }) => ({ player: name, plays })),
    platforms: named(breakdown.device, asKey).map(({ name, plays }) => ({ platform: name, plays })),
    operating_systems: named(breakdown.os, osName).map(({ name, plays }) => ({ operating_system: name, plays })),
  };
}

/** A download is one listener in 24 hours, also in our players, so these are an episode's unique listeners. */
export const episodeAnalyticsOut = serializer(
  'EpisodeAnalytics',
  z.strictObject(period),
  (statistics: EpisodeStatistics) =>
    periodFields(statistics, downloadsOf(statistics.totals) + (statistics.totals.playerDownloads ?? 0)),
);

/** `unique_listeners`: on an average day. `subscribers` and `revenue`: null for members who don't see buyers. */
export const showAnalyticsOut = serializer(
  'ShowAnalytics',
  z.strictObject({
    ...period,
    episodes: z.array(z.strictObject({ id: z.int(), name: z.string(), plays: count, downloads: count })),
    listeners: count.nullable(),
    subscribers: count.nullable(),
    revenue: z
      .array(z.strictObject({ amount: z.string().regex(/^-?\d+\.\d\d$/), currency: z.enum(CURRENCIES) }))
      .nullable(),
  }),
  (statistics: ShowStatistics) => ({
    ...periodFields(statistics, statistics.totals.listenersPerDay ?? 0),
    episodes: statistics.episodes.map(({ id, name, total, downloads }) => ({ id, name, plays: total, downloads })),
    listeners: statistics.listeners,
    subscribers: statistics.sales?.subscribers ?? null,
    revenue: statistics.sales?.revenue.map(({ minor, currency }) => ({ amount: toDecimal(minor), currency })) ?? null,
  }),
);

export const evolutionOut = serializer(
  'DownloadsEvolution',
  z.array(z.strictObject({ date, downloads: count })),
  ({ evolution }: ShowStatistics) => evolution.map((point) => ({ date: point.at, downloads: downloadsOf(point) })),
);

/** Plays by app or operating system, with tenths of a percent. */
function sharesOut(dimension: 'app' | 'os', name: (key: string) => string) {
  return serializer(
    dimension === 'app' ? 'DownloadsByPlayer' : 'DownloadsBySystem',
    z.array(z.strictObject({ name: z.string(), downloads: count, percent: z.number().min(0).max(100) })),
    ({ breakdown }: ShowStatistics) => {
      const rows = named(breakdown[dimension], name);
      const all = rows.reduce((sum, { plays }) => sum + plays, 0);
      return rows.map((row) => ({
        name: row.name,
        downloads: row.plays,
        percent: Math.round((row.plays * 1000) / all) / 10,
      }));
    },
  );
}

export const byPlayerOut = sharesOut('app', appName);
export const bySystemOut = sharesOut('os', osName);

/** `null` where an episode was released before plays were counted. */
export const metricsOverviewOut = serializer(
  'MetricsOverview',
  z.strictObject({
    today: count,
    last_7_days: count,
    last_30_days: count,
    total: count,
    episodes: z.array(
      z.strictObject({
        id: z.int(),
        name: z.string(),
        first_24h: count.nullable(),
        first_7d: count.nullable(),
        first_30d: count.nullable(),
        total: count,
      }),
    ),
  }),
  ({ today, last7Days, last30Days, total, episodes }: ShowOverview) => ({
    today,
    last_7_days: last7Days,
    last_30_days: last30Days,
    total,
    episodes: episodes.map((episode) => ({
      id: episode.id,
      name: episode.name,
      first_24h: episode.first24h,
      first_7d: episode.first7d,
      first_30d: episode.first30d,
      total: episode.total,
    })),
  }),
);

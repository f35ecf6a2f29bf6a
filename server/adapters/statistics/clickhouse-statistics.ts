import type { ClickHouse } from './clickhouse-client';
import {
  BUCKETS,
  EPISODES,
  FILTERED_PAIRS,
  filteredDays,
  HOURS_SINCE_RELEASE,
  MONTH_VALUES,
  MONTHS,
  SHOW_BUCKETS,
  SHOW_DAYS,
  STARTS,
  VALUES,
  WEEKDAYS,
} from './clickhouse-queries';
import type {
  Bucket,
  EpisodeMonth,
  Filters,
  Measure,
  PlayStore,
  Point,
  ReleasedEpisode,
  Scope,
  Slot,
  StatisticsPort,
} from './port';

/** Statistics from ClickHouse, whose tables have the same sums as the rollups in Postgres. */
export function clickhouseStatistics(clickhouse: ClickHouse): StatisticsPort {
  const { select } = clickhouse;
  return {
    store: playStore(clickhouse),
    async sumBuckets(scope, { buckets, filters }) {
      const params = { ...paramsOf(scope), ...filterParams(filters), ...rangeOf(buckets) };
      return toPoints(buckets, filters, await select(isFiltered(filters) ? filteredDays(filters) : BUCKETS, params));
    },
    async sumShows(creator, buckets) {
      const rows = await select<ShowBucket>(SHOW_BUCKETS, { creator, ...rangeOf(buckets) });
      return rows.map(({ productId, bucket, plays }) => ({ productId, at: buckets[bucket - 1]!.at, plays }));
    },
    sumDimensions: (scope, { from, to, filters }) =>
      select(isFiltered(filters) ? FILTERED_PAIRS : VALUES, { ...paramsOf(scope), ...filterParams(filters), from, to }),
    sumWeekdays: (scope, days) =>
      select(WEEKDAYS, {
        ...paramsOf(scope),
        days: days.map(({ day }) => day),
        offsets: days.map(({ offset }) => offset),
      }),
    async listMonths({ id }, { from, to }) {
      const [hours, values] = await Promise.all([
        select<HourOfMonth>(MONTHS, { id, from, to }),
        select<ValueOfMonth>(MONTH_VALUES, { id, from, to }),
      ]);
      return toMonths(hours, values);
    },
    sumStarts: (episodes) => select(STARTS, releasesOf(episodes)),
    sumHours: (episodes, { hours }) => select(HOURS_SINCE_RELEASE, { ...releasesOf(episodes), hours }),
    sumEpisodes: (ids, { from, until }) => select(EPISODES, { ids, from: timeOf(from), until: timeOf(until) }),
  };
}

function playStore({ insert, select }: ClickHouse): PlayStore {
  return {
    addPlays: (key, plays) => insert('plays', plays, key),
    async addSums(key, { slots, values, episodeHours, episodeValues }) {
      const tables = {
        show_slots: slots.map((row) => ({ ...row, slot: row.slot ?? NO_SLOT })),
        show_values: values,
        episode_hours: episodeHours,
        episode_values: episodeValues,
      };
      for (const [table, rows] of Object.entries(tables)) if (rows.length > 0) await insert(table, rows, key);
    },
    sumDays: (products) => select(SHOW_DAYS, products),
  };
}

const NO_SLOT = 255;
const SLOTS_PER_DAY = 96;
const DAY_MS = 86_400_000;

const isFiltered = ({ country, app }: Filters) => country !== undefined || app !== undefined;
/** 0 and empty texts: everything. */
const paramsOf = ({ creatorId, productId }: Scope) => ({ creator: creatorId, product: productId ?? 0 });
const filterParams = ({ country = '', app = '' }: Filters) => ({ country, app });

/** Quarters of an hour since 1970. */
const quarterOf = ({ day, slot }: Slot) => (Date.parse(`${day}T00:00:00Z`) / DAY_MS) * SLOTS_PER_DAY + slot;

const rangeOf = (buckets: Bucket[]) => ({
  from: buckets[0]!.from.day,
  to: buckets.at(-1)!.until.day,
  starts: buckets.map(({ from }) => quarterOf(from)),
  ends: buckets.map(({ until }) => quarterOf(until)),
});

type ShowBucket = { productId: number; bucket: number; plays: number };
type BucketSum = { bucket: number; measure: Measure; plays: number };

function toPoints(buckets: Bucket[], filters: Filters, sums: BucketSum[]): Point[] {
  const known = new Map(sums.map(({ bucket, measure, plays }) => [`${bucket} ${measure}`, plays]));
  return buckets.map(({ at }, i) => {
    const sumOf = (measure: Measure) => known.get(`${i + 1} ${measure}`) ?? 0;
    const [listens, downloads, playerDownloads] = [sumOf('l'), sumOf('d'), sumOf('p')];
    const parts = isFiltered(filters)
      ? { listens: null, downloads: null, playerDownloads: null }
      : { listens, downloads, playerDownloads };
    return { at, plays: listens + downloads, ...parts };
  });
}

type HourOfMonth = { month: string; measure: Measure; moment: string; plays: number };
type ValueOfMonth = { month: string; dimension: string; key: string; plays: number };

function toMonths(hours: HourOfMonth[], values: ValueOfMonth[]): EpisodeMonth[] {
  const months = new Map<string, EpisodeMonth>();
  const monthOf = (month: string) => {
    const known = months.get(month) ?? { month, hours: {}, dimensions: {} };
    months.set(month, known);
    return known;
  };
  for (const { month, measure, moment, plays } of hours) {
    const known = monthOf(month).hours;
    known[measure] = { ...known[measure], [moment]: plays };
  }
  for (const { month, dimension, key, plays } of values) {
    const known = monthOf(month).dimensions;
    known[dimension] = { ...known[dimension], [key]: plays };
  }
  return [...months.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
}

const releasesOf = (episodes: ReleasedEpisode[]) => ({
  ids: episodes.map(({ id }) => id),
  releases: episodes.map(({ releasedAt }) => `${timeOf(releasedAt).slice(0, 13)}:00:00`),
});

/** As ClickHouse reads it. */
const timeOf = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ');

import { and, between, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '~/db/client';
import { plainArray } from '~/db/driver/plain-array';
import { episodes } from '~/db/schema/episodes';
import { episodeMonths, episodeTotals, listeningDays } from '~/db/schema/listening';
import { listeningMonths } from '~/db/schema/listening-months';
import type { TimeCounts } from '~/db/values/statistics';
import type {
  Bucket,
  Days,
  DimensionPlays,
  EpisodePlays,
  Filters,
  HourPlays,
  Point,
  ReleasedEpisode,
  Scope,
  ShowPoint,
  Starts,
  StatisticsPort,
  WeekdayPlays,
  ZonedDay,
} from '../../adapters/statistics/port';
import { dayAfter, HOURS, utcDay } from '../../base/time';
import { monthOf } from '../listening/rollups';
import { hasStarts, sinceRelease, within } from '../listening/starts';
import { isFiltered, SLOTS_PER_DAY, wholeMonths } from './rules';

/** Statistics from the rollups in Postgres: one row per show and day, and per episode and month. */
export function postgresStatistics(db: Database): StatisticsPort {
  return {
    store: null,
    sumBuckets: async (scope, asked) => [...(await db.execute<Point>(bucketsQuery(scope, asked)))],
    sumShows: async (creatorId, buckets) => [...(await db.execute<ShowPoint>(showsQuery(creatorId, buckets)))],
    sumDimensions: async (scope, { filters, ...days }) => [
      ...(await db.execute<DimensionPlays>(isFiltered(filters) ? pairsOf(scope, days, filters) : allOf(scope, days))),
    ],
    sumWeekdays: async (scope, days) => [...(await db.execute<WeekdayPlays>(weekdaysQuery(scope, days)))],
    listMonths: ({ creatorId, productId, id }, { from, to }) =>
      db
        .select({ month: episodeMonths.month, hours: episodeMonths.hours, dimensions: episodeMonths.dimensions })
        .from(episodeMonths)
        .where(
          and(
            eq(episodeMonths.creatorId, creatorId),
            eq(episodeMonths.productId, productId),
            eq(episodeMonths.episodeId, id),
            between(episodeMonths.month, from, to),
          ),
        )
        .orderBy(episodeMonths.month),
    async sumStarts(episodes) {
      const kept = await db.execute<Starts>(keptStartsQuery(episodes));
      const known = new Set(kept.map(({ id }) => id));
      const others = episodes.filter(({ id }) => !known.has(id));
      return others.length === 0 ? [...kept] : [...kept, ...(await db.execute<Starts>(startsQuery(others)))];
    },
    sumHours: async (episodes, { hours }) => [
      ...(await db.execute<HourPlays>(sql`
        select id::float8, hour, sum(plays)::float8 as plays from (${sinceRelease(releasedRows(episodes))}) s
        where hour between 0 and ${hours - 1}::int group by id, hour`)),
    ],
    sumEpisodes: async (ids, times) => [...(await db.execute<EpisodePlays>(episodesQuery(ids, times)))],
  };
}

/** @param scope of rows `d` */
export const whereScope = ({ creatorId, productId }: Scope): SQL =>
  productId === undefined
    ? sql`d.creator_id = ${creatorId}`
    : sql`d.creator_id = ${creatorId} and d.product_id = ${productId}`;

/** Where a day's plays without a time of day are counted: those from before times were kept, and filtered ones. */
const NOON = SLOTS_PER_DAY / 2;

function bucketsQuery(scope: Scope, { buckets, filters }: { buckets: Bucket[]; filters: Filters }): SQL {
  const columns = isFiltered(filters)
    ? sql`${sumOf(filteredPart(filters))} as plays, null::float8 as listens, null::float8 as downloads,
        null::float8 as "playerDownloads"`
    : sql`
        ${PLAYS_IN_PART} as plays,
        ${sumOf(partOf('listens', 'l'))} as listens, ${sumOf(partOf('downloads', 'd'))} as downloads,
        ${sumOf(partOf('player_downloads', 'p'))} as "playerDownloads"`;
  return sql`
    select b.at, ${columns}
    from ${bucketRows(buckets)}
    left join ${listeningDays} d on ${whereScope(scope)} and d.day between b.from_day and b.until_day
      and ${isWithin(buckets)}
    left join lateral ${PART_OF_DAY} on true
    ${isFiltered(filters) ? sql`` : COUNTED_SLOTS}
    group by b.position, b.at order by b.position`;
}

/** Days without plays are missing. */
const showsQuery = (creatorId: number, buckets: Bucket[]) => sql`
  select d.product_id::float8 as "productId", b.at, ${PLAYS_IN_PART} as plays
  from ${bucketRows(buckets)}
  join ${listeningDays} d on d.creator_id = ${creatorId} and d.day between b.from_day and b.until_day
    and ${isWithin(buckets)}
  join lateral ${PART_OF_DAY} on true
  ${COUNTED_SLOTS}
  group by d.product_id, b.position, b.at having ${PLAYS_IN_PART} > 0 order by d.product_id, b.position`;

/** Without constant bounds, Postgres reads all days of a creator. */
const isWithin = (buckets: Bucket[]) => sql`d.day between ${buckets[0]!.from.day} and ${buckets.at(-1)!.until.day}`;

/** The buckets as rows `b`. */
function bucketRows(buckets: Bucket[]): SQL {
  const list = (pick: (bucket: Bucket) => string | number) => plainArray(buckets.map(pick));
  return sql`unnest(
    ${list(({ at }) => at)}::text[], ${list(({ from }) => from.day)}::date[], ${list(({ from }) => from.slot)}::int[],
    ${list(({ until }) => until.day)}::date[], ${list(({ until }) => until.slot)}::int[]
  ) with ordinality as b(at, from_day, from_slot, until_day, until_slot, position)`;
}

/** The slots of a day `d` that belong to a bucket `b`. */
const PART_OF_DAY = sql`(
  select low, high, low = 0 and high = ${SLOTS_PER_DAY} as is_whole, low <= ${NOON} and ${NOON} < high as has_noon
  from (
    select case when d.day = b.from_day then b.from_slot else 0 end as low,
      case when d.day = b.until_day then b.until_slot else ${SLOTS_PER_DAY} end as high
  ) borders
) part`;

const sumOf = (value: SQL): SQL => sql`coalesce(sum(${value}), 0)::float8`;

/**
 * The plays of the slots that decide about a part of a day: those of the part, or those outside of a part with noon, to
 * which plays without a time belong. The maps are looked into slot by slot, because a part usually lacks a few hours.
 */
const COUNTED_SLOTS = sql`
  left join lateral (
    -- the sum is a copy in memory: each look-up would fetch and unpack the stored map again
    select copy -> 'l' as l, copy -> 'd' as d, copy -> 'p' as p
    from (select d.slots || '{}' as copy offset 0) unpacked offset 0
  ) maps on not is_whole
  left join lateral (
    select coalesce(sum((maps.l ->> slot)::int), 0) as l, coalesce(sum((maps.d ->> slot)::int), 0) as d,
      coalesce(sum((maps.p ->> slot)::int), 0) as p
    from (
      select n::text as slot
      from generate_series(case when has_noon then 0 else low end, case when has_noon then low else high end - 1) n
      union all
      select n::text from generate_series(high, ${SLOTS_PER_DAY - 1}) n where has_noon
    ) slots
  ) counted on not is_whole`;

/** A day's plays between two slots. */
function partOf(total: string, measure: keyof TimeCounts): SQL {
  const [all, some] = [sql.raw(`d.${total}`), sql.raw(`counted.${measure}`)];
  return sql`case when is_whole then ${all} when has_noon then ${all} - ${some} else ${some} end`;
}

/** The plays of all days `d` within their buckets `b`. */
const PLAYS_IN_PART = sql`${sumOf(partOf('listens', 'l'))} + ${sumOf(partOf('downloads', 'd'))}`;

/** A day's plays of a country, of an app, or of an app in a country. */
function filteredPart({ country, app }: Filters): SQL {
  const value =
    country && app
      ? sql`d.pairs ->> ${`${country}|${app}`}`
      : country
        ? sql`d.dimensions -> 'country' ->> ${country}`
        : sql`d.dimensions -> 'app' ->> ${app}`;
  return sql`case when has_noon then (${value})::int else 0 end`;
}

const inDays = ({ from, to }: Days): SQL => sql`d.day between ${from} and ${to}`;
const daysIn = (scope: Scope, days: Days) =>
  sql`select d.dimensions from ${listeningDays} d where ${whereScope(scope)} and ${inDays(days)}`;

/** Values of days, and of the whole months between them whose plays are those of their days (decision 0344). */
function allOf(scope: Scope, days: Days): SQL {
  const months = wholeMonths(days);
  return sql`
    with ${months ? monthsIn(scope, months) : sql``} parts as (
      ${months ? sql.join(partsAround(scope, days, months), sql` union all `) : daysIn(scope, days)}
    )
    select dimension, key, sum(plays::int)::float8 as plays
    from parts, jsonb_each(dimensions) as v(dimension, counts), jsonb_each_text(counts) as c(key, plays)
    group by 1, 2`;
}

/** `dimensions` is null for months that lack plays. */
const monthsIn = (scope: Scope, months: Days) => sql`
  months as materialized (
    select d.product_id, d.month, m.dimensions
    from (
      select d.product_id, ${monthOf(sql`d.day`)} as month, sum(d.listens + d.downloads) as plays
      from ${listeningDays} d where ${whereScope(scope)} and ${inDays(months)} group by 1, 2
    ) d
    left join ${listeningMonths} m on m.creator_id = ${scope.creatorId} and m.product_id = d.product_id
      and m.month = d.month and m.plays = d.plays
  ),`;

const partsAround = (scope: Scope, days: Days, months: Days): SQL[] => [
  sql`select dimensions from months where dimensions is not null`,
  sql`
    select d.dimensions from months m
    join ${listeningDays} d on d.creator_id = ${scope.creatorId} and d.product_id = m.product_id
      and d.day >= m.month and d.day < m.month + interval '1 month'
    where m.dimensions is null`,
  daysIn(scope, { from: days.from, to: dayAfter(months.from, -1) }),
  daysIn(scope, { from: dayAfter(months.to, 1), to: days.to }),
];

/** The pairs of a country and an app that pass the filters, once by country and once by app. */
const pairsOf = (scope: Scope, days: Days, { country, app }: Filters) => sql`
  with pairs as (
    select split_part(pair, '|', 1) as country, split_part(pair, '|', 2) as app, sum(plays::int)::float8 as plays
    from ${listeningDays} d, jsonb_each_text(d.pairs) as p(pair, plays)
    where ${whereScope(scope)} and ${inDays(days)} group by 1, 2
  ), passed as (
    select * from pairs
    where (${country ?? null}::text is null or country = ${country ?? null})
      and (${app ?? null}::text is null or app = ${app ?? null})
  )
  select 'country' as dimension, country as key, sum(plays) as plays from passed group by country
  union all
  select 'app', app, sum(plays) from passed group by app`;

const weekdaysQuery = (scope: Scope, days: ZonedDay[]) => sql`
  select z.slots_off as offset, extract(isodow from d.day)::int - 1 as weekday, slot::int, sum(plays::int)::float8 as plays
  from unnest(${plainArray(days.map(({ day }) => day))}::date[],
    ${plainArray(days.map(({ offset }) => offset))}::int[]) as z(day, slots_off)
  join ${listeningDays} d on ${whereScope(scope)} and d.day = z.day
    and d.day between ${days[0]!.day} and ${days.at(-1)!.day},
    jsonb_each(d.slots) as m(measure, counts), jsonb_each_text(counts) as c(slot, plays)
  where measure <> 'p' group by 1, 2, 3`;

const keptStartsQuery = (episodes: ReleasedEpisode[]) => sql`
  select t.episode_id::float8 as id, first_24h::float8 as day, first_7d::float8 as week, first_30d::float8 as month
  from ${releasedHours(episodes)} join ${episodeTotals} t on t.episode_id = e.id and ${hasStarts(sql`e.hour`)}`;

const startsQuery = (episodes: ReleasedEpisode[]) => sql`
  select id::float8, ${within(24)}::float8 as day, ${within(168)}::float8 as week, ${within(720)}::float8 as month
  from (${sinceRelease(releasedRows(episodes))}) s group by id`;

const releasedRows = (released: ReleasedEpisode[]) => sql`
  select k.id, k.creator_id, k.product_id, e.hour as released_hour
  from ${releasedHours(released)} join ${episodes} k on k.id = e.id`;

const releasedHours = (released: ReleasedEpisode[]) => sql`unnest(
  ${plainArray(released.map(({ id }) => id))}::bigint[],
  ${plainArray(released.map(({ releasedAt }) => Math.floor(releasedAt.getTime() / HOURS(1))))}::int[]) as e(id, hour)`;

/** The show of an episode leads to its months by their key. */
const episodesQuery = (ids: number[], { from, until }: { from: Date; until: Date }) => sql`
  select id, sum(plays)::float8 as plays
  from (
    select k.id::float8 as id, plays::int as plays,
      m.month + (left(moment, 2)::int - 1) * interval '1 day' + right(moment, 2)::int * interval '1 hour' as at
    from ${episodes} k
    join ${episodeMonths} m on m.creator_id = k.creator_id and m.product_id = k.product_id and m.episode_id = k.id
      and m.month between date_trunc('month', ${utcDay(from)}::date)::date and ${utcDay(until)}::date,
      jsonb_each(m.hours) as h(measure, counts), jsonb_each_text(counts) as c(moment, plays)
    where k.id = any(${plainArray(ids)}::bigint[]) and measure <> 'p'
  ) hours
  where at >= ${from.toISOString()}::timestamptz at time zone 'UTC'
    and at < ${until.toISOString()}::timestamptz at time zone 'UTC'
  group by id`;

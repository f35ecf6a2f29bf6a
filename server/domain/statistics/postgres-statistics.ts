import { and, between, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '~/db/client';
import { plainArray } from '~/db/driver/plain-array';
import { episodes } from '~/db/schema/episodes';
import { episodeMonths, listeningDays } from '~/db/schema/listening';
import type { TimeCounts } from '~/db/values/statistics';
import type {
  Bucket,
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
import { utcDay } from '../../base/time';
import { isFiltered, SLOTS_PER_DAY } from './rules';

/** Statistics from the rollups in Postgres: one row per show and day, and per episode and month. */
export function postgresStatistics(db: Database): StatisticsPort {
  return {
    store: null,
    sumBuckets: async (scope, asked) => [...(await db.execute<Point>(bucketsQuery(scope, asked)))],
    sumShows: async (creatorId, buckets) => [...(await db.execute<ShowPoint>(showsQuery(creatorId, buckets)))],
    async sumDimensions(scope, { from, to, filters }) {
      const where = sql`${whereScope(scope)} and d.day between ${from} and ${to}`;
      return [...(await db.execute<DimensionPlays>(isFiltered(filters) ? pairsOf(where, filters) : allOf(where)))];
    },
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
    sumStarts: async (episodes) => [...(await db.execute<Starts>(startsQuery(episodes)))],
    sumHours: async (episodes, { hours }) => [
      ...(await db.execute<HourPlays>(sql`
        select id::float8, hour, sum(plays)::float8 as plays from (${sinceRelease(episodes)}) s
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

const weekdaysQuery = (scope: Scope, days: ZonedDay[]) => sql`
  select z.slots_off as offset, extract(isodow from d.day)::int - 1 as weekday, slot::int, sum(plays::int)::float8 as plays
  from unnest(${plainArray(days.map(({ day }) => day))}::date[],
    ${plainArray(days.map(({ offset }) => offset))}::int[]) as z(day, slots_off)
  join ${listeningDays} d on ${whereScope(scope)} and d.day = z.day
    and d.day between ${days[0]!.day} and ${days.at(-1)!.day},
    jsonb_each(d.slots) as m(measure, counts), jsonb_each_text(counts) as c(slot, plays)
  where measure <> 'p' group by 1, 2, 3`;

function startsQuery(episodes: ReleasedEpisode[]): SQL {
  const within = (hours: number) =>
    sql`coalesce(sum(plays) filter (where hour between 0 and ${hours - 1}::int), 0)::float8`;
  return sql`
    select id::float8, ${within(24)} as day, ${within(168)} as week, ${within(720)} as month
    from (${sinceRelease(episodes)}) s group by id`;
}

/** Each play of the episodes with its hour since the release. The show of an episode leads to its months by their key. */
const sinceRelease = (released: ReleasedEpisode[]) => sql`
  select m.episode_id as id, plays::int as plays, since + (moment::int / 100 - 1) * 24 + moment::int % 100 as hour
  from unnest(${plainArray(released.map(({ id }) => id))}::bigint[],
    ${plainArray(released.map(({ releasedAt }) => startOfHour(releasedAt)))}::timestamp[]) as e(id, at)
  join ${episodes} k on k.id = e.id
  join ${episodeMonths} m on m.creator_id = k.creator_id and m.product_id = k.product_id and m.episode_id = k.id
    and m.month between date_trunc('month', e.at)::date and (e.at + interval '30 days')::date,
    lateral (select (extract(epoch from m.month - e.at) / 3600)::int as since offset 0) month,
    jsonb_each(m.hours) as h(measure, counts), jsonb_each_text(counts) as c(moment, plays)
  where measure <> 'p'`;

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

const startOfHour = (at: Date) => `${at.toISOString().slice(0, 13)}:00:00`;

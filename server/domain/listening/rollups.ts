import { type SQL, sql } from 'drizzle-orm';
import { DIMENSIONS, OWN_PLAYERS } from '~/db/values/statistics';
import { ROLLUP_LIMITS } from '../../limits/listening';
import { RELEASED_HOUR, within } from './starts';

export type Measure = 'listens' | 'downloads';

/** Our players report their plays as listens, so their downloads are added to no chart (decision 0325). */
export const IS_OF_OWN_PLAYER = sql`
  coalesce(source in (${sql.raw(OWN_PLAYERS.map((source) => `'${source}'`).join(', '))}), false)`;

/** The columns with an event's facts. */
export const FACTS = sql.raw(DIMENSIONS.join(', '));

/** Each key of a map takes more than 17 bytes, so that a smaller map has no more values than any limit. */
const SMALL_BYTES = 17 * Math.min(ROLLUP_LIMITS.pairs, ...Object.values(ROLLUP_LIMITS.values));
const MOST_VALUES = sql`${JSON.stringify(ROLLUP_LIMITS.values)}::text::jsonb`;
const MOST_PAIRS = sql`${JSON.stringify({ pairs: ROLLUP_LIMITS.pairs })}::text::jsonb`;

const addPairs = (a: SQL, b: SQL) =>
  sql`add_counts(jsonb_build_object('pairs', ${a}), jsonb_build_object('pairs', ${b}), ${MOST_PAIRS}) -> 'pairs'`;
/** The sums of a batch; those that may have more values than the limit are larger. */
const limited = (sums: SQL, limit: SQL) =>
  sql`case when pg_column_size(${sums}) > ${sql.raw(`${SMALL_BYTES}`)} then ${limit} else ${sums} end`;

/** The sums of values in `dimensions`, of which only so many keep their name. */
export const LIMITED_VALUES = limited(sql`dimensions`, sql`add_counts('{}', dimensions, ${MOST_VALUES})`);

/** The first day of a day's month. */
export const monthOf = (day: SQL): SQL => sql`${day} - (extract(day from ${day})::int - 1)`;

/** The part of a statement that adds what it has counted to sums. */
export type AddToSums = (measure: Measure, counted: SQL) => SQL;

/**
 * The part of a statement that adds newly counted events to the row of each product's day, and to the monthly row and the
 * total of each episode. It locks rows in key order, listeners before days, months of episodes and totals, so that
 * concurrent processes wait instead of deadlocking. Months of products are summed up once they are over
 * (catch-up-sums.ts): each play would make one more row dearer that no chart reads before.
 * @param counted selects day, creator_id, product_id, episode_id, at, listener_key and FACTS; one row per event
 */
export function addToRollups(measure: Measure, counted: SQL): SQL {
  return sql`
    ${sumEvents(measure, counted)}, fresh as (
      insert into daily_listeners (day, product_id, listener_key)
      select distinct day, product_id, listener_key from counted where listener_key is not null order by 1, 2, 3
      on conflict do nothing
      returning day, product_id
    ), ${addSums(measure, sql`select day, product_id, count(*)::int as listeners from fresh group by 1, 2`)}, ${addTotals(measure)}`;
}

/** Adds to the totals of episodes and to their starts; those of another release stay wrong until they are counted again. */
function addTotals(measure: Measure): SQL {
  const name = sql.raw(measure);
  return sql`
    starts as (
      select episode_id, released_hour, ${within(24)} as first_24h, ${within(168)} as first_7d, ${within(720)} as first_30d
      from (
        select episode_id, released_hour, (day - '1970-01-01'::date) * 24 + slot / 4 - released_hour as hour,
          case when is_apart then 0 else events end as plays
        from (
          select episode_id, day, slot, is_apart, sum(events) as events from events group by 1, 2, 3, 4
        ) e left join (select id as episode_id, ${RELEASED_HOUR} as released_hour from episodes) r using (episode_id)
      ) s group by 1, 2
    ), totals as (
      insert into episode_totals as t (episode_id, creator_id, ${name}, player_downloads, released_hour, starts_plays,
        first_24h, first_7d, first_30d)
      select episode_id, creator_id, sum(events), sum(apart), released_hour, sum(events), first_24h, first_7d, first_30d
      from month_sums join starts using (episode_id)
      group by episode_id, creator_id, released_hour, first_24h, first_7d, first_30d order by episode_id
      on conflict (episode_id) do update set
        ${name} = t.${name} + excluded.${name}, player_downloads = t.player_downloads + excluded.player_downloads,
        starts_plays = t.starts_plays
          + case when t.released_hour = excluded.released_hour then excluded.starts_plays else 0 end,
        first_24h = t.first_24h + excluded.first_24h, first_7d = t.first_7d + excluded.first_7d,
        first_30d = t.first_30d + excluded.first_30d
    )`;
}

/** Adds the sums of events to the rows of days and of months. @param listeners selects day, product_id and listeners */
export function addSums(measure: Measure, listeners: SQL): SQL {
  const name = sql.raw(measure);
  const limitedPairs = limited(sql`pairs`, addPairs(sql`'{}'::jsonb`, sql`pairs`));
  return sql`
    days as (
      insert into listening_days as d (creator_id, product_id, day, ${name}, player_downloads, listeners, slots,
        dimensions, pairs)
      select creator_id, product_id, day, events, apart, coalesce(l.listeners, 0), slots,
        ${LIMITED_VALUES}, ${limitedPairs}
      from day_sums left join (${listeners}) l using (day, product_id)
      order by 1, 2, 3
      on conflict (creator_id, product_id, day) do update set
        ${name} = d.${name} + excluded.${name},
        player_downloads = d.player_downloads + excluded.player_downloads,
        listeners = coalesce(d.listeners, 0) + excluded.listeners,
        slots = add_counts(d.slots, excluded.slots),
        dimensions = add_counts(d.dimensions, excluded.dimensions, ${MOST_VALUES}),
        pairs = ${addPairs(sql`d.pairs`, sql`excluded.pairs`)}
    ), months as (
      insert into episode_months as m (creator_id, product_id, episode_id, month, ${name}, player_downloads, hours,
        dimensions)
      select creator_id, product_id, episode_id, month, events, apart, hours, ${LIMITED_VALUES}
      from month_sums
      order by 1, 2, 3, 4
      on conflict (creator_id, product_id, episode_id, month) do update set
        ${name} = m.${name} + excluded.${name},
        player_downloads = m.player_downloads + excluded.player_downloads,
        hours = add_counts(m.hours, excluded.hours),
        dimensions = add_counts(m.dimensions, excluded.dimensions, ${MOST_VALUES})
    )`;
}

/**
 * The sums of events by product and day, and by episode and month, as `day_sums` and `month_sums`. `apart`: the downloads of our own players, which are in nothing else.
 */
export function sumEvents(measure: Measure, counted: SQL): SQL {
  const letter = sql.raw(`'${measure[0]}'`);
  const values = sql.raw(DIMENSIONS.map((name) => `('${name}', ${name})`).join(', '));
  const hour = sql`to_char(day, 'DD') || lpad((slot / 4)::text, 2, '0')`;
  const totals = sql`
    coalesce(max(total) filter (where name <> 'apart'), 0)::int as events,
    coalesce(max(total) filter (where name = 'apart'), 0)::int as apart`;
  const first = (name: string) => sql`(jsonb_agg(counts) filter (where name = ${sql.raw(`'${name}'`)})) -> 0`;
  const times = (name: string) =>
    sql`jsonb_strip_nulls(jsonb_build_object(${letter}, ${first(name)}, 'p', ${first('apart')}))`;
  const isValue = sql`name not in ('slot', 'pair', 'hour', 'apart')`;
  const dimensions = sql`coalesce(jsonb_object_agg(name, counts) filter (where ${isValue}), '{}') as dimensions`;
  const isApart = measure === 'downloads' ? IS_OF_OWN_PLAYER : sql`false`;
  return sql`
    counted as materialized (
      select *, ${isApart} as is_apart,
        (floor(date_part('epoch', at))::bigint % 86400 / 900)::int as slot
      from (${counted}) c
    ), events as materialized (
      -- events of one moment with the same facts are many
      select creator_id, product_id, episode_id, day, slot, is_apart, ${FACTS}, count(*)::int as events
      from counted group by creator_id, product_id, episode_id, day, slot, is_apart, ${FACTS}
    ), day_values as materialized (
      select creator_id, product_id, day, name, key, sum(events) as events
      from events, lateral (
        values ${values}, ('pair', country || '|' || app), ('slot', slot::text), ('apart', slot::text)
      ) v(name, key)
      where key is not null and is_apart = (name = 'apart') group by 1, 2, 3, 4, 5
    ), day_sums as materialized (
      select creator_id, product_id, day, ${totals},
        ${times('slot')} as slots, ${dimensions},
        coalesce(${first('pair')}, '{}') as pairs
      from (
        select creator_id, product_id, day, name, jsonb_object_agg(key, events) as counts, sum(events) as total
        from day_values group by 1, 2, 3, 4
      ) d group by 1, 2, 3
    ), month_sums as materialized (
      select creator_id, product_id, episode_id, month, ${totals},
        ${times('hour')} as hours, ${dimensions}
      from (
        select creator_id, product_id, episode_id, month, name, jsonb_object_agg(key, events) as counts,
          sum(events) as total
        from (
          select creator_id, product_id, episode_id, ${monthOf(sql`day`)} as month, name, key,
            sum(events) as events
          from events, lateral (values ${values}, ('hour', ${hour}), ('apart', ${hour})) v(name, key)
          where key is not null and is_apart = (name = 'apart') group by 1, 2, 3, 4, 5, 6
        ) n group by 1, 2, 3, 4, 5
      ) m group by 1, 2, 3, 4
    )`;
}

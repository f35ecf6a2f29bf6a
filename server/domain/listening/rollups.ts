import { type SQL, sql } from 'drizzle-orm';
import { DIMENSIONS, OWN_PLAYERS } from '~/db/values/statistics';
import { ROLLUP_LIMITS } from '../../limits/listening';

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

/** The part of a statement that adds what it has counted to sums. */
export type AddToSums = (measure: Measure, counted: SQL) => SQL;

/**
 * The part of a statement that adds newly counted events to the daily row of each product, and to the monthly row and
 * the total of each episode. It locks rows in key order, listeners before days, months and totals, so that concurrent
 * processes wait instead of deadlocking.
 * @param counted selects day, creator_id, product_id, episode_id, at, listener_key and FACTS; one row per event
 */
export function addToRollups(measure: Measure, counted: SQL): SQL {
  const name = sql.raw(measure);
  return sql`
    ${sumEvents(measure, counted)}, fresh as (
      insert into daily_listeners (day, product_id, listener_key)
      select distinct day, product_id, listener_key from counted where listener_key is not null order by 1, 2, 3
      on conflict do nothing
      returning day, product_id
    ), ${addSums(measure, sql`select day, product_id, count(*)::int as listeners from fresh group by 1, 2`)}, totals as (
      insert into episode_totals as t (episode_id, creator_id, ${name}, player_downloads)
      select episode_id, creator_id, sum(events), sum(apart) from month_sums group by 1, 2 order by 1
      on conflict (episode_id) do update set
        ${name} = t.${name} + excluded.${name}, player_downloads = t.player_downloads + excluded.player_downloads
    )`;
}

/** Adds the sums of events to the rows of days and months. @param listeners selects day, product_id and listeners */
export function addSums(measure: Measure, listeners: SQL): SQL {
  const name = sql.raw(measure);
  const limitedValues = limited(sql`dimensions`, sql`add_counts('{}', dimensions, ${MOST_VALUES})`);
  const limitedPairs = limited(sql`pairs`, addPairs(sql`'{}'::jsonb`, sql`pairs`));
  return sql`
    days as (
      insert into listening_days as d (creator_id, product_id, day, ${name}, player_downloads, listeners, slots,
        dimensions, pairs)
      select creator_id, product_id, day, events, apart, coalesce(l.listeners, 0), slots,
        ${limitedValues}, ${limitedPairs}
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
      select creator_id, product_id, episode_id, month, events, apart, hours, ${limitedValues}
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
 * The sums of events by product and day, and by episode and month, as `day_sums` and `month_sums`. `apart`: the
 * downloads of our own players, which are in nothing else.
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
    ), day_sums as materialized (
      select creator_id, product_id, day, ${totals},
        ${times('slot')} as slots, ${dimensions},
        coalesce(${first('pair')}, '{}') as pairs
      from (
        select creator_id, product_id, day, name, jsonb_object_agg(key, events) as counts, sum(events) as total
        from (
          select creator_id, product_id, day, name, key, sum(events) as events
          from events, lateral (
            values ${values}, ('pair', country || '|' || app), ('slot', slot::text), ('apart', slot::text)
          ) v(name, key)
          where key is not null and is_apart = (name = 'apart') group by 1, 2, 3, 4, 5
        ) n group by 1, 2, 3, 4
      ) d group by 1, 2, 3
    ), month_sums as materialized (
      select creator_id, product_id, episode_id, month, ${totals},
        ${times('hour')} as hours, ${dimensions}
      from (
        select creator_id, product_id, episode_id, month, name, jsonb_object_agg(key, events) as counts,
          sum(events) as total
        from (
          select creator_id, product_id, episode_id, date_trunc('month', day)::date as month, name, key,
            sum(events) as events
          from events, lateral (values ${values}, ('hour', ${hour}), ('apart', ${hour})) v(name, key)
          where key is not null and is_apart = (name = 'apart') group by 1, 2, 3, 4, 5, 6
        ) n group by 1, 2, 3, 4, 5
      ) m group by 1, 2, 3, 4
    )`;
}

import { type SQL, sql } from 'drizzle-orm';
import { FACTS, IS_OF_OWN_PLAYER, type Measure } from './rollups';

/**
 * As `addToRollups`, for an installation with a store of statistics beside Postgres: it adds to the plain sums, which
 * plans, Discover and pages read, and leaves each play in the outbox of the store. One statement does both, so a play
 * can't be in one and not in the other.
 */
export function addToPlainSums(measure: Measure, counted: SQL): SQL {
  const name = sql.raw(measure);
  const letter = sql.raw(`'${measure[0]}'`);
  const isApart = measure === 'downloads' ? IS_OF_OWN_PLAYER : sql`false`;
  const sums = sql`(count(*) filter (where not is_apart))::int as events, (count(*) filter (where is_apart))::int as apart`;
  const elsewhere = sql`jsonb_strip_nulls(jsonb_build_object(${letter}, nullif(events, 0), 'p', nullif(apart, 0)))`;
  return sql`
    counted as materialized (
      select *, ${isApart} as is_apart from (${counted}) c
    ), fresh as (
      insert into daily_listeners (day, product_id, listener_key)
      select distinct day, product_id, listener_key from counted where listener_key is not null order by 1, 2, 3
      on conflict do nothing
      returning day, product_id
    ), day_sums as (
      select creator_id, product_id, day, ${sums} from counted group by 1, 2, 3
    ), days as (
      insert into listening_days as d (creator_id, product_id, day, ${name}, player_downloads, listeners, elsewhere)
      select creator_id, product_id, day, events, apart, coalesce(l.listeners, 0), ${elsewhere}
      from day_sums
      left join (select day, product_id, count(*)::int as listeners from fresh group by 1, 2) l using (day, product_id)
      order by 1, 2, 3
      on conflict (creator_id, product_id, day) do update set
        ${name} = d.${name} + excluded.${name},
        player_downloads = d.player_downloads + excluded.player_downloads,
        listeners = coalesce(d.listeners, 0) + excluded.listeners,
        elsewhere = add_numbers(d.elsewhere, excluded.elsewhere, null)
    ), month_sums as (
      select creator_id, product_id, episode_id, date_trunc('month', day)::date as month, ${sums}
      from counted group by 1, 2, 3, 4
    ), months as (
      insert into episode_months as m (creator_id, product_id, episode_id, month, ${name}, player_downloads)
      select creator_id, product_id, episode_id, month, events, apart from month_sums order by 1, 2, 3, 4
      on conflict (creator_id, product_id, episode_id, month) do update set
        ${name} = m.${name} + excluded.${name}, player_downloads = m.player_downloads + excluded.player_downloads
    ), totals as (
      insert into episode_totals as t (episode_id, creator_id, ${name}, player_downloads)
      select episode_id, creator_id, sum(events), sum(apart) from month_sums group by 1, 2 order by 1
      on conflict (episode_id) do update set
        ${name} = t.${name} + excluded.${name}, player_downloads = t.player_downloads + excluded.player_downloads
    ), outbox as (
      insert into play_outbox (measure, creator_id, product_id, episode_id, at, ${FACTS})
      select case when is_apart then 'p' else ${letter} end, creator_id, product_id, episode_id, at, ${FACTS} from counted
    )`;
}

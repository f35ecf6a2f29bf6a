import { type SQL, sql } from 'drizzle-orm';

/**
 * The part of a statement that adds newly counted events to the daily row of each product and to the total of each
 * episode. It locks rows in key order, days before totals, so that concurrent processes wait instead of deadlocking.
 * @param counted selects day, creator_id, product_id and episode_id; one row per event
 */
export function addToRollups(measure: 'listens' | 'downloads', counted: SQL): SQL {
  const name = sql.raw(measure);
  return sql`
    counted as materialized (
      select day, creator_id, product_id, episode_id, count(*)::int as events from (${counted}) c group by 1, 2, 3, 4
    ), days as (
      insert into listening_days as d (creator_id, product_id, day, ${name})
      select creator_id, product_id, day, sum(events) from counted group by 1, 2, 3 order by 1, 2, 3
      on conflict (creator_id, product_id, day) do update set ${name} = d.${name} + excluded.${name}
    ), totals as (
      insert into episode_totals as t (episode_id, creator_id, ${name})
      select episode_id, creator_id, sum(events) from counted group by 1, 2 order by 1
      on conflict (episode_id) do update set ${name} = t.${name} + excluded.${name}
    )`;
}

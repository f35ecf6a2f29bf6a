import { type SQL, sql } from 'drizzle-orm';

/**
 * The part of a statement that adds what was just counted to the day's row of each product and to each episode's
 * total. In order of their keys and days before totals, so that two processes wait for each other instead of locking up.
 * @param counted selects day, creator_id, product_id and episode_id, a row for each event
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

import { type SQL, sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import type { TxCtx } from '../../runtime/ctx';

/** The hour of an episode's release, in hours since 1970. Its first hour is the one in which it was released. */
export const RELEASED_HOUR = sql`floor(extract(epoch from release_at) / 3600)::int`;

/** The plays of the first hours, from rows with `hour` since the release and `plays`. */
export const within = (hours: number): SQL =>
  sql`coalesce(sum(plays) filter (where hour between 0 and ${sql.raw(`${hours - 1}`)}), 0)`;

/** What the released hour must be for the starts that are kept with the total `t`. */
export const hasStarts = (hour: SQL): SQL =>
  sql`t.released_hour = ${hour} and t.starts_plays = t.listens + t.downloads`;

/**
 * Each play of episodes with its hour since the release. The show of an episode leads to its months by their key.
 * @param released selects id, creator_id, product_id, and released_hour
 */
export const sinceRelease = (released: SQL): SQL => sql`
  select m.episode_id as id, plays::int as plays, since + (moment::int / 100 - 1) * 24 + moment::int % 100 as hour
  from (${released}) e
  join episode_months m on m.creator_id = e.creator_id and m.product_id = e.product_id and m.episode_id = e.id
    and m.month between date_trunc('month', to_timestamp(released_hour * 3600::float8) at time zone 'UTC')::date
      and (to_timestamp((released_hour + 720) * 3600::float8) at time zone 'UTC')::date,
    lateral (select (m.month - '1970-01-01'::date) * 24 - released_hour as since offset 0) month,
    jsonb_each(m.hours) as h(measure, counts), jsonb_each_text(counts) as c(moment, plays)
  where measure <> 'p'`;

const anyOf = (ids: number[]): SQL => sql`any(${plainArray(ids)}::bigint[])`;

/** Plays of these episodes wait until the end of the transaction. */
export async function lockTotals({ db }: TxCtx, ids: number[]): Promise<void> {
  await db.execute(sql`
    select from episode_totals where episode_id = ${anyOf(ids)} order by episode_id for update`);
}

/** Counts the starts of episodes again, whose totals are locked, from their hours. */
export async function countStarts({ db }: TxCtx, ids: number[]): Promise<void> {
  await db.execute(sql`
    with released as (
      select id, creator_id, product_id, ${RELEASED_HOUR} as released_hour
      from episodes where id = ${anyOf(ids)} and release_at is not null
    )
    update episode_totals t set released_hour = e.released_hour, starts_plays = t.listens + t.downloads,
      first_24h = coalesce(s.first_24h, 0), first_7d = coalesce(s.first_7d, 0), first_30d = coalesce(s.first_30d, 0)
    from released e
    left join (
      select id, ${within(24)} as first_24h, ${within(168)} as first_7d, ${within(720)} as first_30d
      from (${sinceRelease(sql`select * from released`)}) p group by id
    ) s using (id)
    where t.episode_id = e.id`);
}

import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Database } from '~/db/client';

/** Compares what triggers have stored about access (docs/decisions/0290 and 0295) with what a rebuild would store. */
export async function expectRebuilt(db: Database): Promise<void> {
  const stored = await db.execute(sql`select * from holders order by creator_id, product_id, user_id`);
  expect(stored.length).toBeGreaterThan(0);
  expect([...stored]).toEqual([
    ...(await db.execute(sql`select * from holder_facts order by creator_id, product_id, user_id`)),
  ]);
  expect([...(await db.execute(sql`select * from holder_counts order by creator_id, product_id, is_paid, ends_on`))])
    // biome-ignore format: one query
    .toEqual([
    ...(await db.execute(sql`
      select creator_id, product_id, is_paid, (coalesce(k.until, '-infinity') at time zone 'UTC')::date as ends_on, count(*)::int as people
      from holder_facts h cross join lateral (values (false, h.until, h.since), (true, h.paid_until, h.paid_since)) k (is_paid, until, since)
      where k.since is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4`)),
  ]);
  const facts = sql`select creator_id, product_id, user_id, since, state, begins::text, ends::text`;
  expect([...(await db.execute(sql`${facts} from buyer_states order by product_id, user_id, begins`))]).toEqual([
    ...(await db.execute(sql`${facts} from buyer_state_facts order by product_id, user_id, begins`)),
  ]);
  expect([...(await db.execute(sql`select * from buyer_state_counts order by creator_id, product_id, state, on_day`))])
    // biome-ignore format: one query
    .toEqual([
    ...(await db.execute(sql`
      select creator_id, product_id, state, (k.at at time zone 'UTC')::date as on_day, sum(k.sign)::int as people
      from buyer_state_facts f cross join lateral (values (f.begins, 1), (f.ends, -1)) k (at, sign)
      where k.at < 'infinity' group by 1, 2, 3, 4 having sum(k.sign) <> 0 order by 1, 2, 3, 4`)),
  ]);
  expect([...(await db.execute(sql`select * from grant_counts order by product_id, source, ends_on`))])
    // biome-ignore format: one query
    .toEqual([
    ...(await db.execute(sql`
      select product_id, source, (coalesce(ends_at, 'infinity') at time zone 'UTC')::date as ends_on, count(*)::int as grants
      from grants group by 1, 2, 3 order by 1, 2, 3`)),
  ]);
}

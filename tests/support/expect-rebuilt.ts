import { type SQL, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Database } from '~/db/client';

const HOLDERS = sql`select * from holders order by creator_id, product_id, user_id`;
const FACTS = sql`select creator_id, product_id, user_id, since, state, begins::text, ends::text`;

/** What triggers have stored about access (docs/decisions/0290 and 0295), and what a rebuild would store. */
const PAIRS: [stored: SQL, rebuilt: SQL][] = [
  [HOLDERS, sql`select * from holder_facts order by creator_id, product_id, user_id`],
  [
    sql`select * from holder_counts order by creator_id, product_id, is_paid, ends_on`,
    sql`select creator_id, product_id, is_paid, (coalesce(k.until, '-infinity') at time zone 'UTC')::date as ends_on,
      count(*)::int as people
      from holder_facts h cross join lateral
        (values (false, h.until, h.since), (true, h.paid_until, h.paid_since)) k (is_paid, until, since)
      where k.since is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  ],
  [
    sql`${FACTS} from buyer_states order by product_id, user_id, begins`,
    sql`${FACTS} from buyer_state_facts order by product_id, user_id, begins`,
  ],
  [
    sql`select * from buyer_state_counts order by creator_id, product_id, state, on_day`,
    sql`select creator_id, product_id, state, (k.at at time zone 'UTC')::date as on_day, sum(k.sign)::int as people
      from buyer_state_facts f cross join lateral (values (f.begins, 1), (f.ends, -1)) k (at, sign)
      where k.at < 'infinity' group by 1, 2, 3, 4 having sum(k.sign) <> 0 order by 1, 2, 3, 4`,
  ],
  [
    sql`select * from grant_counts order by product_id, source, ends_on`,
    sql`select product_id, source, (coalesce(ends_at, 'infinity') at time zone 'UTC')::date as ends_on,
      count(*)::int as grants
      from grants group by 1, 2, 3 order by 1, 2, 3`,
  ],
];

/** Compares what triggers have stored with what a rebuild would store. There must be some of it. */
export async function expectRebuilt(db: Database): Promise<void> {
  expect((await db.execute(HOLDERS)).length).toBeGreaterThan(0);
  for (const [stored, rebuilt] of PAIRS)
    expect([...(await db.execute(stored))]).toEqual([...(await db.execute(rebuilt))]);
}

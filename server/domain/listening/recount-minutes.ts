import { sql } from 'drizzle-orm';
import { type Ctx, transact } from '../../runtime/ctx';
import { sumMinutes } from './heard-minutes';
import type { ShowMonth } from './recount-month';

/**
 * Sums up again the minutes that were heard of a show's episodes in a month whose rows are all kept. A report
 * that arrives meanwhile waits for the sums of its episode, or was committed before the rows are read, so none is lost.
 */
export async function recountMinutes(ctx: Ctx, { creatorId, productId, from, until }: ShowMonth): Promise<void> {
  const rows = sql`
    (select * from heard_minutes where creator_id = ${creatorId} and product_id = ${productId}
      and day >= ${from}::date and day < ${until}::date)`;
  const ofMonth = sql`creator_id = ${creatorId} and product_id = ${productId} and month = ${from}::date`;
  await transact(ctx, async (tx) => {
    await tx.db.execute(sql`
      insert into episode_minutes (creator_id, product_id, episode_id, month)
      select distinct creator_id, product_id, episode_id, ${from}::date from ${rows} r order by 3
      on conflict do nothing`);
    await tx.db.execute(sql`select from episode_minutes where ${ofMonth} order by episode_id for update`);
    await ctx.reach('recount.minutes_locked');
    await tx.db.execute(sql`
      with ${sumMinutes(rows)}
      update episode_minutes m set listeners = s.listeners, minutes = s.minutes, heard = s.heard
      from minute_sums s
      where m.creator_id = s.creator_id and m.product_id = s.product_id and m.episode_id = s.episode_id
        and m.month = s.month`);
  });
}

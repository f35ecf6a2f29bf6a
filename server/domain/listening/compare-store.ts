import { max, sql } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import type { Measure, PlayStore } from '../../adapters/statistics/port';
import { STATISTICS_STORE_LIMITS } from '../../limits/statistics-store';
import type { Ctx } from '../../runtime/ctx';
import { noStatisticsStore } from './errors';

/** A day of a show whose plays in the store are others than those that were sent there. */
export type StoreDifference = { productId: number; day: string; measure: Measure; sent: number; stored: number };

type Sent = { productId: number; day: string; measure: Measure; sent: number };
type Range = { from: number; until: number };

/**
 * Compares the plays of each day and show in the store with those that were sent there. Plays that wait in the outbox
 * are not expected yet; plays that are sent meanwhile may be on either side. @throws listening.no_store
 */
export async function compareStore(ctx: Ctx): Promise<StoreDifference[]> {
  const { store } = ctx.ports.statistics;
  if (store === null) throw noStatisticsStore();
  const [last] = await ctx.db.select({ id: max(products.id) }).from(products);
  const differences: StoreDifference[] = [];
  for (let from = 0; from <= (last?.id ?? 0); from += STATISTICS_STORE_LIMITS.compared)
    differences.push(...(await compareRange(ctx, store, { from, until: from + STATISTICS_STORE_LIMITS.compared })));
  return differences;
}

async function compareRange(ctx: Ctx, store: PlayStore, range: Range): Promise<StoreDifference[]> {
  const before = await sentOf(ctx, range);
  const rows = await store.sumDays(range);
  const after = await sentOf(ctx, range);
  const stored = new Map(rows.map((row) => [keyOf(row), row]));
  const keys = [...new Set([...before.keys(), ...after.keys(), ...stored.keys()])].sort();
  return keys.flatMap((key) => {
    const [least, most] = [before.get(key)?.sent ?? 0, after.get(key)?.sent ?? 0];
    const plays = stored.get(key)?.plays ?? 0;
    if (plays >= least && plays <= most) return [];
    const { productId, day, measure } = (after.get(key) ?? before.get(key) ?? stored.get(key))!;
    return [{ productId, day, measure, sent: most, stored: plays }];
  });
}

const keyOf = ({ productId, day, measure }: Omit<Sent, 'sent'>) => `${productId} ${day} ${measure}`;

/** One statement, so that a play is in the sums and in the outbox, or in none of them. */
async function sentOf({ db }: Ctx, { from, until }: Range): Promise<Map<string, Sent>> {
  const rows = await db.execute<Sent>(sql`
    select product_id::float8 as "productId", day::text, measure, sum(plays)::float8 as sent from (
      select product_id, day, measure, plays::int from listening_days, jsonb_each_text(elsewhere) as e(measure, plays)
      where product_id >= ${from} and product_id < ${until}
      union all
      select product_id, (at at time zone 'UTC')::date, measure, -1 from play_outbox
      where product_id >= ${from} and product_id < ${until}
    ) s group by 1, 2, 3 having sum(plays) <> 0 order by 1, 2, 3`);
  return new Map([...rows].map((row) => [keyOf(row), row]));
}

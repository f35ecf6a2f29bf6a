import { eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import type { Money } from '../../base/money';
import { may } from '../../policy/authorize';
import { countLive } from '../../policy/holder-counts';
import type { Ctx } from '../../runtime/ctx';
import { revenueOf } from './revenue';
import type { DayRange } from './rules';

/**
 * `subscribers`: people with access at present. `revenue`: what they paid in the period (UTC days) less refunds, with one
 * amount for each currency.
 */
export type ShowSales = { subscribers: number; revenue: Money[] };
type Show = { id: number; creatorId: number };

/** Null for members of the team who don't see buyers. */
export async function salesOfShow(ctx: Ctx, show: Show, period: DayRange): Promise<ShowSales | null> {
  if (!may(ctx, 'product.readBuyers', show)) return null;
  const { id: productId, creatorId } = show;
  const [subscribers, revenue] = await Promise.all([
    peopleWithAccess(ctx, show),
    revenueOf(ctx, { creatorId, productId }, { period, before: period }),
  ]);
  return { subscribers, revenue: revenue.map(({ now, currency }) => ({ minor: now, currency })) };
}

/** The people who have access to a show at present, free access included. */
export async function peopleWithAccess(ctx: Ctx, { id: productId, creatorId }: Show): Promise<number> {
  const [counted] = await ctx.db
    .select({ people: countLive({ creatorId, productId, isPaid: false }, ctx.now()) })
    .from(products)
    .where(eq(products.id, productId));
  return counted?.people ?? 0;
}

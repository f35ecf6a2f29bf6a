import { and, asc, between, eq, sql } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { saleDays } from '~/db/schema/sale-days';
import type { Money } from '../../base/money';
import { may } from '../../policy/authorize';
import { countLive } from '../../policy/holder-counts';
import type { Ctx } from '../../runtime/ctx';
import type { DayRange } from './rules';

/**
 * `subscribers`: people with access at present. `revenue`: what they paid in the period (UTC days) less refunds, with one
 * amount for each currency.
 */
export type ShowSales = { subscribers: number; revenue: Money[] };

/** Null for members of the team who don't see buyers. */
export async function salesOfShow(
  ctx: Ctx,
  show: { id: number; creatorId: number },
  { from, to }: DayRange,
): Promise<ShowSales | null> {
  if (!may(ctx, 'product.readBuyers', show)) return null;
  const { id: productId, creatorId } = show;
  const { currency, amountMinor, refundedMinor, day } = saleDays;
  const [[counted], revenue] = await Promise.all([
    ctx.db
      .select({ subscribers: countLive({ creatorId, productId, isPaid: false }, ctx.now()) })
      .from(products)
      .where(eq(products.id, productId)),
    ctx.db
      .select({ minor: sql<number>`sum(${amountMinor} - ${refundedMinor})`.mapWith(Number), currency })
      .from(saleDays)
      .where(and(eq(saleDays.creatorId, creatorId), eq(saleDays.productId, productId), between(day, from, to)))
      .groupBy(currency)
      .orderBy(asc(currency)),
  ]);
  return { subscribers: counted?.subscribers ?? 0, revenue };
}

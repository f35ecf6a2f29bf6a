import type { Ctx } from '../../runtime/ctx';
import { pricesOnSale } from '../billing/base/rules';
import { type ShowTotals, showTotals } from '../episodes/show-totals';
import { acceptsBuyers } from '../plans/features';
import type { ProductRow } from '../products/queries';

/** What a page tells those who may not hear a paid show, and whether they can buy it now. */
export type ShowOffer = { isOnSale: boolean; totals: ShowTotals };

export async function showOffer(ctx: Ctx, product: ProductRow): Promise<ShowOffer> {
  const [isOnSale, totals] = await Promise.all([isForSale(ctx, product), showTotals(ctx, product.id)]);
  return { isOnSale, totals };
}

export async function isForSale(ctx: Ctx, product: ProductRow): Promise<boolean> {
  return pricesOnSale(product).length > 0 && acceptsBuyers(ctx, product.creatorId);
}

import type { Ctx } from '../../runtime/ctx';
import { pricesOnSale } from '../billing/base/rules';
import { sellsNow } from '../plans/features';
import type { ProductRow } from '../products/queries';

/** Whether visitors can buy the show now. */
export async function isForSale(ctx: Ctx, product: ProductRow): Promise<boolean> {
  return pricesOnSale(product).length > 0 && sellsNow(ctx, product.creatorId);
}

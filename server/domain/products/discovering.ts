import type { Ctx } from '../../ctx';
import { listOpenProductRows } from './queries';
import type { DiscoverProducts } from './schema';
import { type Product, shownProduct } from './showing';

/** The newest products that everybody can hear something of, whoever made them. */
export async function discoverProducts(ctx: Ctx, { pageSize }: DiscoverProducts): Promise<Product[]> {
  return (await listOpenProductRows(ctx, pageSize)).map(shownProduct);
}

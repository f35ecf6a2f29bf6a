import type { Ctx } from '../../ctx';
import { listDiscoverableRows } from './queries';
import type { DiscoverProducts } from './schema';
import { type ProductView, toProductView } from './views';

/** The newest products that everybody can hear something of, whoever made them. */
export async function discoverProducts(ctx: Ctx, { pageSize }: DiscoverProducts): Promise<ProductView[]> {
  return (await listDiscoverableRows(ctx, pageSize)).map(toProductView);
}

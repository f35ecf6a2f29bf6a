import type { Ctx } from '../../ctx';
import type { Page } from '../../paging';
import { requireUser } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { findProductRecord, listDiscoverableRows, listProductRows } from './queries';
import type { DiscoverProducts, FindProduct, ListProducts } from './schema';
import { type ProductView, toProductView } from './views';

/** A product, for anybody. @throws product.not_found */
export async function getProduct(ctx: Ctx, { id, kind }: FindProduct): Promise<ProductView> {
  return toProductView(ctx, await findProductRecord(ctx, id, kind));
}

/** A product, for its owner's screens. @throws product.not_found, also for anybody else */
export async function getOwnProduct(ctx: Ctx, { id, kind }: FindProduct): Promise<ProductView> {
  const found = await findProductRecord(ctx, id, kind);
  authorize(ctx, 'product.manage', found.product);
  return toProductView(ctx, found);
}

/** A page of the user's own products; empty if the user has no creator page. */
export async function listOwnProducts(ctx: Ctx, input: ListProducts): Promise<Page<ProductView>> {
  const { creatorId } = requireUser(ctx);
  const { items, total } = creatorId ? await listProductRows(ctx, creatorId, input) : { items: [], total: 0 };
  return { items: items.map((row) => toProductView(ctx, row)), total, page: input.page, pageSize: input.pageSize };
}

/** The newest products of all creators that are free to listen to. */
export async function discoverProducts(ctx: Ctx, { pageSize }: DiscoverProducts): Promise<ProductView[]> {
  return (await listDiscoverableRows(ctx, pageSize)).map((row) => toProductView(ctx, row));
}

import type { Ctx } from '../../ctx';
import { slugFrom } from '../../fields';
import { PRODUCT_LIMITS } from '../../limits/products';
import type { Page } from '../../paging';
import { requireCreator, requireUser } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { findProductRecord, isSlugTaken, listProductRows } from './queries';
import type { FindProduct, ListProducts } from './schema';
import { type ProductView, toProductView } from './views';

/** A product as everybody may see it. @throws product.not_found */
export async function getProduct(ctx: Ctx, { id, kind }: FindProduct): Promise<ProductView> {
  return toProductView(await findProductRecord(ctx, id, kind));
}

/** A product for the screens of its owner. @throws common.not_found for anybody else */
export async function getOwnProduct(ctx: Ctx, { id, kind }: FindProduct): Promise<ProductView> {
  const found = await findProductRecord(ctx, id, kind);
  authorize(ctx, 'product.manage', found.product);
  return toProductView(found);
}

/** The user's own products, a page at a time: none for who has no creator page. */
export async function listOwnProducts(ctx: Ctx, input: ListProducts): Promise<Page<ProductView>> {
  const { creatorId } = requireUser(ctx);
  const { items, total } = creatorId ? await listProductRows(ctx, creatorId, input) : { items: [], total: 0 };
  return { items: items.map(toProductView), total, page: input.page, pageSize: input.pageSize };
}

/** Whether a slug is free among the creator's products; `slug` is what would be stored. */
export async function slugAvailability(ctx: Ctx, input: { slug: string; exceptId?: number }) {
  const { creatorId } = requireCreator(ctx);
  const slug = slugFrom(input.slug, PRODUCT_LIMITS.slugLength);
  return { slug, available: slug !== '' && !(await isSlugTaken(ctx, creatorId, slug, input.exceptId)) };
}

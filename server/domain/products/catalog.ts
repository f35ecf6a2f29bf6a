import type { Ctx } from '../../ctx';
import type { Page } from '../../paging';
import { requireUser } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import {
  countAllEpisodes,
  findProductRecord,
  listDiscoverableRows,
  listProductRows,
  type ProductRecord,
} from './queries';
import type { DiscoverProducts, FindProduct, ListProducts } from './schema';
import { type ProductView, toProductView } from './views';

/** A product, for anybody. @throws product.not_found */
export async function getProduct(ctx: Ctx, { id, kind }: FindProduct): Promise<ProductView> {
  return toProductView(ctx, await findProductRecord(ctx, id, kind));
}

/**
 * `episodesCount` counts what visitors see listed; `allEpisodesCount` also drafts and private, scheduled and failed
 * ones.
 */
export type OwnProductView = ProductView & { allEpisodesCount: number };

/** A product, for its owner's screens. @throws product.not_found, also for anybody else */
export async function getOwnProduct(ctx: Ctx, { id, kind }: FindProduct): Promise<OwnProductView> {
  const found = await findProductRecord(ctx, id, kind);
  authorize(ctx, 'product.manage', found.product);
  const counts = await countAllEpisodes(ctx, [found.product.id]);
  return toOwnView(ctx, found, counts);
}

/** A page of the user's own products; empty if the user has no creator page. */
export async function listOwnProducts(ctx: Ctx, input: ListProducts): Promise<Page<OwnProductView>> {
  const { creatorId } = requireUser(ctx);
  const { items: rows, total } = creatorId ? await listProductRows(ctx, creatorId, input) : { items: [], total: 0 };
  const ids = rows.map(({ product }) => product.id);
  const counts = await countAllEpisodes(ctx, ids);
  const items = rows.map((row) => toOwnView(ctx, row, counts));
  return { items, total, page: input.page, pageSize: input.pageSize };
}

function toOwnView(ctx: Ctx, record: ProductRecord, counts: Map<number, number>): OwnProductView {
  return { allEpisodesCount: counts.get(record.product.id) ?? 0, ...toProductView(ctx, record) };
}

/** The newest products of all creators that are free to listen to. */
export async function discoverProducts(ctx: Ctx, { pageSize }: DiscoverProducts): Promise<ProductView[]> {
  return (await listDiscoverableRows(ctx, pageSize)).map((row) => toProductView(ctx, row));
}

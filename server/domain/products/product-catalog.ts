import type { Page } from '../../base/paging';
import { requireUser } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { assertProductShown } from './archive-product';
import { countAllEpisodes, findProductRecord, listAudiences, listProductRows, type ProductRecord } from './queries';
import type { FindProduct, ListProducts } from './schema';
import { type ProductWithAudience, toProductView, withAudience } from './views';

/** A public product. @throws product.not_found */
export async function getProduct(ctx: Ctx, { id, kind }: FindProduct): Promise<ProductWithAudience> {
  const found = await findProductRecord(ctx, id, kind);
  await assertProductShown(ctx, found.product);
  return toViewWithAudience(ctx, found);
}

/** Reads the audience only for logged-in users. */
export async function toViewWithAudience(ctx: Ctx, record: ProductRecord): Promise<ProductWithAudience> {
  const { id } = record.product;
  const audiences = ctx.actor.type === 'user' ? await listAudiences(ctx, [id]) : null;
  return { ...toProductView(ctx, record), ...withAudience(ctx, record, audiences?.get(id)) };
}

/**
 * `episodesCount` counts the listed episodes that visitors see; `allEpisodesCount` also counts drafts and private,
 * scheduled and failed episodes.
 */
export type OwnProductView = ProductWithAudience & {
  allEpisodesCount: number;
  /** An episode is published, but the page about the first publish was not opened yet. */
  isFirstPublishUnseen: boolean;
};

/** A product, for the team's screens. @throws product.not_found, also for other users */
export async function getOwnProduct(ctx: Ctx, { id, kind }: FindProduct): Promise<OwnProductView> {
  const found = await findProductRecord(ctx, id, kind);
  authorize(ctx, 'product.read', found.product);
  return (await toOwnViews(ctx, [found]))[0]!;
}

/** A page of the products of the creator that the user works for; empty without a creator. */
export async function listOwnProducts(ctx: Ctx, input: ListProducts): Promise<Page<OwnProductView>> {
  const { creatorId } = requireUser(ctx);
  const { items: rows, total } = creatorId
    ? await listProductRows(ctx, creatorId, input, { offered: false })
    : { items: [], total: 0 };
  return { items: await toOwnViews(ctx, rows), total, page: input.page, pageSize: input.pageSize };
}

async function toOwnViews(ctx: Ctx, records: ProductRecord[]): Promise<OwnProductView[]> {
  const ids = records.map(({ product }) => product.id);
  const [counts, audiences] = await Promise.all([countAllEpisodes(ctx, ids), listAudiences(ctx, ids)]);
  return records.map((record) => {
    const { id, firstPublishSeenAt } = record.product;
    const isFirstPublishUnseen = firstPublishSeenAt === null && record.episodesCount > 0;
    const counted = { allEpisodesCount: counts.get(id) ?? 0, ...withAudience(ctx, record, audiences.get(id)) };
    return { isFirstPublishUnseen, ...counted, ...toProductView(ctx, record) };
  });
}

import { PAGE_LIMITS } from '../../limits/paging';
import { VISITOR } from '../../policy/actor';
import type { Ctx } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { type CreatorView, toCreatorView } from '../creators/views';
import { assertCanSee } from '../episodes/episode-catalog';
import { findEpisodeRecord, listEpisodeRows } from '../episodes/queries';
import { type EpisodeView, toEpisodeView } from '../episodes/views';
import { assertProductShown } from '../products/archive-product';
import { KINDS } from '../products/kinds';
import { findProductRecord } from '../products/queries';
import { type ProductView, toProductView } from '../products/views';
import type { EmbedInput } from './schema';

/** Content of a frame on another site: the same for all visitors, so their access does not count. */
export type Embed = { creator: CreatorView; product: ProductView; episodes: EpisodeView[]; total: number };

/** Content of a frame with one episode. @throws episode.not_found, product.not_found */
export async function embeddedEpisode(ctx: Ctx, { id }: EmbedInput): Promise<Embed> {
  const visitor = { ...ctx, actor: VISITOR };
  const found = await findEpisodeRecord(visitor, id);
  assertCanSee(visitor, found);
  const product = await findProductRecord(visitor, found.product.id);
  return {
    creator: toCreatorView(visitor, await findCreator(visitor, product.creator.id)),
    product: toProductView(visitor, product),
    episodes: [toEpisodeView(visitor, found)],
    total: 1,
  };
}

/** A show's first episodes in play order. @throws product.not_found */
export async function embeddedProduct(ctx: Ctx, { id }: EmbedInput): Promise<Embed> {
  const visitor = { ...ctx, actor: VISITOR };
  const found = await findProductRecord(visitor, id);
  await assertProductShown(visitor, found.product);
  const ordering = KINDS[found.product.kind].playOrder === 'newest_first' ? '-release_date' : 'release_date';
  const list = { ordering, page: 1, pageSize: PAGE_LIMITS.embedded } as const;
  const { items, total } = await listEpisodeRows(visitor, found, list, 'listed');
  return {
    creator: toCreatorView(visitor, await findCreator(visitor, found.creator.id)),
    product: toProductView(visitor, found),
    episodes: items.map((row) => toEpisodeView(visitor, row)),
    total,
  };
}

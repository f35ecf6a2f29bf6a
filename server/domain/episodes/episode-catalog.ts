import type { Page } from '../../base/paging';
import { authorize, may } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { assertProductShown } from '../products/archive-product';
import { findProductRecord } from '../products/queries';
import type { FindProduct } from '../products/schema';
import { countPublished, type EpisodeRecord, factsOf, findEpisodeRecord, listEpisodeRows } from './queries';
import type { FindEpisode, ListEpisodes } from './schema';
import { type EpisodeView, toEpisodeView } from './views';

/** @throws episode.not_found if the caller may not know that the episode exists */
export function assertCanSee(ctx: Ctx, record: EpisodeRecord): void {
  authorize(ctx, 'episode.see', factsOf(record));
}

/** An episode that the caller may see. @throws episode.not_found, also if the caller may not see it */
export async function getEpisode(ctx: Ctx, { id, kind }: FindEpisode): Promise<EpisodeView> {
  const found = await findEpisodeRecord(ctx, id, kind);
  assertCanSee(ctx, found);
  return toEpisodeView(ctx, found);
}

/** An episode, for the team's screens. @throws episode.not_found, also for other users */
export async function getOwnEpisode(ctx: Ctx, { id, kind }: FindEpisode): Promise<EpisodeView> {
  const found = await findEpisodeRecord(ctx, id, kind);
  authorize(ctx, 'episode.read', found.episode);
  return toEpisodeView(ctx, found);
}

/** A page of a product's episodes that the caller may see. Only the team can filter by status. */
export async function listEpisodes(ctx: Ctx, input: ListEpisodes): Promise<Page<EpisodeView>> {
  const show = await findProductRecord(ctx, input.productId, input.kind);
  await assertProductShown(ctx, show.product);
  const status = may(ctx, 'episode.read', show.product) ? input.status : undefined;
  const { items, total } = await listEpisodeRows(ctx, show, { ...input, status }, 'seen');
  return { items: items.map((row) => toEpisodeView(ctx, row)), total, page: input.page, pageSize: input.pageSize };
}

/**
 * How many more public episodes a paid show can publish (spec §5); null for a free show, which has no such limit.
 * @throws product.not_found
 */
export async function countPublicRoom(ctx: Ctx, { id, kind }: FindProduct): Promise<number | null> {
  const { product: found } = await findProductRecord(ctx, id, kind);
  const { priceMinor } = authorize(ctx, 'product.manage', found);
  if (priceMinor === null) return null;
  const published = await countPublished(ctx, id);
  return Math.max(0, published.private - published.public);
}

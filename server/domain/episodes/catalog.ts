import type { Ctx } from '../../ctx';
import type { Page } from '../../paging';
import { authorize, may } from '../../policy/authorize';
import { findProductRecord } from '../products/queries';
import { type EpisodeRecord, type EpisodeScope, findEpisodeRecord, listEpisodeRows } from './queries';
import type { FindEpisode, ListEpisodes } from './schema';
import { type EpisodeView, toEpisodeView } from './views';

/** Which of a product's episodes the caller may list. */
export function scopeOf(ctx: Ctx, product: { creatorId: number; priceMinor: number | null }): EpisodeScope {
  if (may(ctx, 'product.manage', product)) return 'all';
  return product.priceMinor === null ? 'open' : 'published';
}

/** @throws common.not_found where the caller may not learn that the episode exists */
export function assertCanSee(ctx: Ctx, { episode, product }: EpisodeRecord): void {
  authorize(ctx, 'episode.see', { ...episode, isPaid: product.priceMinor !== null });
}

/** An episode for whoever asks: what is not published exists for its owner only. @throws episode.not_found */
export async function getEpisode(ctx: Ctx, { id, kind }: FindEpisode): Promise<EpisodeView> {
  const found = await findEpisodeRecord(ctx, id, kind);
  assertCanSee(ctx, found);
  return toEpisodeView(ctx, found);
}

/** An episode for the screens of its owner. @throws common.not_found for anybody else */
export async function getOwnEpisode(ctx: Ctx, { id, kind }: FindEpisode): Promise<EpisodeView> {
  const found = await findEpisodeRecord(ctx, id, kind);
  authorize(ctx, 'episode.manage', found.episode);
  return toEpisodeView(ctx, found);
}

/** A page of a product's episodes: all of them for its owner, the published ones for everybody else. */
export async function listEpisodes(ctx: Ctx, input: ListEpisodes): Promise<Page<EpisodeView>> {
  const { product } = await findProductRecord(ctx, input.productId, input.kind);
  const { items, total } = await listEpisodeRows(ctx, input, scopeOf(ctx, product));
  return { items: items.map((row) => toEpisodeView(ctx, row)), total, page: input.page, pageSize: input.pageSize };
}

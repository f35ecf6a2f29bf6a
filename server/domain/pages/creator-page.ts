import type { Ctx } from '../../ctx';
import { PAGE_LIMITS } from '../../limits/paging';
import { type CreatorView, toCreatorView } from '../creators/views';
import { listLatestRows } from '../episodes/queries';
import { type EpisodeView, toEpisodeView } from '../episodes/views';
import { listProductRows } from '../products/queries';
import { type ProductView, toProductView } from '../products/views';
import { findCreatorPage, type Moved } from './find-page';
import type { CreatorPageInput } from './schema';

export type CreatorPage = {
  moved: null;
  creator: CreatorView;
  products: ProductView[];
  /** The newest episodes of all products that everybody can play. */
  latest: EpisodeView[];
};

/** A creator's public page. @throws creator.not_found */
export async function creatorPage(ctx: Ctx, input: CreatorPageInput): Promise<Moved | CreatorPage> {
  const { creator, movedTo } = await findCreatorPage(ctx, input);
  if (movedTo) return { moved: movedTo };
  const [{ items }, latest] = await Promise.all([
    listProductRows(ctx, creator.id, { page: 1, pageSize: PAGE_LIMITS.maxSize, ordering: '-created_at' }),
    listLatestRows(ctx, creator.id, PAGE_LIMITS.latest),
  ]);
  return {
    moved: null,
    creator: toCreatorView(ctx, creator),
    products: items.map((row) => toProductView(ctx, row)),
    latest: latest.map((row) => toEpisodeView(ctx, row)),
  };
}

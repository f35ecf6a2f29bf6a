import type { Ctx } from '../../ctx';
import { PAGE_LIMITS } from '../../limits/paging';
import type { Page } from '../../paging';
import { type CreatorView, toCreatorView } from '../creators/views';
import { type EpisodeRecord, listEpisodeRows } from '../episodes/queries';
import { type EpisodeView, toEpisodeView } from '../episodes/views';
import { assertProductShown } from '../products/archiving';
import { KINDS } from '../products/kinds';
import { type ProductView, toProductView } from '../products/views';
import { findProductPage, type Moved } from './find-page';
import type { ProductPageInput } from './schema';

export type ProductPage = {
  moved: null;
  creator: CreatorView;
  product: ProductView;
  /** The newest trailer, for the top of the page. */
  trailer: EpisodeView | null;
  episodes: Page<EpisodeView>;
  feedUrl: string;
};

const NEWEST_FIRST = '-release_date';

/**
 * A product's public page, with its listed episodes in play order. The owner sees the same as a visitor.
 * @throws creator.not_found, product.not_found
 */
export async function productPage(ctx: Ctx, input: ProductPageInput): Promise<Moved | ProductPage> {
  const { creator, product: record, movedTo } = await findProductPage(ctx, input);
  await assertProductShown(ctx, record.product);
  if (movedTo) return { moved: movedTo };
  const { product } = record;
  const ordering = KINDS[product.kind].playOrder === 'newest_first' ? NEWEST_FIRST : 'release_date';
  const list = { productId: product.id, ordering, page: input.page, pageSize: PAGE_LIMITS.size } as const;
  const fitsOnPage = input.page === 1 && record.episodesCount <= list.pageSize;
  const [{ items, total }, trailers] = await Promise.all([
    listEpisodeRows(ctx, list, 'listed'),
    fitsOnPage ? null : newestTrailers(ctx, product.id),
  ]);
  const trailer = trailers ? trailers[0] : newestTrailerOf(items, ordering);
  return {
    moved: null,
    creator: toCreatorView(ctx, creator),
    product: toProductView(ctx, record),
    trailer: trailer ? toEpisodeView(ctx, trailer) : null,
    episodes: { items: items.map((row) => toEpisodeView(ctx, row)), total, page: list.page, pageSize: list.pageSize },
    feedUrl: ctx.urls.feed(creator.domain, product.slug),
  };
}

async function newestTrailers(ctx: Ctx, productId: number): Promise<EpisodeRecord[]> {
  const list = { productId, type: 'trailer', ordering: NEWEST_FIRST, page: 1, pageSize: 1 } as const;
  return (await listEpisodeRows(ctx, list, 'listed')).items;
}

/** Of all listed episodes, which saves a query. */
function newestTrailerOf(episodes: EpisodeRecord[], ordering: string): EpisodeRecord | undefined {
  const isTrailer = ({ episode }: EpisodeRecord) => episode.type === 'trailer';
  return ordering === NEWEST_FIRST ? episodes.find(isTrailer) : episodes.findLast(isTrailer);
}

import type { Page } from '../../base/paging';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { PAGE_LIMITS } from '../../limits/paging';
import type { Ctx } from '../../runtime/ctx';
import { hasPaidAccess, isFollowing } from '../access/follow-show';
import { type CreatorView, toCreatorView } from '../creators/views';
import { type EpisodeRecord, listEpisodeRows, type Show } from '../episodes/queries';
import { type FoundPassages, hasReadableTranscript, searchTranscripts } from '../episodes/search-transcripts';
import { listSeasons } from '../episodes/seasons';
import { type ShowTotals, showTotals, totalsOf } from '../episodes/show-totals';
import { type EpisodeView, toEpisodeView } from '../episodes/views';
import { assertProductShown } from '../products/archive-product';
import { KINDS } from '../products/kinds';
import { type ProductView, toProductView } from '../products/views';
import { listShown, type ShownRecommendation, visitUrlOf } from '../recommendations/shown-recommendations';
import { assertNotTakenDown, findProductPage, type Moved } from './find-page';
import { roundedPlays } from './play-counter';
import { lookupFeedUrl } from './public-feed';
import type { ProductPageInput } from './schema';
import { shareImagePath, showTexts } from './share-image';
import { isForSale } from './show-offer';

export type ProductPage = {
  moved: null;
  creator: CreatorView;
  product: ProductView;
  /** The newest trailer, for the top of the page. */
  trailer: EpisodeView | null;
  /** Episodes of the requested season, or episodes that match the requested words. */
  episodes: Page<EpisodeView>;
  /** Empty if the show has fewer than two. */
  seasons: number[];
  isSearchable: boolean;
  /** Places in transcripts that the caller may read, with the requested words; null without a search. */
  passages: FoundPassages | null;
  /** Whether the caller follows the show; null for a visitor. */
  isFollowed: boolean | null;
  /** Whether the caller may hear the paid episodes; null for a visitor. */
  isSubscribed: boolean | null;
  /** Whether the show is for sale now. */
  isOnSale: boolean;
  totals: ShowTotals;
  /** Rounded down; null if the creator does not show them. */
  plays: number | null;
  /** Shows of other creators that this one recommends. */
  recommends: (ShownRecommendation & { visitUrl: string })[];
  /** Null without a public episode. */
  feedUrl: string | null;
  /** The picture for link previews. */
  shareImage: string;
};

const NEWEST_FIRST = '-release_date';

/**
 * A product's public page, with its listed episodes in play order. The owner sees the same page as a visitor.
 * @throws creator.not_found, product.not_found, page.taken_down
 */
export async function productPage(ctx: Ctx, input: ProductPageInput): Promise<Moved | ProductPage> {
  const { creator, product: record, movedTo } = await findProductPage(ctx, input);
  assertNotTakenDown(ctx, record.product);
  await assertProductShown(ctx, record.product);
  if (movedTo) return { moved: movedTo };
  const { product } = record;
  const ordering = KINDS[product.kind].playOrder === 'newest_first' ? NEWEST_FIRST : 'release_date';
  const { page, season, search: words, part = 1 } = input;
  const list = { ordering, season, words, page, pageSize: PAGE_LIMITS.size } as const;
  const isWhole = page === 1 && record.episodesCount <= list.pageSize && season === undefined && !words;
  const [
    { items, total },
    trailers,
    seasons,
    totals,
    isFollowed,
    isSubscribed,
    isOnSale,
    plays,
    recommends,
    passages,
    isSearchable,
  ] = await Promise.all([
    listEpisodeRows(ctx, { product, creator }, list, 'listed'),
    isWhole ? null : newestTrailers(ctx, { product, creator }),
    isWhole ? null : listSeasons(ctx, product.id),
    isWhole ? null : showTotals(ctx, product.id),
    isFollowing(ctx, { productId: product.id }),
    hasPaidAccess(ctx, { productId: product.id }),
    isForSale(ctx, product),
    product.showsPlays ? roundedPlays(ctx, product) : null,
    listShown(ctx, product.id),
    words ? searchTranscripts(ctx, { within: { productId: product.id }, words, part }) : null,
    record.episodesCount > EPISODE_LIMITS.searchedAbove || hasReadableTranscript(ctx, { productId: product.id }),
  ]);
  const trailer = trailers ? trailers[0] : newestTrailerOf(items, ordering);
  return {
    moved: null,
    creator: toCreatorView(ctx, creator),
    product: toProductView(ctx, record),
    trailer: trailer ? toEpisodeView(ctx, trailer) : null,
    episodes: { items: items.map((row) => toEpisodeView(ctx, row)), total, page: list.page, pageSize: list.pageSize },
    seasons: tabsOf(seasons ?? seasonsIn(items)),
    totals: totals ?? totalsOf(items.map(({ episode }) => episode)),
    ...{ isFollowed, isSubscribed, isOnSale, plays, passages, isSearchable },
    recommends: recommends.map((shown) => ({ ...shown, visitUrl: visitUrlOf(ctx, shown) })),
    feedUrl: await lookupFeedUrl(ctx, { product, creator }, items),
    shareImage: ctx.urls.app(shareImagePath({ type: 'show', id: product.id }, showTexts(record), creator)),
  };
}

async function newestTrailers(ctx: Ctx, show: Show): Promise<EpisodeRecord[]> {
  const list = { type: 'trailer', ordering: NEWEST_FIRST, page: 1, pageSize: 1 } as const;
  return (await listEpisodeRows(ctx, show, list, 'listed')).items;
}

/** Searches all listed episodes, which saves a query. */
function newestTrailerOf(episodes: EpisodeRecord[], ordering: string): EpisodeRecord | undefined {
  const isTrailer = ({ episode }: EpisodeRecord) => episode.type === 'trailer';
  return ordering === NEWEST_FIRST ? episodes.find(isTrailer) : episodes.findLast(isTrailer);
}

/** Uses all listed episodes, like `listSeasons`. */
function seasonsIn(episodes: EpisodeRecord[]): number[] {
  const seasons = episodes.flatMap(({ episode }) => episode.season ?? []);
  return [...new Set(seasons)].toSorted((a, b) => a - b);
}

const tabsOf = (seasons: number[]): number[] => (seasons.length > 1 ? seasons : []);

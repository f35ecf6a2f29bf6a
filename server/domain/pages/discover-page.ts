import type { Page } from '../../base/paging';
import { DISCOVER_LIMITS } from '../../limits/products';
import type { Ctx } from '../../runtime/ctx';
import { listFeatured } from '../episodes/featured-episodes';
import { type FoundPassages, searchTranscripts } from '../episodes/search-transcripts';
import { type EpisodeView, toEpisodeView } from '../episodes/views';
import { discoverProducts, listDiscoverLanguages, whereSelected } from '../products/discover-products';
import { listFeaturedShows } from '../products/feature-show';
import { listAudiences } from '../products/queries';
import type { DiscoverProducts } from '../products/schema';
import { type ProductView, type ProductWithAudience, toProductView, withAudience } from '../products/views';
import { type PopularShows, popularShows } from './popular-shows';
import type { DiscoverPassages } from './schema';

export type DiscoveredProduct = ProductWithAudience & {
  /** For the play button; null without an episode that all visitors may hear. */
  toPlay: EpisodeView | null;
  /** The newest episodes that match the search. */
  matching: EpisodeView[];
};

export type DiscoverPage = Page<DiscoveredProduct> & {
  /** More products may exist, but pages show only these. */
  isCapped: boolean;
  /** The corrected words, if the search replaced mistyped ones. */
  corrected: string | null;
  /** The languages of all shows, for the filter. */
  languages: string[];
  /** On the first page without a search or a filter, and where nothing matches; otherwise null. */
  popular: PopularShows | null;
  /** The shows that operators feature, on the same page; otherwise empty. */
  featured: ProductView[];
};

/** The discovery page: products of all creators (decision 0167). */
export async function discoverPage(ctx: Ctx, input: DiscoverProducts): Promise<DiscoverPage> {
  const { page, pageSize, search } = input;
  const { kind, category, language, price, ordering } = input;
  const isStart = page === 1 && [search, kind, category, language, price, ordering].every((value) => !value);
  const finding = discoverProducts(ctx, input);
  const [found, languages, popular, featured] = await Promise.all([
    finding,
    listDiscoverLanguages(ctx),
    isStart ? popularShows(ctx) : finding.then(({ total }) => (total === 0 && page === 1 ? popularShows(ctx) : null)),
    isStart ? listFeaturedShows(ctx) : [],
  ]);
  const shows = found.items.map(({ product }) => product);
  const [episodesOf, audiences] = await Promise.all([
    listFeatured(
      ctx,
      shows.map(({ id, kind }) => ({ id, kind, heard: found.heard.get(id) ?? [] })),
    ),
    ctx.actor.type === 'user'
      ? listAudiences(
          ctx,
          shows.map(({ id }) => id),
        )
      : null,
  ]);
  const items = found.items.map((record) => {
    const { toPlay, matching } = episodesOf.get(record.product.id)!;
    return {
      toPlay: toPlay && toEpisodeView(ctx, toPlay),
      matching: matching.map((row) => toEpisodeView(ctx, row)),
      ...withAudience(ctx, record, audiences?.get(record.product.id)),
      ...toProductView(ctx, record),
    };
  });
  const corrected = found.search === search ? null : (found.search ?? null);
  const isCapped = found.total >= DISCOVER_LIMITS.results;
  const listed = { items, total: found.total, page, pageSize, isCapped, corrected, languages, popular };
  return { ...listed, featured: featured.map((row) => toProductView(ctx, row)) };
}

/**
 * Where the words of a search are said, in transcripts that all visitors may read, of shows that the filters select: a
 * passage of each episode.
 */
export function discoverPassages(ctx: Ctx, { search, part, ...filters }: DiscoverPassages): Promise<FoundPassages> {
  return searchTranscripts(ctx, { within: { discovered: whereSelected(filters) }, words: search, part });
}

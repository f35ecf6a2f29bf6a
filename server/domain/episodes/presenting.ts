import type { Ctx } from '../../ctx';
import { LIMITS } from '../../limits';
import { creatorNotFound } from '../creators/errors';
import { lookupCreatorByDomain } from '../creators/queries';
import type { Page } from '../products/browsing';
import { productNotFound } from '../products/errors';
import { KINDS } from '../products/kinds';
import { type CreatorView, type Moved, toCreatorView } from '../products/presenting';
import { listProductRows, lookupProductBySlug } from '../products/queries';
import { type ProductView, toProductView } from '../products/views';
import { assertSeen } from './browsing';
import { descriptionText } from './describing';
import { episodeNotFound } from './errors';
import { listEpisodeRows, listLatestRows, lookupEpisodeBySlug } from './queries';
import { type EpisodeView, toEpisodeView } from './views';

type ProductAddress = { domain: string; slug: string };
export type ProductPage = {
  moved: null;
  creator: CreatorView;
  product: ProductView;
  /** The newest trailer, playable above the fold. */
  trailer: EpisodeView | null;
  episodes: Page<EpisodeView>;
  feedUrl: string;
};
export type EpisodePage = {
  moved: null;
  creator: CreatorView;
  product: ProductView;
  episode: EpisodeView;
  /** The description without its markup. */
  summary: string;
  feedUrl: string;
};

export type CreatorPage = {
  moved: null;
  creator: CreatorView;
  products: ProductView[];
  /** What came out last in any of them, for everybody to hear. */
  latest: EpisodeView[];
};

/** A creator's public page. @throws creator.not_found */
export async function creatorPage(ctx: Ctx, { domain }: { domain: string }): Promise<Moved | CreatorPage> {
  const creator = await lookupCreatorByDomain(ctx, domain);
  if (!creator) throw creatorNotFound();
  if (creator.domain !== domain) return { moved: { domain: creator.domain } };
  const [{ items }, latest] = await Promise.all([
    listProductRows(ctx, creator.id, { page: 1, pageSize: LIMITS.page.maxSize, ordering: '-created_at' }),
    listLatestRows(ctx, creator.id, LIMITS.page.latest),
  ]);
  return {
    moved: null,
    creator: toCreatorView(ctx, creator),
    products: items.map(toProductView),
    latest: latest.map((row) => toEpisodeView(ctx, row)),
  };
}

/** The product of an address, with its creator; where it stands now if it moved. @throws creator.not_found, product.not_found */
async function locate(ctx: Ctx, { domain, slug }: ProductAddress) {
  const creator = await lookupCreatorByDomain(ctx, domain);
  if (!creator) throw creatorNotFound();
  const found = await lookupProductBySlug(ctx, creator.domain, slug);
  if (!found) throw productNotFound();
  const moved = found.moved || creator.domain !== domain;
  return { creator, found, moved: moved ? { domain: creator.domain, slug: found.product.slug } : null };
}

/** A product's public page: published episodes in play order, a page at a time. Visitors and owner see the same. */
export async function productPage(ctx: Ctx, input: ProductAddress & { page: number }): Promise<Moved | ProductPage> {
  const { creator, found, moved } = await locate(ctx, input);
  if (moved) return { moved };
  const { product } = found;
  const scope = product.priceMinor === null ? 'open' : 'published';
  const ordering = KINDS[product.kind].playOrder === 'newest_first' ? '-release_date' : 'release_date';
  const list = { productId: product.id, ordering, page: input.page, pageSize: LIMITS.page.size } as const;
  const [{ items, total }, trailers] = await Promise.all([
    listEpisodeRows(ctx, list, scope),
    listEpisodeRows(ctx, { ...list, ordering: '-release_date', type: 'trailer', page: 1, pageSize: 1 }, scope),
  ]);
  const trailer = trailers.items[0];
  return {
    moved: null,
    creator: toCreatorView(ctx, creator),
    product: toProductView(found),
    trailer: trailer ? toEpisodeView(ctx, trailer) : null,
    episodes: { items: items.map((row) => toEpisodeView(ctx, row)), total, page: list.page, pageSize: list.pageSize },
    feedUrl: ctx.urls.feed(creator.domain, product.slug),
  };
}

/** An episode's public page. @throws also episode.not_found */
export async function episodePage(
  ctx: Ctx,
  input: ProductAddress & { episodeSlug: string },
): Promise<Moved | EpisodePage> {
  const { creator, found, moved } = await locate(ctx, input);
  const row = await lookupEpisodeBySlug(ctx, found.product.id, input.episodeSlug);
  if (!row) throw episodeNotFound();
  assertSeen(ctx, row);
  const { episode } = row;
  if (moved || row.moved) {
    return { moved: { domain: creator.domain, slug: found.product.slug, episodeSlug: episode.slug } };
  }
  return {
    moved: null,
    creator: toCreatorView(ctx, creator),
    product: toProductView(found),
    episode: toEpisodeView(ctx, row),
    summary: descriptionText(episode.description),
    feedUrl: ctx.urls.feed(creator.domain, found.product.slug),
  };
}

import { and, asc, eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { spotifyShows } from '~/db/schema/spotify';
import type { SpotifyLinkState, SpotifyShowState } from '~/db/values/spotify';
import { SPOTIFY_SHOW_LIMITS } from '../../limits/spotify';
import { requireUser } from '../../policy/actor';
import { roleMay } from '../../policy/roles';
import { whereProductOffered } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { spotifyFeedUrl } from './deliver-show';
import { lookupObstacle } from './publish-show';
import { lookupLink, lookupSpotifyShow } from './queries';
import type { FindSpotifyShow } from './schema';

export type SpotifyShowView = {
  productId: number;
  name: string;
  /** The code of the error with which publishing would fail; null if it can be published. */
  obstacle: string | null;
  /** Null if the show was never published there. */
  there: {
    state: SpotifyShowState;
    spotifyUri: string | null;
    /** As Spotify states it. */
    remoteStatus: string | null;
    problems: string[];
    /** The code of an error. */
    failure: string | null;
    activatedAt: Date;
    checkedAt: Date | null;
    /** Only if the creator has to submit it. */
    feedUrl: string | null;
  } | null;
};

export type SpotifyPage = {
  /** Whether this installation has a contract with Spotify, or its local replacement. */
  isOffered: boolean;
  /** Whether feeds are delivered without the creator. */
  delivers: boolean;
  /** Null if the user never linked an account. */
  link: { state: SpotifyLinkState; accountName: string | null; registeredAt: Date | null } | null;
  /** Of the creator for whom the user works, if the user may publish them; otherwise null. */
  shows: SpotifyShowView[] | null;
};

/** The current user's account at Spotify, and the creator's shows there. */
export async function spotifyPage(ctx: Ctx): Promise<SpotifyPage> {
  const { userId, creatorId, role } = requireUser(ctx);
  const { openAccess, delivery } = ctx.ports.spotify;
  const link = await lookupLink(ctx, userId);
  const mayPublish = creatorId !== null && roleMay(role, 'product.handOver');
  return {
    isOffered: openAccess !== null,
    delivers: delivery !== null,
    link: link && { state: link.state, accountName: link.accountName, registeredAt: link.registeredAt },
    shows: openAccess && mayPublish ? await listShows(ctx, creatorId) : null,
  };
}

/**
 * Where the current user hears a show on Spotify, once Spotify has approved it; null for other shows. `isLinked`: whether
 * the private episodes open there.
 */
export async function spotifyOfShow(
  ctx: Ctx,
  { productId }: FindSpotifyShow,
): Promise<{ spotifyUri: string; isLinked: boolean } | null> {
  const { userId } = requireUser(ctx);
  const show = await lookupSpotifyShow(ctx, productId);
  if (!ctx.ports.spotify.openAccess || show?.state !== 'live' || !show.spotifyUri) return null;
  const link = await lookupLink(ctx, userId);
  return { spotifyUri: show.spotifyUri, isLinked: link?.state === 'linked' };
}

async function listShows(ctx: Ctx, creatorId: number): Promise<SpotifyShowView[]> {
  const rows = await ctx.db
    .select({ product: products, show: spotifyShows })
    .from(products)
    .leftJoin(spotifyShows, eq(spotifyShows.productId, products.id))
    .where(and(eq(products.creatorId, creatorId), whereProductOffered()))
    .orderBy(asc(products.id))
    .limit(SPOTIFY_SHOW_LIMITS.listed);
  return rows.map(({ product, show }) => ({
    ...{ productId: product.id, name: product.name, obstacle: lookupObstacle(product)?.code ?? null },
    there: show && toView(ctx, show),
  }));
}

function toView(ctx: Ctx, show: typeof spotifyShows.$inferSelect): SpotifyShowView['there'] {
  const { state, spotifyUri, remoteStatus, remoteStatusText, problems, failure, activatedAt, checkedAt } = show;
  const feedUrl = state === 'by_hand' ? spotifyFeedUrl(ctx, show) : null;
  const facts = { state, spotifyUri, problems, failure, activatedAt, checkedAt, feedUrl };
  return { ...facts, remoteStatus: remoteStatusText || remoteStatus };
}

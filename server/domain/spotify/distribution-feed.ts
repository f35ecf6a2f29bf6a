import { hash } from 'node:crypto';
import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { spotifyShows } from '~/db/schema/spotify';
import { hashToken } from '../../auth/token-hash';
import { spotifyFeedPath } from '../../base/public-paths';
import type { FeedEpisode } from '../../feed/model';
import { VISITOR } from '../../policy/actor';
import { isOpen, isProductPublic, whereInPublicFeed, whereProductOffered, whereQueued } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { type FeedContents, type Owner, readFeed } from '../feeds/queries';
import { type Enclosure, lookupDistributed } from '../listening/enclosure';
import { isSignature } from '../notifications/signed-tokens';
import { ACTIVE_STATES, entitlementOf } from './rules';

type Reads = Pick<Ctx, 'db' | 'urls' | 'vault' | 'ports'>;

/**
 * The feed of a published show for Spotify: all of its published episodes, of which those that are not open to everyone
 * name the entitlement that Spotify requires of a listener. Null if the token is unknown, or the show was withdrawn.
 */
export async function findSpotifyFeed(ctx: Reads, token: string): Promise<FeedContents | null> {
  const { openAccess } = ctx.ports.spotify;
  const [found] = await ctx.db
    .select({ id: spotifyShows.id, product: products, creator: creators })
    .from(spotifyShows)
    .innerJoin(products, eq(products.id, spotifyShows.productId))
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(and(eq(spotifyShows.tokenHash, hashToken(token)), whereActive()));
  if (!found || !openAccess) return null;
  const { id, ...owner } = found;
  const feed = readFeed(ctx, owner, {
    self: ctx.urls.app(spotifyFeedPath(token)),
    access: accessOf(ctx, id),
    where: whereDistributed,
    finish: (item, { type, earlyUntil }) => finishItem(owner, item, { type, earlyUntil }),
    isPlain: true,
  });
  const spotify = { partner: openAccess.partnerId, sandbox: openAccess.isTest };
  // hidden: Spotify must list it, although no other directory may import it
  return { show: { ...feed.show, hidden: false, spotify }, pages: feed.pages };
}

const whereActive = () => and(inArray(spotifyShows.state, [...ACTIVE_STATES]), whereProductOffered());

/**
 * Open episodes, and those for every holder of a grant: episodes that a drip opens later for each listener are left out,
 * because Spotify would open them for all.
 */
function whereDistributed(): SQL {
  const forHolders = and(eq(products.dripDays, 0), whereQueued(VISITOR, sql<boolean>`true`));
  return or(whereInPublicFeed(), forHolders) as SQL;
}

/**
 * Spotify reads neither transcripts, chapters nor soundbites from feeds; the addresses of the first two would open them
 * for everyone.
 */
function finishItem(
  { product }: Owner,
  { transcripts: _, chapters: __, soundbites: ___, ...item }: FeedEpisode,
  episode: Parameters<typeof isOpen>[0],
): FeedEpisode {
  const isForAll = isProductPublic(product) && isOpen(episode);
  return { ...item, ...(!isForAll && { entitlements: [entitlementOf(product.id)] }) };
}

const SIGNED_FOR = 'audio for Spotify';

/** The part of an episode's address that works for Spotify: another episode or show has another one. */
function accessOf({ vault }: Pick<Ctx, 'vault'>, showId: number): (episodeId: number) => string {
  const key = vault.fingerprint(String(showId), SIGNED_FOR);
  return (episodeId) => `s${showId}-${hash('sha512-256', `${key} ${episodeId}`, 'base64url')}`;
}

/** The file of an episode for Spotify; null if the address was forged, or the episode is no longer in the feed. */
export async function lookupSpotifyAudio(
  ctx: Pick<Ctx, 'db' | 'vault'>,
  access: string,
  episodeId: number,
): Promise<Enclosure | null> {
  const [, id] = /^s([1-9]\d{0,14})-[\w-]{43}$/.exec(access) ?? [];
  const showId = Number(id);
  if (!id || !isSignature(access, accessOf(ctx, showId)(episodeId))) return null;
  const published = sql`exists (
    select from ${spotifyShows} where ${eq(spotifyShows.id, showId)} and ${eq(spotifyShows.productId, products.id)}
    and ${inArray(spotifyShows.state, [...ACTIVE_STATES])})`;
  return lookupDistributed(ctx, episodeId, and(published, whereProductOffered(), whereDistributed()) as SQL);
}

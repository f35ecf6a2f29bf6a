import { createHmac } from 'node:crypto';
import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { spotifyLinks, spotifyShows } from '~/db/schema/spotify';
import type { SpotifyLinkState } from '~/db/values/spotify';
import { later } from '../../base/time';
import { SPOTIFY_LINK_LIMITS } from '../../limits/spotify';
import { whereOpeningGrant, whereProductOffered } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { ACTIVE_STATES, entitlementOf } from './rules';

type Reads = Pick<Ctx, 'db' | 'now'>;
export type LinkRow = typeof spotifyLinks.$inferSelect;
export type SpotifyShowRow = typeof spotifyShows.$inferSelect;

export async function lookupLink({ db }: Reads, userId: number): Promise<LinkRow | null> {
  const [row] = await db.select().from(spotifyLinks).where(eq(spotifyLinks.userId, userId));
  return row ?? null;
}

export async function lookupSpotifyShow({ db }: Reads, productId: number): Promise<SpotifyShowRow | null> {
  const [row] = await db.select().from(spotifyShows).where(eq(spotifyShows.productId, productId));
  return row ?? null;
}

/** 256 bits in lower-case hexadecimal digits that only this installation can compute, never of another user. */
export function partnerUserIdOf({ vault }: Pick<Ctx, 'vault'>, userId: number): string {
  return createHmac('sha256', vault.fingerprint('spotify partner users', 'spotify'))
    .update(String(userId))
    .digest('hex');
}

/**
 * What a user may hear of the shows that are on Spotify: those of live grants, and the user's own. `until`: when the
 * first of the grants ends; null if none does.
 */
export async function listEntitled(
  { db, now }: Reads,
  userId: number,
): Promise<{ entitlements: string[]; until: Date | null }> {
  const published = and(inArray(spotifyShows.state, [...ACTIVE_STATES]), whereProductOffered());
  const granted = and(eq(grants.userId, userId), whereOpeningGrant(now().toISOString()));
  const rows = await db
    .select({
      productId: products.id,
      until:
        sql<Date | null>`case when bool_or(${grants.endsAt} is null) then null else max(${grants.endsAt}) end`.mapWith(
          grants.endsAt,
        ),
    })
    .from(spotifyShows)
    .innerJoin(products, eq(products.id, spotifyShows.productId))
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .leftJoin(grants, and(eq(grants.productId, products.id), granted))
    .where(and(published, or(eq(grants.userId, userId), eq(creators.userId, userId))))
    .groupBy(products.id)
    .orderBy(asc(products.id))
    .limit(SPOTIFY_LINK_LIMITS.entitlements);
  const ends = rows.flatMap(({ until }) => (until ? [until.getTime()] : []));
  return {
    entitlements: rows.map(({ productId }) => entitlementOf(productId)),
    until: ends.length > 0 ? new Date(Math.min(...ends)) : null,
  };
}

/** Lets this process alone talk to Spotify about a user for a minute. Null if another process does, or in other states. */
export async function takeLease(ctx: Reads, userId: number, states: SpotifyLinkState[]): Promise<LinkRow | null> {
  const now = ctx.now();
  const [row] = await ctx.db
    .update(spotifyLinks)
    .set({ leasedUntil: later(now, SPOTIFY_LINK_LIMITS.lease) })
    .where(and(eq(spotifyLinks.userId, userId), inArray(spotifyLinks.state, states), isFree(now)))
    .returning();
  return row ?? null;
}

export const isFree = (now: Date) => or(isNull(spotifyLinks.leasedUntil), lte(spotifyLinks.leasedUntil, now));

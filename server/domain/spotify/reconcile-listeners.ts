import { and, asc, eq, gt, inArray, not } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { spotifyLinks, spotifyShows } from '~/db/schema/spotify';
import { later, SECONDS } from '../../base/time';
import { SPOTIFY_SHOW_LIMITS } from '../../limits/spotify';
import { whereProductOffered } from '../../policy/visibility';
import { reconcileSpotify, syncEntitlements, syncShow } from '../../queue/jobs/spotify';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lookupPause } from './pause-calls';
import { endShow } from './publish-show';
import { ACTIVE_STATES } from './rules';
import { listLinked } from './sync-entitlements';

/**
 * Compares every listener with Spotify, slowly, in parts that each enqueue the next one. The first part withdraws shows
 * that are no longer offered. While Spotify is away, a night is left out, and one that has begun waits as one job.
 */
export async function reconcileListeners(ctx: Ctx, { after = 0 }: { after?: number }): Promise<void> {
  if (!ctx.ports.spotify.openAccess) return;
  if (after === 0) await withdrawHidden(ctx);
  const pausedUntil = await lookupPause(ctx, 'open_access');
  // the next night compares; waiting, several nights would compare at the same time
  if (pausedUntil && after === 0) return;
  if (pausedUntil) return transact(ctx, (tx) => tx.jobs.enqueue(reconcileSpotify, { after }, { at: pausedUntil }));
  const { syncedAtOnce, perSecond } = SPOTIFY_SHOW_LIMITS;
  const userIds = await listLinked(ctx, after, syncedAtOnce);
  const times = userIds.map((_, i) => later(ctx.now(), SECONDS(i / perSecond)));
  await transact(ctx, async (tx) => {
    const payloads = userIds.map((userId) => ({ userId, isNightly: true }));
    await tx.jobs.enqueueAll(syncEntitlements, payloads, { at: times });
    if (userIds.length < syncedAtOnce) return;
    await tx.jobs.enqueue(reconcileSpotify, { after: userIds.at(-1)! }, { at: times.at(-1)! });
  });
}

async function withdrawHidden(ctx: Ctx): Promise<void> {
  const rows = await ctx.db
    .select({ productId: spotifyShows.productId })
    .from(spotifyShows)
    .innerJoin(products, eq(products.id, spotifyShows.productId))
    .where(and(inArray(spotifyShows.state, [...ACTIVE_STATES]), not(whereProductOffered())))
    .orderBy(asc(spotifyShows.id))
    .limit(SPOTIFY_SHOW_LIMITS.withdrawnAtOnce);
  for (const { productId } of rows) await transact(ctx, (tx) => endShow(tx, productId));
}

type Part = { productId: number; after?: number };

/** Enqueues the entitlements of everyone with an account at Spotify who has access to a show, and of its creator. */
export async function syncListeners(ctx: Ctx, { productId, after = 0 }: Part): Promise<void> {
  const { syncedAtOnce } = SPOTIFY_SHOW_LIMITS;
  const linked = and(gt(spotifyLinks.userId, after), inArray(spotifyLinks.state, ['linked', 'linking']));
  const rows = await ctx.db
    .selectDistinct({ userId: spotifyLinks.userId })
    .from(spotifyLinks)
    .innerJoin(grants, and(eq(grants.userId, spotifyLinks.userId), eq(grants.productId, productId)))
    .where(linked)
    .orderBy(asc(spotifyLinks.userId))
    .limit(syncedAtOnce);
  await transact(ctx, async (tx) => {
    await tx.jobs.enqueueAll(syncEntitlements, rows);
    if (after === 0) await syncOwner(tx, productId);
    if (rows.length === syncedAtOnce) await tx.jobs.enqueue(syncShow, { productId, after: rows.at(-1)!.userId });
  });
}

async function syncOwner(tx: TxCtx, productId: number): Promise<void> {
  const [owner] = await tx.db
    .select({ userId: creators.userId })
    .from(creators)
    .innerJoin(products, eq(products.creatorId, creators.id))
    .innerJoin(spotifyLinks, eq(spotifyLinks.userId, creators.userId))
    .where(eq(products.id, productId));
  if (owner) await tx.jobs.enqueue(syncEntitlements, owner);
}

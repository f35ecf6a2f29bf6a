import { randomBytes } from 'node:crypto';
import { and, eq, inArray, isNotNull, or } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { spotifyShows } from '~/db/schema/spotify';
import { hashToken } from '../../auth/token-hash';
import type { AppError } from '../../base/errors';
import { SPOTIFY_SHOW_LIMITS } from '../../limits/spotify';
import { authorize } from '../../policy/authorize';
import { isProductPublic } from '../../policy/visibility';
import { deliverShow, syncShow } from '../../queue/jobs/spotify';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { findProductRecord, type ProductRow } from '../products/queries';
import { recordAbout } from '../team/activity';
import { ownerNotLinked, showDrips, showNotPublic, showNotThere } from './errors';
import { requireOpenAccess } from './link-account';
import { lookupLink } from './queries';
import { ACTIVE_STATES } from './rules';
import type { FindSpotifyShow } from './schema';

/**
 * Publishes a show on Spotify (spec §4, activate): its feed gets an address for Spotify, which a job submits. Without
 * access to deliveries, the creator submits the address. Repeating it changes nothing, unless Spotify has rejected the
 * show: then it is submitted again.
 * @throws product.not_found, spotify.not_offered, spotify.owner_not_linked, spotify.show_not_public, spotify.show_drips
 */
export async function publishShow(ctx: Ctx, { productId }: FindSpotifyShow): Promise<void> {
  const own = await findOwnShow(ctx, productId);
  requireOpenAccess(ctx);
  const obstacle = lookupObstacle(own);
  if (obstacle) throw obstacle;
  const link = await lookupLink(ctx, await ownerOf(ctx, own.creatorId));
  if (link?.state !== 'linked') throw ownerNotLinked();
  await transact(ctx, async (tx) => {
    if (!(await insertShow(tx, own.id))) return;
    await recordAbout(tx, 'product.published_on_spotify', own);
    if (tx.ports.spotify.delivery) await tx.jobs.enqueue(deliverShow, { productId: own.id });
    await tx.jobs.enqueue(syncShow, { productId: own.id });
  });
}

/**
 * Withdraws a show from Spotify (spec §4, deactivate): its feed and files stop working there at once, and a job removes
 * it. Repeating it changes nothing. @throws product.not_found, spotify.show_not_there
 */
export async function withdrawShow(ctx: Ctx, { productId }: FindSpotifyShow): Promise<void> {
  const own = await findOwnShow(ctx, productId);
  await transact(ctx, async (tx) => {
    if (!(await endShow(tx, own.id))) throw showNotThere();
    await recordAbout(tx, 'product.withdrawn_from_spotify', own);
  });
}

/** The error with which publishing a show fails, as long as the show stays as it is. */
export function lookupObstacle(product: ProductRow): AppError | null {
  if (!isProductPublic(product)) return showNotPublic();
  return product.dripDays > 0 ? showDrips() : null;
}

async function findOwnShow(ctx: Ctx, productId: number): Promise<ProductRow> {
  const { product } = await findProductRecord(ctx, productId);
  return authorize(ctx, 'product.handOver', product);
}

async function ownerOf({ db }: Ctx, creatorId: number): Promise<number> {
  const [owner] = await db.select({ userId: creators.userId }).from(creators).where(eq(creators.id, creatorId));
  return owner!.userId;
}

const isAbsent = inArray(spotifyShows.state, ['leaving', 'removed']);
const isRejected = and(eq(spotifyShows.state, 'requested'), isNotNull(spotifyShows.failure));

/** A show that returns keeps its address. @returns whether it was not there, or rejected */
async function insertShow(tx: TxCtx, productId: number): Promise<boolean> {
  const now = tx.now();
  const token = randomBytes(SPOTIFY_SHOW_LIMITS.tokenBytes).toString('base64url');
  const state = tx.ports.spotify.delivery ? ('requested' as const) : ('by_hand' as const);
  const facts = { state, failure: null, problems: [], remoteStatus: null, remoteStatusText: null, checkedAt: null };
  const rows = await tx.db
    .insert(spotifyShows)
    .values({
      ...{ productId, ...facts, activatedAt: now, createdAt: now, updatedAt: now },
      ...{ tokenHash: hashToken(token), sealedToken: tx.vault.seal(token, sealedFor(productId)) },
    })
    .onConflictDoUpdate({
      target: spotifyShows.productId,
      set: { ...facts, activatedAt: now, updatedAt: now },
      setWhere: or(isAbsent, isRejected),
    })
    .returning({ id: spotifyShows.id });
  return rows.length > 0;
}

export const sealedFor = (productId: number): string => `spotify feed ${productId}`;

/** Listeners lose the entitlement, which frees no place elsewhere. @returns whether the show was there */
export async function endShow(tx: TxCtx, productId: number): Promise<boolean> {
  const isThere = and(eq(spotifyShows.productId, productId), inArray(spotifyShows.state, [...ACTIVE_STATES]));
  const [ended] = await tx.db
    .update(spotifyShows)
    .set({ state: 'leaving', failure: null, updatedAt: tx.now() })
    .where(isThere)
    .returning({ id: spotifyShows.id });
  if (!ended) return false;
  await tx.jobs.enqueue(deliverShow, { productId });
  await tx.jobs.enqueue(syncShow, { productId });
  return true;
}

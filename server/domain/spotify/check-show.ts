import { and, asc, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { spotifyShows } from '~/db/schema/spotify';
import type { Ingestion, SpotifyDelivery } from '../../adapters/spotify/port';
import { spotifyPageOf } from '../../base/account-paths';
import { AppError } from '../../base/errors';
import { earlier } from '../../base/time';
import { SPOTIFY_SHOW_LIMITS } from '../../limits/spotify';
import { authorize } from '../../policy/authorize';
import { checkSpotifyShow } from '../../queue/jobs/spotify';
import { type Ctx, transact } from '../../runtime/ctx';
import { clearSpotifyUrl, fillSpotifyUrl } from '../products/listings';
import { findProductRecord } from '../products/queries';
import { noStatus } from './errors';
import { deliveryCalls, SpotifyPaused } from './pause-calls';
import { lookupSpotifyShow, type SpotifyShowRow } from './queries';
import { isUnknownThere, stateOfIngestion, toSpotifyError } from './rules';
import type { FindSpotifyShow } from './schema';

/**
 * Asks Spotify for the status of a show (spec §4, get status). @throws product.not_found, spotify.no_status if the show
 * was not submitted, and Spotify's refusals
 */
export async function checkShow(ctx: Ctx, { productId }: FindSpotifyShow): Promise<void> {
  const { product } = await findProductRecord(ctx, productId);
  authorize(ctx, 'product.handOver', product);
  const show = await lookupSpotifyShow(ctx, product.id);
  if (!show?.spotifyUri) throw noStatus();
  await refreshShow(ctx, show, ctx.ports.spotify.delivery);
}

/** The same by a job, which leaves Spotify's faults to the next one. */
export async function checkShowLater(ctx: Ctx, { productId }: FindSpotifyShow): Promise<void> {
  const show = await lookupSpotifyShow(ctx, productId);
  if (!show) return;
  await refreshShow(ctx, show, deliveryCalls(ctx, { isFirst: true })).catch((error) => {
    if (error instanceof SpotifyPaused) return;
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ err: error, productId }, 'no status of a show on Spotify');
  });
}

async function refreshShow(ctx: Ctx, show: SpotifyShowRow, delivery: SpotifyDelivery | null): Promise<void> {
  if (!show.spotifyUri || !delivery) throw noStatus();
  try {
    const ingestion = await delivery.status(show.spotifyUri);
    await ctx.reach('spotify.checked');
    await storeStatus(ctx, show, ingestion);
  } catch (error) {
    const ours = toSpotifyError(error);
    if (ours instanceof AppError) await storeFailure(ctx, show, { error, code: ours.code });
    throw ours;
  }
}

/** Of a show that was withdrawn meanwhile, nothing is stored, nor of one that has another address now. */
const sameAs = ({ id, state, spotifyUri }: SpotifyShowRow) =>
  and(eq(spotifyShows.id, id), eq(spotifyShows.state, state), eq(spotifyShows.spotifyUri, spotifyUri!));

async function storeStatus(ctx: Ctx, show: SpotifyShowRow, ingestion: Ingestion): Promise<void> {
  const { uri, status, text, problems } = ingestion;
  const state = stateOfIngestion(ingestion);
  const facts = { state, remoteStatus: status, remoteStatusText: text, problems, failure: null };
  await transact(ctx, async (tx) => {
    const stored = await tx.db
      .update(spotifyShows)
      .set({ ...facts, checkedAt: tx.now(), updatedAt: tx.now() })
      .where(sameAs(show))
      .returning({ productId: spotifyShows.productId });
    // only at the approval: an address that the creator removes later is not filled in again
    if (state !== 'live' || show.state === 'live') return;
    for (const { productId } of stored) await fillSpotifyUrl(tx, { productId, url: spotifyPageOf(uri) });
  });
}

/** A show that Spotify no longer has was removed there, for example in Spotify's own dashboard. */
async function storeFailure(ctx: Ctx, show: SpotifyShowRow, { error, code }: { error: unknown; code: string }) {
  const isGone = isUnknownThere(error);
  await transact(ctx, async (tx) => {
    const stored = await tx.db
      .update(spotifyShows)
      .set({ failure: code, checkedAt: tx.now(), ...(isGone && { state: 'removed' as const, spotifyUri: null }) })
      .where(sameAs(show))
      .returning({ productId: spotifyShows.productId });
    if (!isGone || !show.spotifyUri) return;
    const url = spotifyPageOf(show.spotifyUri);
    for (const { productId } of stored) await clearSpotifyUrl(tx, { productId, url });
  });
}

/** Enqueues the checks that are due: often until Spotify has decided, then once a day. */
export async function checkDueShows(ctx: Ctx): Promise<void> {
  if (!ctx.ports.spotify.delivery) return;
  const { awaited, settled, checkedAtOnce } = SPOTIFY_SHOW_LIMITS;
  const before = (age: number) => lte(spotifyShows.checkedAt, earlier(ctx.now(), age));
  const waiting = and(inArray(spotifyShows.state, ['submitted', 'rejected', 'unknown']), before(awaited));
  const isDue = or(isNull(spotifyShows.checkedAt), waiting, before(settled));
  const checked = inArray(spotifyShows.state, ['submitted', 'rejected', 'unknown', 'live']);
  const rows = await ctx.db
    .select({ productId: spotifyShows.productId })
    .from(spotifyShows)
    .where(and(checked, isNotNull(spotifyShows.spotifyUri), isDue))
    .orderBy(sql`${spotifyShows.checkedAt} asc nulls first`, asc(spotifyShows.id))
    .limit(checkedAtOnce);
  await transact(ctx, (tx) => tx.jobs.enqueueAll(checkSpotifyShow, rows));
}

import { and, eq, inArray } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { spotifyShows } from '~/db/schema/spotify';
import type { SpotifyDelivery } from '../../adapters/spotify/port';
import { spotifyPageOf } from '../../base/account-paths';
import { AppError } from '../../base/errors';
import { spotifyFeedPath } from '../../base/public-paths';
import { deliverShow as deliverJob } from '../../queue/jobs/spotify';
import { type Ctx, transact } from '../../runtime/ctx';
import { clearSpotifyUrl } from '../products/listings';
import { deliveryCalls, nextAttempt } from './pause-calls';
import { sealedFor } from './publish-show';
import { lookupSpotifyShow, type SpotifyShowRow } from './queries';
import { isUnknownThere, toSpotifyError } from './rules';

type Delivery = { productId: number; attempt?: number };

/**
 * Submits a show that was published, or removes one that was withdrawn. Does nothing if the show has changed since. While
 * Spotify is away, later attempts follow (pause-calls.ts); a refusal is kept for the creator.
 */
export async function deliverShow(ctx: Ctx, { productId, attempt = 0 }: Delivery): Promise<void> {
  const show = await lookupSpotifyShow(ctx, productId);
  if (!show) return;
  const delivery = deliveryCalls(ctx, { isFirst: attempt === 0 });
  try {
    if (show.state === 'requested' && delivery) await submit(ctx, delivery, show);
    if (show.state === 'leaving') await remove(ctx, delivery, show);
  } catch (error) {
    const again = nextAttempt(ctx, error, attempt);
    if (again) return deliverLater(ctx, { productId, attempt: again.attempt }, again.at);
    await keepFailure(ctx, show, error);
  }
}

async function submit(ctx: Ctx, delivery: SpotifyDelivery, show: SpotifyShowRow): Promise<void> {
  const { productId } = show;
  const kept = show.spotifyUri && (await isKnown(delivery, show.spotifyUri)) ? show.spotifyUri : null;
  const [product] = await ctx.db.select({ name: products.name }).from(products).where(eq(products.id, productId));
  const name = product?.name ?? '';
  const spotifyUri = kept ?? (await delivery.submit({ name, url: spotifyFeedUrl(ctx, show) }));
  await ctx.reach('spotify.submitted');
  await transact(ctx, async (tx) => {
    const stillWanted = and(eq(spotifyShows.id, show.id), eq(spotifyShows.state, 'requested'));
    const stored = await tx.db
      .update(spotifyShows)
      .set({ state: 'submitted', spotifyUri, failure: null, updatedAt: tx.now() })
      .where(stillWanted)
      .returning({ id: spotifyShows.id });
    if (stored.length > 0) return;
    // withdrawn while Spotify took it: now there is something to remove; another delivery may have stored it, too
    const isWithdrawn = and(eq(spotifyShows.id, show.id), inArray(spotifyShows.state, ['leaving', 'removed']));
    const left = await tx.db
      .update(spotifyShows)
      .set({ state: 'leaving', spotifyUri })
      .where(isWithdrawn)
      .returning({ id: spotifyShows.id });
    if (left.length > 0) await tx.jobs.enqueue(deliverJob, { productId });
  });
}

async function isKnown(delivery: SpotifyDelivery, uri: string): Promise<boolean> {
  try {
    await delivery.status(uri);
    return true;
  } catch (error) {
    if (isUnknownThere(error)) return false;
    throw error;
  }
}

async function remove(ctx: Ctx, delivery: SpotifyDelivery | null, show: SpotifyShowRow): Promise<void> {
  if (show.spotifyUri && delivery)
    await delivery.remove(show.spotifyUri).catch((error) => {
      if (!isUnknownThere(error)) throw error;
    });
  const stillLeaving = and(eq(spotifyShows.id, show.id), eq(spotifyShows.state, 'leaving'));
  await transact(ctx, async (tx) => {
    await tx.db
      .update(spotifyShows)
      .set({ state: 'removed', spotifyUri: null, updatedAt: tx.now() })
      .where(stillLeaving);
    // even if it returns meanwhile: Spotify no longer has this address
    if (show.spotifyUri) await clearSpotifyUrl(tx, { productId: show.productId, url: spotifyPageOf(show.spotifyUri) });
  });
}

/** The address that Spotify reads. Everyone who has it can read the feed and hear its episodes. */
export const spotifyFeedUrl = (ctx: Pick<Ctx, 'urls' | 'vault'>, { productId, sealedToken }: SpotifyShowRow): string =>
  ctx.urls.app(spotifyFeedPath(ctx.vault.open(sealedToken, sealedFor(productId))));

async function keepFailure(ctx: Ctx, { id, state }: SpotifyShowRow, error: unknown): Promise<void> {
  const ours = toSpotifyError(error);
  if (!(ours instanceof AppError)) throw ours;
  ctx.log.warn({ err: error }, 'Spotify rejected a delivery');
  await ctx.db
    .update(spotifyShows)
    .set({ failure: ours.code, updatedAt: ctx.now() })
    // what the creator has decided meanwhile has not failed
    .where(and(eq(spotifyShows.id, id), eq(spotifyShows.state, state)));
}

async function deliverLater(ctx: Ctx, payload: Required<Delivery>, at: Date): Promise<void> {
  await transact(ctx, (tx) => tx.jobs.enqueue(deliverJob, payload, { at }));
}

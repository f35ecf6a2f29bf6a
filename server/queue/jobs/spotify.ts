import { z } from 'zod';
import { count, id, job, QUICK, SCHEDULED } from '../job';

/** `attempt`: how often Spotify was away, which makes the pauses longer. */
const attempt = count;

/**
 * Tells Spotify what a listener may hear (spotify/sync-entitlements.ts). Enqueue it in the transaction that changes a
 * grant. `isNightly`: asks Spotify first what it knows.
 */
export const syncEntitlements = job(
  'spotify.sync-entitlements',
  { userId: id, attempt, isNightly: z.boolean().optional() },
  QUICK,
);
/** The same for all listeners of a show, those with ids above `after` first. */
export const syncShow = job('spotify.sync-show', { productId: id, after: count }, QUICK);
/** Compares all listeners with Spotify, at night, and withdraws shows that are no longer offered. */
export const reconcileSpotify = job('spotify.reconcile', { after: count }, SCHEDULED);
/** Ends the link of a user at Spotify (spotify/unlink-account.ts). */
export const unlinkUser = job(
  'spotify.unlink-user',
  { partnerUserId: z.string().regex(/^[0-9a-f]{64}$/), attempt },
  QUICK,
);
/** Submits or removes the feed of a show, as its row says (spotify/deliver-show.ts). */
export const deliverShow = job('spotify.deliver-show', { productId: id, attempt }, QUICK);
/** Asks for the status of a show. */
export const checkSpotifyShow = job('spotify.check-show', { productId: id }, QUICK);
export const checkSpotifyShows = job('spotify.check-shows', {}, SCHEDULED);

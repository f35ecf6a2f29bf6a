import { checkDueShows, checkShowLater } from '~/server/domain/spotify/check-show';
import { deliverShow as deliver } from '~/server/domain/spotify/deliver-show';
import { reconcileListeners, syncListeners } from '~/server/domain/spotify/reconcile-listeners';
import { syncEntitlements as sync } from '~/server/domain/spotify/sync-entitlements';
import { tellUnlinked } from '~/server/domain/spotify/unlink-account';
import {
  checkSpotifyShow,
  checkSpotifyShows,
  deliverShow,
  reconcileSpotify,
  syncEntitlements,
  syncShow,
  unlinkUser,
} from '~/server/queue/jobs/spotify';
import { handle } from './handle';

export const spotifyHandlers = [
  handle(syncEntitlements, (payload, ctx) => sync(ctx, payload)),
  handle(syncShow, (payload, ctx) => syncListeners(ctx, payload)),
  handle(reconcileSpotify, (payload, ctx) => reconcileListeners(ctx, payload)),
  handle(unlinkUser, (payload, ctx) => tellUnlinked(ctx, payload)),
  handle(deliverShow, (payload, ctx) => deliver(ctx, payload)),
  handle(checkSpotifyShow, (payload, ctx) => checkShowLater(ctx, payload)),
  handle(checkSpotifyShows, (_, ctx) => checkDueShows(ctx)),
];

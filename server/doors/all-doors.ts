import type { Hono } from 'hono';
import type { Env } from '../env/read';
import type { Lazy } from '../flow/open-once';
import type { App } from '../http/app-env';
import type { NodeHandler } from '../http/listener';
import type { AnswerCache } from '../rest/answer-cache';
import { restDoor } from '../rest/door';
import type { OpenRuntime } from '../runtime/open-runtime';
import { IDENTITY_SANDBOX_PATH } from '../runtime/select-identity';
import { STRIPE_SANDBOX_PATH } from '../runtime/select-payments';
import { SPOTIFY_SANDBOX_PATH } from '../runtime/select-spotify';
import { dnsPages } from '../sandbox/dns/pages';
import { inboxPages } from '../sandbox/inbox/pages';
import { episodeAudioDoor } from './audio/episode-audio';
import { insertionSoundsDoor } from './audio/insertion-sounds';
import { soundFilesDoor } from './audio/sound-files';
import { transcriptsDoor } from './audio/transcripts';
import { privateFeedsDoor } from './feeds/private-feeds';
import { spotifyFeedsDoor } from './feeds/spotify-feeds';
import { contentPicturesDoor } from './files/content-pictures';
import { creatorBackupsDoor } from './files/creator-backups';
import { exportsDoor } from './files/exports';
import { createMediaDoor } from './files/media';
import { shareImagesDoor } from './files/share-images';
import { sitePicturesDoor } from './files/site-pictures';
import { soundbiteVideosDoor } from './files/soundbite-videos';
import { mailWebhooksDoor } from './mail-webhooks';
import { mcpDoor } from './mcp/mcp-door';
import { oauthDoor } from './oauth/oauth-door';
import type { Caches } from './open-caches';
import { editionCountsDoor } from './pages/edition-counts';
import { oembedDoor } from './pages/oembed';
import { playCounterDoor } from './pages/play-counter';
import { siteMapsDoor } from './site-maps';
import { createUploadsDoor } from './uploads/uploads';
import { v1Door } from './v1/door';
import { stripeWebhookDoor } from './webhooks';

type AudioCaches = Pick<Caches, 'enclosures' | 'pages' | 'soundFiles'>;

/**
 * Doors on Node's request and response, for bytes that should not pass through a framework. The server tries them in
 * this order.
 */
export function nodeDoors({ runtime }: OpenRuntime, env: Env, caches: AudioCaches): NodeHandler[] {
  const { enclosures, pages, soundFiles } = caches;
  const { log, ports } = runtime;
  return [
    episodeAudioDoor(runtime, { trustedProxies: env.trustedProxies, enclosures }),
    soundFilesDoor(runtime, soundFiles, env.trustedProxies),
    insertionSoundsDoor(runtime),
    shareImagesDoor(runtime),
    transcriptsDoor(runtime, pages, env.trustedProxies),
    privateFeedsDoor(runtime),
    spotifyFeedsDoor(runtime),
    createMediaDoor({ store: ports.storage, log }),
    createUploadsDoor(runtime, env),
    exportsDoor(runtime, env.trustedProxies),
    creatorBackupsDoor(runtime, env.trustedProxies),
    soundbiteVideosDoor(runtime, env.trustedProxies),
  ];
}

/** Doors inside the Hono app, after its first middleware (request context, log, headers, origin check). */
export function rawDoors(
  { runtime, inbox, stripeSandbox, identitySandbox, spotifySandbox, dnsZone }: OpenRuntime,
  env: Env,
  answers: AnswerCache,
): ((app: App) => void)[] {
  const doors = [
    restDoor(runtime, env.apiOrigins, answers),
    v1Door(runtime, answers, env.apiRequests),
    siteMapsDoor(runtime),
    contentPicturesDoor(runtime),
    sitePicturesDoor(runtime),
    oembedDoor(runtime),
    playCounterDoor(runtime),
    editionCountsDoor(runtime),
    oauthDoor(runtime),
    mcpDoor(runtime),
    stripeWebhookDoor(runtime),
    mailWebhooksDoor(runtime, env.inboundMail),
  ];
  if (inbox) doors.push((app) => void app.route('/', inboxPages(inbox)));
  if (dnsZone) doors.push((app) => void app.route('/', dnsPages(dnsZone.get)));
  // the sandbox API would let anyone refund any payment, so production gets only its pages
  const sandbox = env.production ? stripeSandbox?.pages : stripeSandbox?.app;
  if (sandbox) doors.push((app) => void app.route(STRIPE_SANDBOX_PATH, sandbox));
  if (identitySandbox) doors.push(sandboxDoor(IDENTITY_SANDBOX_PATH, identitySandbox));
  if (spotifySandbox) doors.push(sandboxDoor(SPOTIFY_SANDBOX_PATH, spotifySandbox));
  return doors;
}

/** Loads the sandbox with the first request to it. */
function sandboxDoor(path: string, sandbox: Lazy<{ app: Hono }>) {
  return (app: App) => void app.all(`${path}/*`, async (c) => (await sandbox.get()).app.fetch(c.req.raw));
}

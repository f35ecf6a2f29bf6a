import { IDENTITY_SANDBOX_PATH } from '../adapters/select-identity';
import { STRIPE_SANDBOX_PATH } from '../adapters/select-payments';
import type { Env } from '../env/read';
import type { OpenRuntime } from '../open-runtime';
import type { AnswerCache } from '../rest/answer-cache';
import { restDoor } from '../rest/door';
import { inboxPages } from '../sandbox/inbox/pages';
import type { App } from './app-env';
import { archivesDoor } from './archives';
import type { Caches } from './caches';
import { episodeAudioDoor } from './episode-audio';
import { exportsDoor } from './exports';
import type { NodeHandler } from './listener';
import { createMediaDoor } from './media';
import { oembedDoor } from './oembed';
import { privateFeedsDoor } from './private-feeds';
import { shareImagesDoor } from './share-images';
import { siteMapsDoor } from './site-maps';
import { soundFilesDoor } from './sound-files';
import { stripeWebhookDoor } from './stripe-webhook';
import { transcriptsDoor } from './transcripts';
import { createUploadsDoor } from './uploads';

type AudioCaches = Pick<Caches, 'enclosures' | 'pages' | 'soundFiles'>;

/**
 * Doors on Node's request and response, for bytes that should not pass through a framework. They are tried in this
 * order.
 */
export function nodeDoors({ runtime }: OpenRuntime, env: Env, caches: AudioCaches): NodeHandler[] {
  const { enclosures, pages, soundFiles } = caches;
  const { log, ports } = runtime;
  return [
    episodeAudioDoor(runtime, { trustedProxies: env.trustedProxies, enclosures }),
    soundFilesDoor(runtime, soundFiles),
    shareImagesDoor(runtime),
    transcriptsDoor(runtime, pages),
    privateFeedsDoor(runtime),
    createMediaDoor({ store: ports.storage, log }),
    createUploadsDoor(runtime, env),
    exportsDoor(runtime, env.trustedProxies),
    archivesDoor(runtime, env.trustedProxies),
  ];
}

/** Doors inside the Hono app, after its first middleware (request context, log, headers, origin check). */
export function rawDoors(
  { runtime, inbox, stripeSandbox, identitySandbox }: OpenRuntime,
  env: Env,
  answers: AnswerCache,
): ((app: App) => void)[] {
  const doors = [
    restDoor(runtime, env.apiOrigins, answers),
    siteMapsDoor(runtime),
    oembedDoor(runtime),
    stripeWebhookDoor(runtime),
  ];
  if (inbox) doors.push((app) => void app.route('/', inboxPages(inbox)));
  // the sandbox API would let anyone refund any payment, so production gets only its pages
  const sandbox = env.production ? stripeSandbox?.pages : stripeSandbox?.app;
  if (sandbox) doors.push((app) => void app.route(STRIPE_SANDBOX_PATH, sandbox));
  if (identitySandbox) doors.push(identitySandboxDoor(identitySandbox));
  return doors;
}

/** Loads the sandbox with the first request to it. */
function identitySandboxDoor(sandbox: NonNullable<OpenRuntime['identitySandbox']>) {
  return (app: App) =>
    void app.all(`${IDENTITY_SANDBOX_PATH}/*`, async (c) => (await sandbox.get()).app.fetch(c.req.raw));
}

import { STRIPE_SANDBOX_PATH } from '../adapters/select-payments';
import type { Env } from '../env/read';
import type { OpenRuntime } from '../open-runtime';
import { restDoor } from '../rest/door';
import { inboxPages } from '../sandbox/inbox/pages';
import type { App } from './app';
import { enclosures } from './enclosures';
import type { NodeHandler } from './listener';
import { createMediaDoor } from './media';
import { createUploadsDoor } from './uploads';

/** Doors on Node's own objects: bytes that no framework should touch, in the order in which they are asked. */
export function nodeDoors({ runtime }: OpenRuntime, env: Env): NodeHandler[] {
  const { log, ports } = runtime;
  return [
    enclosures(runtime, env.trustedProxies),
    createMediaDoor({ store: ports.storage, log }),
    createUploadsDoor(runtime, env),
  ];
}

/** Doors behind the app's first steps (facts, log, headers, origin) for what is no page. */
export function rawDoors({ runtime, inbox, stripeSandbox }: OpenRuntime, env: Env): ((app: App) => void)[] {
  const doors = [restDoor(runtime, env.apiOrigins)];
  if (inbox) doors.push((app) => void app.route('/', inboxPages(inbox)));
  // its API would let everybody refund everything: in production there are only the pages
  const sandbox = env.production ? stripeSandbox?.pages : stripeSandbox?.app;
  if (sandbox) doors.push((app) => void app.route(STRIPE_SANDBOX_PATH, sandbox));
  return doors;
}

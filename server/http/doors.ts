import { STRIPE_SANDBOX_PATH } from '../adapters/chosen-payments';
import type { Env } from '../env';
import type { Ground } from '../ground';
import { restDoor } from '../rest/door';
import { inboxPages } from '../sandbox/inbox/pages';
import type { App } from './app';
import { enclosures } from './enclosures';
import type { NodeHandler } from './listener';
import { createMediaDoor } from './media';
import { createUploadsDoor } from './uploads';

/** Doors on Node's own objects: bytes that no framework should touch, in the order in which they are asked. */
export function nodeDoors({ world }: Ground, env: Env): NodeHandler[] {
  const { log, far } = world;
  return [
    enclosures(world, env.trustedProxies),
    createMediaDoor({ store: far.storage, log }),
    createUploadsDoor(world, env.storage),
  ];
}

/** Doors behind the app's first steps (facts, log, headers, origin) for what is no page. */
export function rawDoors({ world, inbox, stripeSandbox }: Ground, env: Env): ((app: App) => void)[] {
  const doors = [restDoor(world, env.apiOrigins)];
  if (inbox) doors.push((app) => void app.route('/', inboxPages(inbox)));
  // its API would let everybody refund everything: in production there are only the pages
  const sandbox = env.production ? stripeSandbox?.pages : stripeSandbox?.app;
  if (sandbox) doors.push((app) => void app.route(STRIPE_SANDBOX_PATH, sandbox));
  return doors;
}

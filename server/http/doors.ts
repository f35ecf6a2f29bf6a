import type { Env } from '../env';
import type { Ground } from '../ground';
import type { App } from './app';
import { enclosures } from './enclosures';
import type { NodeHandler } from './listener';
import { createMediaDoor } from './media';

/** Doors on Node's own objects: bytes that no framework should touch, in the order in which they are asked. */
export function nodeDoors({ world }: Ground, env: Env): NodeHandler[] {
  const { log, far } = world;
  return [enclosures(world, env.trustedProxies), createMediaDoor({ store: far.storage, log })];
}

/** Doors behind the app's first steps (facts, log, headers, origin) for what is no page. */
export function rawDoors(_ground: Ground): ((app: App) => void)[] {
  return [];
}

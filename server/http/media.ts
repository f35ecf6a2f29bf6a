import type { IncomingMessage, ServerResponse } from 'node:http';
import { isKey } from '../adapters/storage/keys';
import type { ObjectStore } from '../adapters/storage/port';
import type { Log } from '../log';
import { type Exchange, sendObject, wholeObject } from './send-object';

export type MediaDoor = { store: ObjectStore; log: Log };

/** Only pictures are for everybody; audio has a door of its own. */
const ADDRESS = /^\/media\/(images\/[^?]+)(?:\?|$)/;

/** The door of `/media/images/…`: pictures under names that never change their content. @returns whether it was taken */
export function createMediaDoor(door: MediaDoor) {
  return (req: IncomingMessage, res: ServerResponse): boolean => {
    const { method, url = '' } = req;
    if (!url.startsWith('/media/')) return false;
    const key = ADDRESS.exec(url)?.[1];
    if (method !== 'GET' && method !== 'HEAD') refuse(res, 405);
    else if (key === undefined || !isKey(key)) refuse(res, 404);
    else void deliver(door, key, { req, res });
    return true;
  };
}

async function deliver(door: MediaDoor, key: string, { req, res }: Exchange): Promise<void> {
  try {
    const found = await door.store.head(key);
    if (!found) return refuse(res, 404);
    const headers = {
      'content-type': found.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'last-modified': found.modifiedAt.toUTCString(),
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    };
    const { bytes, etag } = found;
    const picture = { stretches: wholeObject(key, bytes), bytes, etag, headers };
    if (!(await sendObject(door.store, picture, { req, res }))) door.log.error({ key }, 'the store has lost a picture');
  } catch (err) {
    door.log.error({ err, key }, 'a picture could not be delivered');
    if (!res.headersSent) refuse(res, 500);
  }
}

function refuse(res: ServerResponse, status: number): void {
  const allow: Record<string, string> = status === 405 ? { allow: 'GET, HEAD' } : {};
  res.writeHead(status, { ...allow, 'content-length': '0', 'cache-control': 'no-store' });
  res.end();
}

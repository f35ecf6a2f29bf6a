import type { IncomingMessage, ServerResponse } from 'node:http';
import { isKey } from '../../adapters/storage/keys';
import type { ObjectStore } from '../../adapters/storage/port';
import { describeProblem } from '../../base/problems';
import { FILE_HEADERS } from '../../http/security';
import { type HttpExchange, sendObject, wholeObject } from '../../http/send-object';
import { sendUnavailable } from '../../http/send-unavailable';
import type { Log } from '../../watching/log';
import { noteRoute } from '../../watching/observed-response';

export type MediaDoor = { store: ObjectStore; log: Log };

/** Only images are public here; audio has its own door. */
const IMAGE_URL = /^\/media\/(images\/[^?]+)(?:\?|$)/;

/** Serves `/media/images/…`. The content under a name never changes. @returns whether the URL is below `/media/` */
export function createMediaDoor(door: MediaDoor) {
  return (req: IncomingMessage, res: ServerResponse): boolean => {
    const { method, url = '' } = req;
    if (!url.startsWith('/media/')) return false;
    noteRoute(res, '/media/:key');
    const key = IMAGE_URL.exec(url)?.[1];
    if (method !== 'GET' && method !== 'HEAD') rejectRequest(res, 405);
    else if (key === undefined || !isKey(key)) rejectRequest(res, 404);
    else void deliverImage(door, key, { req, res });
    return true;
  };
}

async function deliverImage(door: MediaDoor, key: string, { req, res }: HttpExchange): Promise<void> {
  try {
    const found = await door.store.head(key);
    if (!found) return rejectRequest(res, 404);
    const headers = {
      'content-type': found.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'last-modified': found.modifiedAt.toUTCString(),
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      ...FILE_HEADERS,
    };
    const { bytes, etag } = found;
    const file = { parts: wholeObject(key, bytes), bytes, etag, headers };
    if (!(await sendObject(door.store, file, { req, res }))) door.log.error({ key }, 'image missing in storage');
  } catch (err) {
    if (describeProblem(err).kind === 'unavailable' && !res.headersSent) return sendUnavailable(res);
    door.log.error({ err, key }, 'image delivery failed');
    if (!res.headersSent) rejectRequest(res, 500);
  }
}

function rejectRequest(res: ServerResponse, status: number): void {
  const allow: Record<string, string> = status === 405 ? { allow: 'GET, HEAD' } : {};
  res.writeHead(status, { ...allow, ...FILE_HEADERS, 'content-length': '0', 'cache-control': 'no-store' });
  res.end();
}

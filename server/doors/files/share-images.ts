import type { ServerResponse } from 'node:http';
import { coverUrls } from '../../domain/media/rules';
import { shareImageHash, storeShareImage } from '../../domain/media/share-images';
import { lookupShareImage, type ShareSubject } from '../../domain/pages/share-image';
import type { NodeHandler } from '../../http/listener';
import { FILE_HEADERS } from '../../http/security';
import { type HttpExchange, sendObject, wholeObject } from '../../http/send-object';
import { VISITOR } from '../../policy/actor';
import type { Runtime } from '../../runtime/runtime';
import { noteRoute } from '../../watching/observed-response';

const SHARE_URL = /^\/share\/(show|episode)\/(\d{1,15})\/([0-9a-f]{16})\.jpg(?:\?|$)/;
const FOREVER = {
  ...FILE_HEADERS,
  'cache-control': 'public, max-age=31536000, immutable',
  'content-type': 'image/jpeg',
};

/**
 * Serves `/share/{show|episode}/{id}/{hash}.jpg`, the picture of link previews. A former address redirects to the
 * current picture, or to the cover while too many pictures are being drawn.
 */
export function shareImagesDoor(runtime: Runtime): NodeHandler {
  return (req, res) => {
    const { url = '', method } = req;
    const [, type, id, hash] = SHARE_URL.exec(url) ?? [];
    if (type === undefined) return false;
    noteRoute(res, `/share/${type}/:id/:hash.jpg`);
    if (method !== 'GET' && method !== 'HEAD') end(res, 405, { allow: 'GET, HEAD' });
    else void deliverPicture(runtime, { subject: { type, id: Number(id) } as ShareSubject, hash: hash! }, { req, res });
    return true;
  };
}

type WantedPicture = { subject: ShareSubject; hash: string };

async function deliverPicture(
  { db, now, urls, ports, log }: Runtime,
  { subject, hash }: WantedPicture,
  { req, res }: HttpExchange,
) {
  try {
    const image = await lookupShareImage({ db, now, actor: VISITOR }, subject);
    if (!image) return end(res, 404);
    const current = shareImageHash(image);
    const { type, id } = subject;
    if (hash !== current) return end(res, 302, { location: urls.app(`/share/${type}/${id}/${current}.jpg`) });
    const key = await storeShareImage(ports, image);
    const stored = key && (await ports.storage.head(key));
    if (!stored) return end(res, 302, { location: urls.media(coverUrls(image.coverKey).jpg) });
    const { bytes, etag } = stored;
    await sendObject(ports.storage, { parts: wholeObject(key, bytes), bytes, etag, headers: FOREVER }, { req, res });
  } catch (err) {
    log.error({ err, ...subject }, 'share image delivery failed');
    if (!res.headersSent) end(res, 500);
  }
}

function end(res: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  res.writeHead(status, { ...FILE_HEADERS, ...headers, 'content-length': '0', 'cache-control': 'no-store' });
  res.end();
}

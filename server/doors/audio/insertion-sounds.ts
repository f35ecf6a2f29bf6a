import type { ServerResponse } from 'node:http';
import { describeProblem } from '../../base/problems';
import { findClipSound } from '../../domain/insertions/clip-sound';
import type { NodeHandler } from '../../http/listener';
import { actorOf, readSession } from '../../http/request-context';
import { FILE_HEADERS } from '../../http/security';
import { type HttpExchange, sendObject, wholeObject } from '../../http/send-object';
import { sendUnavailable } from '../../http/send-unavailable';
import type { Runtime } from '../../runtime/runtime';
import { noteRoute } from '../../watching/observed-response';

const CLIP_URL = /^\/audio\/clips\/([1-9]\d{0,14})\.mp3(?:\?|$)/;
/** Browsers ask every time, so that nothing plays after the user has logged out. */
const HEADERS = {
  ...FILE_HEADERS,
  'content-type': 'audio/mpeg',
  'cache-control': 'private, no-cache',
  vary: 'cookie',
  'x-robots-tag': 'noindex',
};

/** Serves `/audio/clips/{id}.mp3` to the team of the clip's creator. @returns whether the URL is one of these */
export function insertionSoundsDoor(runtime: Runtime): NodeHandler {
  return (req, res) => {
    const id = CLIP_URL.exec(req.url ?? '')?.[1];
    if (id === undefined) return false;
    noteRoute(res, '/audio/clips/:id.mp3');
    if (req.method !== 'GET' && req.method !== 'HEAD') end(res, 405, { allow: 'GET, HEAD' });
    else void deliverClip(runtime, Number(id), { req, res });
    return true;
  };
}

async function deliverClip(runtime: Runtime, id: number, { req, res }: HttpExchange): Promise<void> {
  try {
    const actor = actorOf(await readSession(runtime.sessions, req.headers.cookie));
    const { key, bytes } = await findClipSound({ db: runtime.db, actor }, id);
    const file = { parts: wholeObject(key, bytes), bytes, etag: `"${id}"`, headers: HEADERS };
    if (!(await sendObject(runtime.ports.storage, file, { req, res })))
      runtime.log.error({ clipId: id }, 'clip missing in storage');
  } catch (err) {
    const { kind } = describeProblem(err);
    if (res.headersSent) return runtime.log.error({ err, clipId: id }, 'clip delivery failed');
    if (kind === 'unavailable') return sendUnavailable(res, HEADERS);
    if (kind === 'not_found' || kind === 'forbidden' || kind === 'unauthenticated') return end(res, 404);
    runtime.log.error({ err, clipId: id }, 'clip delivery failed');
    end(res, 500);
  }
}

function end(res: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  res.writeHead(status, { ...FILE_HEADERS, 'cache-control': 'no-store', 'content-length': '0', ...headers }).end();
}

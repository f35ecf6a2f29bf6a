import type { ServerResponse } from 'node:http';
import { describeProblem } from '../../base/problems';
import { findClipSound } from '../../domain/insertions/clip-sound';
import { type PreviewedPlace, previewPlace } from '../../domain/insertions/sound-preview';
import type { NodeHandler } from '../../http/listener';
import { actorOf, readSession } from '../../http/request-context';
import { FILE_HEADERS } from '../../http/security';
import { type HttpExchange, type SendableFile, sendObject, wholeObject } from '../../http/send-object';
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

const PREVIEW_URL = /^\/audio\/previews\/([1-9]\d{0,14})\.mp3\?/;

type Wanted = { clipId: number } | PreviewedPlace;

/**
 * Serves `/audio/clips/{id}.mp3` to the team of the clip's creator, and the seconds around a place of an episode,
 * `/audio/previews/{episodeId}.mp3?at=&to=&clip=`, to the team of the episode's. Times are in milliseconds.
 * @returns whether the URL is one of these
 */
export function insertionSoundsDoor(runtime: Runtime): NodeHandler {
  return (req, res) => {
    const wanted = wantedBy(req.url ?? '');
    if (!wanted) return false;
    noteRoute(res, 'clipId' in wanted && !('episodeId' in wanted) ? '/audio/clips/:id.mp3' : '/audio/previews/:id.mp3');
    if (req.method !== 'GET' && req.method !== 'HEAD') end(res, 405, { allow: 'GET, HEAD' });
    else void deliverSound(runtime, wanted, { req, res });
    return true;
  };
}

function wantedBy(url: string): Wanted | null {
  const clipId = CLIP_URL.exec(url)?.[1];
  if (clipId !== undefined) return { clipId: Number(clipId) };
  const episodeId = PREVIEW_URL.exec(url)?.[1];
  if (episodeId === undefined) return null;
  const query = new URLSearchParams(url.slice(url.indexOf('?')));
  const number = (name: string) => (/^\d{1,12}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : null);
  return { episodeId: Number(episodeId), atMs: number('at') ?? 0, toMs: number('to'), clipId: number('clip') };
}

async function deliverSound(runtime: Runtime, wanted: Wanted, { req, res }: HttpExchange): Promise<void> {
  try {
    const actor = actorOf(await readSession(runtime.sessions, req.headers.cookie));
    const file = await fileOf({ ...runtime, actor }, wanted);
    if (!(await sendObject(runtime.ports.storage, file, { req, res })))
      runtime.log.error(wanted, 'clip missing in storage');
  } catch (err) {
    const { kind, unexpected } = describeProblem(err);
    if (unexpected) runtime.log.error({ err, ...wanted }, 'clip delivery failed');
    if (res.headersSent) return;
    if (kind === 'unavailable') return sendUnavailable(res, HEADERS);
    // others must not learn what exists
    end(res, unexpected ? 500 : 404);
  }
}

async function fileOf(ctx: Parameters<typeof previewPlace>[0], wanted: Wanted): Promise<SendableFile> {
  if ('episodeId' in wanted) {
    const { segments, bytes, sha256 } = await previewPlace(ctx, wanted);
    return { parts: segments, bytes, etag: `"${sha256}"`, headers: HEADERS };
  }
  const { key, bytes } = await findClipSound(ctx, wanted.clipId);
  return { parts: wholeObject(key, bytes), bytes, etag: `"${wanted.clipId}"`, headers: HEADERS };
}

function end(res: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  res.writeHead(status, { ...FILE_HEADERS, 'cache-control': 'no-store', 'content-length': '0', ...headers }).end();
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { transcriptOfUrl } from '../../base/public-paths';
import { transcriptFile } from '../../domain/episodes/transcripts';
import { lookupInsertions } from '../../domain/insertions/hold-rendition';
import { type Rendered, sendCached } from '../../http/caches/cached-response';
import type { PageCache } from '../../http/caches/page-cache';
import { fileReader } from '../../http/file-reader';
import type { NodeHandler } from '../../http/listener';
import { NO_PAGE_HEADERS } from '../../http/security';
import { VISITOR } from '../../policy/actor';
import type { Actor } from '../../runtime/ctx';
import type { Runtime } from '../../runtime/runtime';
import { TRANSCRIPT_TYPES, type TranscriptFormat } from '../../transcript/write-transcript';
import { noteCacheHit, noteRoute } from '../../watching/observed-response';
import { listenerTimes, type TimedRequest } from './listener-timeline';

/** Shared caches revalidate, so that a transcript that is no longer public disappears soon. */
const CACHED = 'public, max-age=0, s-maxage=60';
const OPEN = { ...NO_PAGE_HEADERS, 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

type WantedTranscript = { episodeId: number; format: TranscriptFormat };

/**
 * Serves `/transcripts/{episodeId}/{name}.{vtt|srt|json|html|txt}`. Public transcripts come from the page cache, all others
 * from the database for the caller. @returns whether the URL is one of a transcript
 */
export function transcriptsDoor(runtime: Runtime, pages: PageCache, trustedProxies = 0): NodeHandler {
  return async (req, res) => {
    const wanted = transcriptOfUrl(req.url ?? '') as WantedTranscript | null;
    if (!wanted) return false;
    noteRoute(res, '/transcripts/:id/:name');
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      sendTranscript(req, res, { ...plainText(405, 'Method not allowed.'), headers: { ...OPEN, allow: 'GET, HEAD' } });
      return true;
    }
    const key = `transcript ${wanted.episodeId}.${wanted.format}`;
    const render = () => renderTranscript(runtime, VISITOR, wanted);
    const found = pages.find(key);
    const loaded = found && !pages.needsRefresh(key, found) ? { shared: found } : await pages.load(key, render);
    if (found && 'shared' in loaded) noteCacheHit(res);
    if ('shared' in loaded) sendCached(loaded.shared, req, res, () => pages.measureAgain(loaded.shared, key));
    else sendTranscript(req, res, await renderForReader(runtime, { ...wanted, req, trustedProxies }, loaded.own));
    return true;
  };
}

async function renderForReader(
  runtime: Runtime,
  { req, trustedProxies, ...wanted }: WantedTranscript & { req: IncomingMessage; trustedProxies: number },
  visitors: Rendered,
): Promise<Rendered> {
  const client = { req, trustedProxies };
  const asVisitor = visitors.status === 404 ? visitors : await renderTranscript(runtime, VISITOR, wanted, client);
  const actor = asVisitor.status === 404 ? await fileReader(runtime, wanted.episodeId, req) : null;
  const own = actor ? await renderTranscript(runtime, actor, wanted, client) : asVisitor;
  if (own === visitors) return visitors;
  const headers = { ...own.headers, 'cache-control': 'private, no-store' };
  return { ...own, headers, tags: [] };
}

/**
 * Where clips are inserted, listeners hear words at different times, so no answer is for all of them. Without a client,
 * nothing is rendered for such an episode.
 */
async function renderTranscript(
  runtime: Runtime,
  actor: Actor,
  wanted: WantedTranscript,
  client?: Pick<TimedRequest, 'req' | 'trustedProxies'>,
): Promise<Rendered> {
  const ctx = { db: runtime.db, actor, now: runtime.now };
  const { episodeId } = wanted;
  const isShared = !(await lookupInsertions(runtime, episodeId));
  if (!isShared && !client) return { status: 200, headers: OPEN, body: Buffer.alloc(0), tags: [] };
  const shiftFor = async (creatorId: number) =>
    client && !isShared ? listenerTimes(runtime, { ...client, episodeId, creatorId }) : null;
  const found = await transcriptFile(ctx, { ...wanted, shiftFor });
  if (!found) return plainText(404, 'Not found.');
  const headers = {
    ...OPEN,
    'content-type': `${TRANSCRIPT_TYPES[wanted.format]}; charset=utf-8`,
    'cache-control': isShared ? CACHED : 'private, no-store',
    vary: 'accept-encoding',
  };
  const tags = isShared ? [`product:${found.productId}`] : [];
  return { status: 200, headers, body: Buffer.from(found.text), tags };
}

function plainText(status: number, text: string): Rendered {
  const headers = { ...OPEN, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return { status, headers, body: Buffer.from(`${text}\n`), tags: [] };
}

function sendTranscript({ method }: IncomingMessage, res: ServerResponse, { status, headers, body }: Rendered): void {
  res.writeHead(status, { ...headers, 'content-length': String(body.length) });
  res.end(method === 'HEAD' ? undefined : body);
}

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { translate } from '../../base/messages';
import { describeProblem } from '../../base/problems';
import { tokenOfSpotifyFeed } from '../../base/public-paths';
import { feedNotFound } from '../../domain/feeds/errors';
import { findSpotifyFeed } from '../../domain/spotify/distribution-feed';
import { streamFeed } from '../../feed/writer/write-feed';
import { createSlots } from '../../flow/slots';
import { acceptsGzip } from '../../http/compress-texts';
import type { NodeHandler } from '../../http/listener';
import { NO_PAGE_HEADERS } from '../../http/security';
import type { HttpExchange } from '../../http/send-object';
import { sendUnavailable } from '../../http/send-unavailable';
import { SPOTIFY_SHOW_LIMITS } from '../../limits/spotify';
import type { Runtime } from '../../runtime/runtime';
import { breakOff, noteRoute } from '../../watching/observed-response';

/** The address is a secret of Spotify's: no shared cache and no search engine may keep the feed. */
const HEADERS = {
  ...NO_PAGE_HEADERS,
  'cache-control': 'private, no-cache',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
};
const gzip = promisify(gzipCallback);

type Feeds = { runtime: Runtime; inTurn: ReturnType<typeof createSlots> };

/** Serves `/feed/spotify/{token}`. @returns whether the URL is one of a feed for Spotify */
export function spotifyFeedsDoor(runtime: Runtime): NodeHandler {
  const feeds = { runtime, inTurn: createSlots(SPOTIFY_SHOW_LIMITS.feedsAtOnce) };
  return (req, res) => {
    const token = tokenOfSpotifyFeed(req.url ?? '');
    if (token === null) return false;
    noteRoute(res, '/feed/spotify/:token');
    if (req.method === 'GET' || req.method === 'HEAD') void deliver(feeds, { token, req, res });
    else res.writeHead(405, { ...HEADERS, allow: 'GET, HEAD', 'content-length': '0' }).end();
    return true;
  };
}

async function deliver({ runtime, inTurn }: Feeds, { token, req, res }: HttpExchange & { token: string }) {
  try {
    const xml = await inTurn(() => writeFeed(runtime, token));
    if (xml === null) return refuse({ req, res });
    // the contents themselves: several rooms change what the feed says
    const etag = `"${hash('sha256', xml, 'base64url').slice(0, 22)}"`;
    const headers = { ...HEADERS, etag, vary: 'accept-encoding' };
    const kept = req.headers['if-none-match']?.replaceAll('W/', '') ?? '';
    if (kept.includes(etag)) return void res.writeHead(304, headers).end();
    const isGzip = acceptsGzip(String(req.headers['accept-encoding'] ?? ''));
    const body = isGzip ? await gzip(xml) : xml;
    const type = { 'content-type': 'application/rss+xml; charset=utf-8', 'content-length': String(body.length) };
    res.writeHead(200, { ...headers, ...type, ...(isGzip && { 'content-encoding': 'gzip' }) });
    res.end(req.method === 'HEAD' ? undefined : body);
  } catch (err) {
    if (res.headersSent) return void (res.destroyed || breakOff(res));
    if (describeProblem(err).kind === 'unavailable') return sendUnavailable(res, HEADERS);
    runtime.log.error({ err }, 'feed for Spotify failed');
    res.writeHead(500, { ...HEADERS, 'cache-control': 'no-store', 'content-length': '0' }).end();
  }
}

async function writeFeed(runtime: Runtime, token: string): Promise<Buffer | null> {
  const feed = await findSpotifyFeed(runtime, token);
  if (!feed) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of streamFeed(feed.show, feed.pages)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** 404 as for private feeds: Spotify asks again, if the show returns. */
function refuse({ req, res }: HttpExchange): void {
  const body = Buffer.from(`${translate(DEFAULT_LANGUAGE, `errors:${feedNotFound().code}`)}\n`);
  const type = { 'content-type': 'text/plain; charset=utf-8', 'content-length': String(body.length) };
  res.writeHead(404, { ...HEADERS, ...type, 'cache-control': 'no-store' });
  res.end(req.method === 'HEAD' ? undefined : body);
}

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { findPrivateFeed } from '../domain/feeds/private-feed';
import { streamFeed } from '../feed/writer/write-feed';
import { translate } from '../messages';
import { describeProblem } from '../problems';
import { tokenOfPrivateFeed } from '../public-paths';
import type { Runtime } from '../runtime';
import { acceptsGzip } from './compress-texts';
import type { NodeHandler } from './listener';
import { NO_PAGE_HEADERS } from './security';
import type { HttpExchange } from './send-object';
import { sendUnavailable } from './send-unavailable';

/** Only for one listener: no shared cache and no search engine may keep it, and no link in it may tell its address. */
const HEADERS = {
  ...NO_PAGE_HEADERS,
  'cache-control': 'private, no-cache',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
};

/**
 * Serves `/feed/private/{token}`, on any host, without a session. Nothing is kept, so the feed ends with its listener's
 * access. @returns whether the URL is one of these
 */
export function privateFeedsDoor(runtime: Runtime): NodeHandler {
  return (req, res) => {
    const token = tokenOfPrivateFeed(req.url ?? '');
    if (token === null) return false;
    if (req.method === 'GET' || req.method === 'HEAD') void deliver(runtime, token, { req, res });
    else res.writeHead(405, { ...HEADERS, allow: 'GET, HEAD', 'content-length': '0' }).end();
    return true;
  };
}

async function deliver(runtime: Runtime, token: string, { req, res }: HttpExchange): Promise<void> {
  try {
    const feed = await findPrivateFeed(runtime, token);
    const etag = `"${feed.version}"`;
    const headers = { ...HEADERS, etag, vary: 'accept-encoding', 'content-type': 'application/rss+xml; charset=utf-8' };
    if (isKept(req, etag)) return void res.writeHead(304, headers).end();
    const isGzip = acceptsGzip(String(req.headers['accept-encoding'] ?? ''));
    res.writeHead(200, isGzip ? { ...headers, 'content-encoding': 'gzip' } : headers);
    if (req.method === 'HEAD') return void res.end();
    const { show, pages } = feed.read();
    const xml = Readable.from(streamFeed(show, pages), { objectMode: false });
    await (isGzip ? pipeline(xml, createGzip(), res) : pipeline(xml, res));
  } catch (err) {
    if (res.headersSent) return void res.destroy();
    const { kind } = describeProblem(err);
    if (kind === 'not_found') return refuse({ req, res });
    if (kind === 'unavailable') return sendUnavailable(res, HEADERS);
    runtime.log.error({ err }, 'private feed delivery failed');
    res.writeHead(500, { ...HEADERS, 'cache-control': 'no-store', 'content-length': '0' }).end();
  }
}

/** Compression makes weak tags of ours in some proxies. */
function isKept({ headers }: IncomingMessage, etag: string): boolean {
  const given = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return given.includes(etag) || given.includes('*');
}

/** 404 rather than 410: podcast apps give up after 410, and the access may begin again. */
function refuse({ req, res }: HttpExchange): void {
  const body = Buffer.from(`${translate(DEFAULT_LANGUAGE, 'errors:feed.not_found')}\n`);
  const type = { 'content-type': 'text/plain; charset=utf-8', 'content-length': String(body.length) };
  res.writeHead(404, { ...HEADERS, ...type, 'cache-control': 'no-store' });
  res.end(req.method === 'HEAD' ? undefined : body);
}

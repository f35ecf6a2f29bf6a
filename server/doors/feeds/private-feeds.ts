import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { translate } from '../../base/messages';
import { describeProblem } from '../../base/problems';
import { tokenOfPrivateFeed } from '../../base/public-paths';
import { feedNotFound } from '../../domain/feeds/errors';
import { findPrivateFeeds, type PrivateFeed } from '../../domain/feeds/private-feed';
import { fillTemplate } from '../../feed/writer/personal-feed';
import { streamFeed } from '../../feed/writer/write-feed';
import { createSlots } from '../../flow/slots';
import { unchangedSender } from '../../http/caches/prebuilt-response';
import { acceptsGzip } from '../../http/compress-texts';
import type { NodeHandler } from '../../http/listener';
import { NO_PAGE_HEADERS } from '../../http/security';
import type { HttpExchange } from '../../http/send-object';
import { sendUnavailable } from '../../http/send-unavailable';
import { PRIVATE_FEED_LIMITS } from '../../limits/feeds';
import { type Runtime, systemCtx } from '../../runtime/runtime';
import { breakOff, noteRoute } from '../../watching/observed-response';
import { collectCalls } from './collect-calls';
import { GZIP, gzipTemplate, type KeptTemplate, keepTemplates } from './keep-templates';

/**
 * For one listener only: no shared cache and no search engine may keep the feed, and no link in it may reveal its
 * address.
 */
const HEADERS = {
  ...NO_PAGE_HEADERS,
  'cache-control': 'private, no-cache',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
};

const UNCHANGED = Object.entries({ ...HEADERS, vary: 'accept-encoding' }).flat();
const sendUnchangedAtOnce = unchangedSender(UNCHANGED);

type Feeds = {
  /** Few at the same time: a long feed has more than a megabyte before compression. */
  inTurn: ReturnType<typeof createSlots>;
  find(token: string): Promise<PrivateFeed | null>;
  templateOf(feed: PrivateFeed): Promise<KeptTemplate | null>;
};

/**
 * Serves `/feed/private/{token}`, on any host, without a session. Every request checks the address, so the feed ends
 * with its listener's access.
 * @returns whether the URL is one of a private feed
 */
export function privateFeedsDoor(runtime: Runtime): NodeHandler {
  const ctx = systemCtx(runtime, 'private feeds');
  const lookups = { max: PRIVATE_FEED_LIMITS.lookups };
  const find = collectCalls((tokens: string[]) => findPrivateFeeds({ ...ctx, db: runtime.db }, tokens), lookups);
  const feeds = { find, templateOf: keepTemplates(), inTurn: createSlots(PRIVATE_FEED_LIMITS.writtenAtOnce) };
  return (req, res) => {
    const token = tokenOfPrivateFeed(req.url ?? '');
    if (token === null) return false;
    noteRoute(res, '/feed/private/:token');
    if (req.method === 'GET' || req.method === 'HEAD') void deliverFeed(runtime, feeds, { token, req, res });
    else res.writeHead(405, { ...HEADERS, allow: 'GET, HEAD', 'content-length': '0' }).end();
    return true;
  };
}

async function deliverFeed(
  runtime: Runtime,
  feeds: Feeds,
  { token, req, res }: HttpExchange & { token: string },
): Promise<void> {
  try {
    const feed = await feeds.find(token);
    if (!feed) return refuseFeed({ req, res });
    const etag = `"${feed.version}"`;
    if (isKept(req, etag)) return sendUnchanged(etag, { req, res });
    const headers = { ...HEADERS, etag, vary: 'accept-encoding', 'content-type': 'application/rss+xml; charset=utf-8' };
    const isGzip = acceptsGzip(String(req.headers['accept-encoding'] ?? ''));
    const sent = isGzip ? { ...headers, 'content-encoding': 'gzip' } : headers;
    if (req.method === 'HEAD') return void res.writeHead(200, sent).end();
    const template = await feeds.templateOf(feed);
    if (!template) return await sendLongFeed(feed, sent, { req, res });
    const body = await feeds.inTurn(async () =>
      isGzip ? gzipTemplate(template, feed.personal()) : fillTemplate(template.plain, feed.personal()),
    );
    res.writeHead(200, { ...sent, 'content-length': String(body.length) }).end(body);
  } catch (err) {
    if (res.headersSent) return void (res.destroyed || breakOff(res));
    if (describeProblem(err).kind === 'unavailable') return sendUnavailable(res, HEADERS);
    runtime.log.error({ err }, 'private feed delivery failed');
    res.writeHead(500, { ...HEADERS, 'cache-control': 'no-store', 'content-length': '0' }).end();
  }
}

async function sendLongFeed(feed: PrivateFeed, headers: Record<string, string>, { res }: HttpExchange): Promise<void> {
  const { show, pages } = await feed.read(feed.personal());
  res.writeHead(200, headers);
  const xml = Readable.from(streamFeed(show, pages), { objectMode: false });
  await ('content-encoding' in headers ? pipeline(xml, createGzip(GZIP), res) : pipeline(xml, res));
}

/** Answers most requests of podcast apps. A single write takes half of the time. */
function sendUnchanged(etag: string, { req, res }: HttpExchange): void {
  if (sendUnchangedAtOnce(etag, req, res)) return;
  res.writeHead(304, ['etag', etag, ...UNCHANGED]).end();
}

/** Some proxies weaken our tags when they compress. */
function isKept({ headers }: IncomingMessage, etag: string): boolean {
  const given = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return given.includes(etag) || given.includes('*');
}

/**
 * 404 rather than 410: podcast apps give up after 410, and a proxy may have hidden the address from us for a moment.
 */
function refuseFeed({ req, res }: HttpExchange): void {
  const body = Buffer.from(`${translate(DEFAULT_LANGUAGE, `errors:${feedNotFound().code}`)}\n`);
  const type = { 'content-type': 'text/plain; charset=utf-8', 'content-length': String(body.length) };
  res.writeHead(404, { ...HEADERS, ...type, 'cache-control': 'no-store' });
  res.end(req.method === 'HEAD' ? undefined : body);
}

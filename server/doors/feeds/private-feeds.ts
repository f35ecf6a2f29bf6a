import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip as gzipCallback } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { translate } from '../../base/messages';
import { describeProblem } from '../../base/problems';
import { tokenOfPrivateFeed } from '../../base/public-paths';
import { feedNotFound } from '../../domain/feeds/errors';
import { findPrivateFeeds, type PrivateFeed } from '../../domain/feeds/private-feed';
import { type FeedTemplate, fillTemplate, placeholders, toTemplate } from '../../feed/writer/personal-feed';
import { streamFeed } from '../../feed/writer/write-feed';
import { createSlots } from '../../flow/slots';
import { unchangedSender } from '../../http/caches/prebuilt-response';
import { acceptsGzip } from '../../http/compress-texts';
import type { NodeHandler } from '../../http/listener';
import { NO_PAGE_HEADERS } from '../../http/security';
import type { HttpExchange } from '../../http/send-object';
import { sendUnavailable } from '../../http/send-unavailable';
import { FEED_LIMITS, PRIVATE_FEED_LIMITS } from '../../limits/feeds';
import { type Runtime, systemCtx } from '../../runtime/runtime';
import { breakOff, noteRoute } from '../../watching/observed-response';
import { collectCalls } from './collect-calls';

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

const gzip = promisify(gzipCallback);
/**
 * Every listener's feed is compressed separately: this level takes a fifth of the time and gives an eighth more bytes.
 * With larger chunks, the threads hand over less often.
 */
const GZIP = { level: 2, chunkSize: 256 * 1024 };

type Feeds = {
  /** Few at the same time: a long feed has more than a megabyte before compression. */
  inTurn: ReturnType<typeof createSlots>;
  find(token: string): Promise<PrivateFeed | null>;
  templateOf(feed: PrivateFeed): Promise<FeedTemplate | null>;
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

/**
 * Listeners of one show get the same feed except for the personal parts, so it is read and written once per version.
 */
function keepTemplates(): Feeds['templateOf'] {
  const secret = randomBytes(12).toString('hex');
  const kept = new LRUCache<string, FeedTemplate>({ maxSize: PRIVATE_FEED_LIMITS.templates, sizeCalculation: sizeOf });
  const running = new Map<string, Promise<FeedTemplate | null>>();
  return async (feed) => {
    const key = feed.shared;
    if (key === null) return null;
    const template = kept.get(key) ?? (await (running.get(key) ?? build(key, feed)));
    return template;
  };

  function build(key: string, feed: PrivateFeed): Promise<FeedTemplate | null> {
    const building = writeTemplate(feed, secret)
      .then((template) => {
        if (template) kept.set(key, template);
        return template;
      })
      .finally(() => running.delete(key));
    running.set(key, building);
    return building;
  }
}

/** Estimates the memory that the parts of a template need besides their bytes. */
const sizeOf = ({ bytes, parts }: FeedTemplate) => bytes + parts.length * 100;

/** Null for a long feed, which must not be in memory as a whole. */
async function writeTemplate(feed: PrivateFeed, secret: string): Promise<FeedTemplate | null> {
  const { show, pages } = await feed.read(placeholders(secret));
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of streamFeed(show, pages)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > FEED_LIMITS.plainBytes) return null;
  }
  return toTemplate(Buffer.concat(chunks), secret);
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
    const fill = async () => fillTemplate(template, feed.personal());
    const body = await feeds.inTurn(async () => (isGzip ? gzip(await fill(), GZIP) : fill()));
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

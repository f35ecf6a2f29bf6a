import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { PrivateFeed } from '../../domain/feeds/private-feed';
import { compressTemplate, fillGzip, type GzipTemplate } from '../../feed/writer/gzip-template';
import {
  type FeedTemplate,
  fillTemplate,
  type Personal,
  placeholders,
  toTemplate,
} from '../../feed/writer/personal-feed';
import { streamFeed } from '../../feed/writer/write-feed';
import { FEED_LIMITS, PRIVATE_FEED_LIMITS } from '../../limits/feeds';

/** `compressed`: by the length of an access. */
export type KeptTemplate = {
  plain: FeedTemplate;
  gzips: number;
  compressed: Map<number, Promise<GzipTemplate>>;
};

/**
 * A feed that is compressed as a whole takes this level: a fifth of the time of the usual one, and an eighth more bytes.
 * With larger chunks, the threads hand over less often.
 */
export const GZIP = { level: 2, chunkSize: 256 * 1024 };
const gzip = promisify(gzipCallback);

/**
 * Listeners of one show get the same feed except for the personal parts, so it is read and written once per version.
 */
export function keepTemplates(): (feed: PrivateFeed) => Promise<KeptTemplate | null> {
  const secret = randomBytes(12).toString('hex');
  const kept = new LRUCache<string, KeptTemplate>({ maxSize: PRIVATE_FEED_LIMITS.templates, sizeCalculation: sizeOf });
  const running = new Map<string, Promise<KeptTemplate | null>>();
  return async (feed) => {
    const key = feed.shared;
    if (key === null) return null;
    const template = kept.get(key) ?? (await (running.get(key) ?? build(key, feed)));
    return template;
  };

  function build(key: string, feed: PrivateFeed): Promise<KeptTemplate | null> {
    const building = writeTemplate(feed, secret)
      .then((plain) => {
        if (!plain) return null;
        const template = { plain, gzips: 0, compressed: new Map() };
        kept.set(key, template);
        return template;
      })
      .finally(() => running.delete(key));
    running.set(key, building);
    return building;
  }
}

/** Estimates the memory that a template needs: its bytes, a quarter of them compressed, and its parts. */
const sizeOf = ({ plain }: KeptTemplate) => Math.ceil(plain.bytes * 1.25) + plain.parts.length * 200;

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

/**
 * Compresses the parts of a template once enough listeners have got it: this takes as long as thirty feeds, and then
 * each feed takes a third of the time, and a twentieth more bytes (decision 0293).
 */
export async function gzipTemplate(template: KeptTemplate, personal: Personal): Promise<Buffer> {
  template.gzips += 1;
  if (template.gzips <= PRIVATE_FEED_LIMITS.compressedAfter) return gzip(fillTemplate(template.plain, personal), GZIP);
  const { length } = personal.access(0);
  return fillGzip(await (template.compressed.get(length) ?? compress(template, length)), personal);
}

function compress({ plain, compressed }: KeptTemplate, accessLength: number): Promise<GzipTemplate> {
  const compressing = compressTemplate(plain, accessLength);
  compressed.set(accessLength, compressing);
  // the next request tries again
  compressing.catch(() => compressed.delete(accessLength));
  return compressing;
}

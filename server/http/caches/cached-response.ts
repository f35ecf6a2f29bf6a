import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createGunzip, gzip } from 'node:zlib';
import { MAX_PREBUILT_BYTES, type Prebuilt, prebuild, sendPrebuilt } from './prebuilt-response';

/** A rendered public response. Only a 200 with tags may be cached. */
export type Rendered = {
  status: number;
  /** Lower-case names. Without headers about one visitor, and without length and encoding. */
  headers: Record<string, string>;
  body: Buffer;
  /**
   * Set if `body` is already gzip, because the plain body is too large for memory: the plain body's length and hash.
   */
  packed?: { bytes: number; sha256: Buffer };
  /**
   * The objects on which the body depends (`product:7`, `creator:3`); a change of any of them invalidates it. Empty if
   * the response must not be cached.
   */
  tags: string[];
  /** Cookies for this visitor. A response with cookies is not cached. */
  cookies?: string[];
};

export type Encoding = 'identity' | 'gzip' | 'br';
/** With `body` null, the gzip source is decompressed while sending. */
type Variant = {
  body: Buffer | null;
  etag: string;
  full: string[];
  unchanged: string[];
  /** By status; built at the first request. */
  prebuilt: { 200?: Prebuilt; 304?: Prebuilt };
};

/** A public response ready to send. Each encoding is compressed once, at its first use. */
export type CachedResponse = {
  tags: string[];
  /** After this time it is refreshed in the background; after `expiresAt` it is no longer served. */
  staleAt: number;
  expiresAt: number;
  /** Bytes in memory; grows with each encoding. */
  bytes: number;
  /** The part of the ETag that all encodings share. */
  fingerprint: string;
  /** Unix time in seconds; null without Last-Modified. */
  modifiedAt: number | null;
  headers: Record<string, string>;
  source: Buffer;
  /** Plain length if the source is gzip; otherwise null. */
  unpackedBytes: number | null;
  variants: Partial<Record<Encoding, Variant | Promise<Variant>>>;
};

const SUFFIX: Record<Encoding, string> = { identity: '', gzip: '-gz', br: '-br' };
/** Smaller bodies fit into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1200;
const compress = {
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
};

export function cachedResponse(rendered: Rendered, now: number, ceiling: number): CachedResponse {
  const modified = Date.parse(rendered.headers['last-modified'] ?? '');
  const response: CachedResponse = {
    tags: rendered.tags,
    staleAt: now + ceiling / 2,
    expiresAt: now + ceiling,
    bytes: rendered.body.length + 2048,
    fingerprint: sha256Of(rendered).toString('base64url').slice(0, 27),
    modifiedAt: Number.isNaN(modified) ? null : Math.floor(modified / 1000),
    headers: rendered.headers,
    source: rendered.body,
    unpackedBytes: rendered.packed?.bytes ?? null,
    variants: {},
  };
  if (rendered.packed) {
    response.variants.gzip = variantFor(response, 'gzip', rendered.body);
    response.variants.identity = variantFor(response, 'identity', null);
  }
  return response;
}

const sha256Of = ({ body, packed }: Rendered) => packed?.sha256 ?? createHash('sha256').update(body).digest();

/**
 * Sends the response in the best encoding that the client accepts.
 * @param onGrowth called after an encoding was added
 */
export function sendCached(response: CachedResponse, req: IncomingMessage, res: ServerResponse, onGrowth: () => void) {
  const found = variantOf(response, encodingFor(req.headers['accept-encoding'], response), onGrowth);
  if (found instanceof Promise) {
    found.then(
      (variant) => writeVariant(response, variant, req, res),
      () => writeVariant(response, variantFor(response, 'identity', response.source), req, res),
    );
  } else writeVariant(response, found, req, res);
}

const EMPTY = Buffer.alloc(0);

function writeVariant(response: CachedResponse, variant: Variant, req: IncomingMessage, res: ServerResponse) {
  if (isUnchanged(response, variant, req)) {
    variant.prebuilt[304] ??= prebuild(304, variant.unchanged, EMPTY, { req, res });
    if (sendPrebuilt(variant.prebuilt[304], req, res)) return;
    res.writeHead(304, variant.unchanged);
    res.end();
    return;
  }
  if (sendWhole(response, variant, req, res)) return;
  res.writeHead(200, variant.full);
  if (req.method === 'HEAD') res.end();
  else if (variant.body) res.end(variant.body);
  else sendUnpacked(response.source, res);
}

function sendWhole(response: CachedResponse, variant: Variant, req: IncomingMessage, res: ServerResponse): boolean {
  const { body } = variant;
  if (body === null || body.length > MAX_PREBUILT_BYTES) return false;
  const prebuilt = variant.prebuilt[200] ?? prebuild(200, variant.full, body, { req, res });
  variant.prebuilt[200] = prebuilt;
  // otherwise the body would be in memory twice
  variant.body = prebuilt.body;
  if (response.source === body) response.source = prebuilt.body;
  return sendPrebuilt(prebuilt, req, res);
}

/** Streams with backpressure. A client that disconnects is not an error. */
function sendUnpacked(source: Buffer, res: ServerResponse) {
  const gunzip = createGunzip();
  pipeline(gunzip, res, () => {});
  gunzip.end(source);
}

function variantOf(response: CachedResponse, encoding: Encoding, onGrowth: () => void): Variant | Promise<Variant> {
  const known = response.variants[encoding];
  if (known) return known;
  if (encoding === 'identity') {
    const plain = variantFor(response, encoding, response.source);
    response.variants.identity = plain;
    return plain;
  }
  const compressing = compress[encoding](response.source).then((body) => {
    const variant = variantFor(response, encoding, body);
    response.variants[encoding] = variant;
    response.bytes += body.length;
    onGrowth();
    return variant;
  });
  response.variants[encoding] = compressing;
  return compressing;
}

function variantFor(response: CachedResponse, encoding: Encoding, body: Buffer | null): Variant {
  const etag = `"${response.fingerprint}${SUFFIX[encoding]}"`;
  const full: string[] = [];
  for (const [name, value] of Object.entries(response.headers)) full.push(name, value);
  if (encoding !== 'identity') full.push('content-encoding', encoding);
  full.push('etag', etag, 'content-length', String(body?.length ?? response.unpackedBytes));
  const unchanged = ['etag', etag];
  for (const name of ['cache-control', 'vary', 'last-modified']) {
    const value = response.headers[name];
    if (value) unchanged.push(name, value);
  }
  return { body, etag, full, unchanged, prebuilt: {} };
}

/** RFC 9110 §13.2.2: If-None-Match takes precedence over If-Modified-Since. */
function isUnchanged(response: CachedResponse, variant: Variant, req: IncomingMessage): boolean {
  const etags = req.headers['if-none-match'];
  if (etags !== undefined) {
    if (etags === variant.etag || etags === '*') return true;
    return (
      etags.includes(response.fingerprint) &&
      etags.split(',').some((tag) => fingerprintOf(tag) === response.fingerprint)
    );
  }
  const since = req.headers['if-modified-since'];
  if (since === undefined || response.modifiedAt === null) return false;
  const at = Date.parse(since);
  return !Number.isNaN(at) && response.modifiedAt <= Math.floor(at / 1000);
}

/** Ignores the encoding suffix, because every encoding is the same page, and the weak prefix that proxies add. */
function fingerprintOf(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"|"$/g, '')
    .replace(/-(?:gz|br)$/, '');
}

type AcceptedEncodings = { br: boolean; gzip: boolean };
const acceptedByHeader = new Map<string, AcceptedEncodings>();

/** Prefers Brotli to gzip; a weight of 0 excludes an encoding. A gzip source is not compressed again. */
function encodingFor(header: string | string[] | undefined, { source, unpackedBytes }: CachedResponse): Encoding {
  if (typeof header !== 'string' || source.length < MIN_COMPRESSED_BYTES) return 'identity';
  const { br, gzip } = acceptedByHeader.get(header) ?? acceptedEncodings(header);
  if (br && unpackedBytes === null) return 'br';
  return gzip ? 'gzip' : 'identity';
}

function acceptedEncodings(header: string): AcceptedEncodings {
  const names = new Set<string>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    if (!parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))) names.add(name);
  }
  const accepted = { br: names.has('br'), gzip: names.has('gzip') || names.has('x-gzip') || names.has('*') };
  if (acceptedByHeader.size < 200) acceptedByHeader.set(header, accepted);
  return accepted;
}

/** Whether a new rendering equals the cached one, whose compressed encodings can then be kept. */
export function isSame(one: CachedResponse, other: CachedResponse): boolean {
  return (
    one.fingerprint === other.fingerprint &&
    JSON.stringify(one.headers) === JSON.stringify(other.headers) &&
    one.tags.join() === other.tags.join()
  );
}

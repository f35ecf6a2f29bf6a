import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createGunzip, gzip } from 'node:zlib';

/** What a renderer made for a public address; only a 200 with tags may be kept. */
export type Rendered = {
  status: number;
  /** Lower-case names; none of them about one visitor, none about length or encoding. */
  headers: Record<string, string>;
  body: Buffer;
  /** Set where `body` is gzip already, since nobody should hold the whole: length and hash of what it unpacks to. */
  packed?: { bytes: number; sha256: Buffer };
  /** What it was made of (`product:7`, `creator:3`): a change of any of them ends it. Empty: not to be kept. */
  tags: string[];
  /** Cookies for the one visitor whom it was rendered for: then it is not kept. */
  cookies?: string[];
};

export type Encoding = 'identity' | 'gzip' | 'br';
/** `body` null: the source, unpacked as it is sent. */
type Variant = { body: Buffer | null; etag: string; full: string[]; unchanged: string[] };

/** A public answer ready to be written: headers laid out, bodies compressed once, at their first use. */
export type CachedAnswer = {
  tags: string[];
  /** From then on it is made anew, while it still is given out; from `expiresAt` on it is not. */
  staleAt: number;
  expiresAt: number;
  /** Bytes held, which grow as encodings are asked for. */
  bytes: number;
  /** The part of the ETag that all encodings share. */
  fingerprint: string;
  /** Whole seconds since 1970; null where the page does not say. */
  modifiedAt: number | null;
  headers: Record<string, string>;
  source: Buffer;
  /** Bytes that the source unpacks to, where it is gzip already. */
  unpacked: number | null;
  variants: Partial<Record<Encoding, Variant | Promise<Variant>>>;
};

const SUFFIX: Record<Encoding, string> = { identity: '', gzip: '-gz', br: '-br' };
/** Below one packet there is nothing to gain. */
const WORTH_COMPRESSING = 1200;
const compress = {
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
};

export function cachedAnswer(rendered: Rendered, now: number, ceiling: number): CachedAnswer {
  const modified = Date.parse(rendered.headers['last-modified'] ?? '');
  const answer: CachedAnswer = {
    tags: rendered.tags,
    staleAt: now + ceiling / 2,
    expiresAt: now + ceiling,
    bytes: rendered.body.length + 2048,
    fingerprint: sha256Of(rendered).toString('base64url').slice(0, 27),
    modifiedAt: Number.isNaN(modified) ? null : Math.floor(modified / 1000),
    headers: rendered.headers,
    source: rendered.body,
    unpacked: rendered.packed?.bytes ?? null,
    variants: {},
  };
  if (rendered.packed) {
    answer.variants.gzip = layOut(answer, 'gzip', rendered.body);
    answer.variants.identity = layOut(answer, 'identity', null);
  }
  return answer;
}

const sha256Of = ({ body, packed }: Rendered) => packed?.sha256 ?? createHash('sha256').update(body).digest();

/** Writes the answer in the encoding that the client takes; `grew` hears of bytes that a new encoding holds. */
export function answerWith(
  answer: CachedAnswer,
  req: IncomingMessage,
  res: ServerResponse,
  grew: (bytes: number) => void,
) {
  const found = variantOf(answer, encodingFor(req.headers['accept-encoding'], answer), grew);
  if (found instanceof Promise) {
    found.then(
      (variant) => write(answer, variant, req, res),
      () => write(answer, layOut(answer, 'identity', answer.source), req, res),
    );
  } else write(answer, found, req, res);
}

function write(answer: CachedAnswer, variant: Variant, req: IncomingMessage, res: ServerResponse) {
  if (isUnchanged(answer, variant, req)) {
    res.writeHead(304, variant.unchanged);
    res.end();
    return;
  }
  res.writeHead(200, variant.full);
  if (req.method === 'HEAD') res.end();
  else if (variant.body) res.end(variant.body);
  else unpack(answer.source, res);
}

/** No faster than the client takes it. One that goes away in the middle is nobody's mistake. */
function unpack(source: Buffer, res: ServerResponse) {
  const gunzip = createGunzip();
  pipeline(gunzip, res, () => {});
  gunzip.end(source);
}

function variantOf(
  answer: CachedAnswer,
  encoding: Encoding,
  grew: (bytes: number) => void,
): Variant | Promise<Variant> {
  const known = answer.variants[encoding];
  if (known) return known;
  if (encoding === 'identity') {
    const plain = layOut(answer, encoding, answer.source);
    answer.variants.identity = plain;
    return plain;
  }
  const made = compress[encoding](answer.source).then((body) => {
    const variant = layOut(answer, encoding, body);
    answer.variants[encoding] = variant;
    answer.bytes += body.length;
    grew(body.length);
    return variant;
  });
  answer.variants[encoding] = made;
  return made;
}

function layOut(answer: CachedAnswer, encoding: Encoding, body: Buffer | null): Variant {
  const etag = `"${answer.fingerprint}${SUFFIX[encoding]}"`;
  const full: string[] = [];
  for (const [name, value] of Object.entries(answer.headers)) full.push(name, value);
  if (encoding !== 'identity') full.push('content-encoding', encoding);
  full.push('etag', etag, 'content-length', String(body?.length ?? answer.unpacked));
  const unchanged = ['etag', etag];
  for (const name of ['cache-control', 'vary', 'last-modified']) {
    const value = answer.headers[name];
    if (value) unchanged.push(name, value);
  }
  return { body, etag, full, unchanged };
}

/** RFC 9110 §13.2.2: If-None-Match decides alone where it is sent. */
function isUnchanged(answer: CachedAnswer, variant: Variant, req: IncomingMessage): boolean {
  const known = req.headers['if-none-match'];
  if (known !== undefined) {
    if (known === variant.etag || known === '*') return true;
    return (
      known.includes(answer.fingerprint) && known.split(',').some((tag) => fingerprintOf(tag) === answer.fingerprint)
    );
  }
  const since = req.headers['if-modified-since'];
  if (since === undefined || answer.modifiedAt === null) return false;
  const at = Date.parse(since);
  return !Number.isNaN(at) && answer.modifiedAt <= Math.floor(at / 1000);
}

/** Any encoding that the client holds is the same page, and a proxy may have made the tag weak. */
function fingerprintOf(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"|"$/g, '')
    .replace(/-(?:gz|br)$/, '');
}

type Taken = { br: boolean; gzip: boolean };
const chosen = new Map<string, Taken>();

/** Brotli before gzip, unless the client puts a weight of 0 on it; what is packed already is not packed anew. */
function encodingFor(header: string | string[] | undefined, { source, unpacked }: CachedAnswer): Encoding {
  if (typeof header !== 'string' || source.length < WORTH_COMPRESSING) return 'identity';
  const { br, gzip } = chosen.get(header) ?? takenBy(header);
  if (br && unpacked === null) return 'br';
  return gzip ? 'gzip' : 'identity';
}

function takenBy(header: string): Taken {
  const names = new Set<string>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    if (!parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))) names.add(name);
  }
  const taken = { br: names.has('br'), gzip: names.has('gzip') || names.has('x-gzip') || names.has('*') };
  if (chosen.size < 200) chosen.set(header, taken);
  return taken;
}

/** Whether a new rendering is the old one, which then may go on with the encodings that it has. */
export function isSame(one: CachedAnswer, other: CachedAnswer): boolean {
  return (
    one.fingerprint === other.fingerprint &&
    JSON.stringify(one.headers) === JSON.stringify(other.headers) &&
    one.tags.join() === other.tags.join()
  );
}

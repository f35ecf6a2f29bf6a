import { constants, crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';
import { type FeedTemplate, type Personal, type Slot, slotValues } from './personal-feed';

type Literal = { plain: Buffer; compressed: Buffer };
/** A template whose literal parts are compressed once, for listeners whose accesses have this many bytes. */
export type GzipTemplate = { parts: (Literal | Slot)[]; accessLength: number };

/** RFC 1952 §2.3: deflate, no name, no time, unknown system. */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty last block, with fixed codes (RFC 1951 §3.2.6). */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);
/** Ends what is flushed: the lengths of a stored block without content (RFC 1951 §3.2.4). */
const EMPTY_LENGTHS = Buffer.from([0x00, 0x00, 0xff, 0xff]);
/** The type of a stored block, at the start of a byte. */
const STORED = Buffer.from([0x00]);
/** No byte of UTF-8, so nothing in the literal parts can be a copy of it. */
const STAND_IN = 0xff;

/**
 * Compresses the literal parts as one stream, in which a later part may copy from earlier ones. An access counts in the
 * distances of such copies, so bytes of its length stand in for it, but are never copied. Nothing is copied across
 * values whose length differs between listeners.
 */
export async function compressTemplate({ parts }: FeedTemplate, accessLength: number): Promise<GzipTemplate> {
  const deflate = createDeflateRaw({ level: constants.Z_BEST_COMPRESSION });
  const standIn = Buffer.alloc(accessLength, STAND_IN);
  const compressed: GzipTemplate['parts'] = [];
  for (const part of parts) {
    if (!('kind' in part)) compressed.push({ plain: part, compressed: await compressPart(deflate, part) });
    else {
      if (part.kind === 'access') await flushed(deflate, standIn, constants.Z_SYNC_FLUSH);
      else await flushed(deflate, null, constants.Z_FULL_FLUSH);
      compressed.push(part);
    }
  }
  deflate.destroy();
  return { parts: compressed, accessLength };
}

/** Ends with the type of a stored block, whose lengths and content follow. */
async function compressPart(deflate: DeflateRaw, part: Buffer): Promise<Buffer> {
  if (part.length === 0) return STORED;
  const bytes = await flushed(deflate, part, constants.Z_SYNC_FLUSH);
  return bytes.subarray(0, bytes.length - EMPTY_LENGTHS.length);
}

function flushed(deflate: DeflateRaw, input: Buffer | null, kind: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    deflate.once('error', reject);
    if (input) deflate.write(input);
    deflate.flush(kind, () => {
      deflate.off('error', reject);
      const chunks: Buffer[] = [];
      for (let chunk = deflate.read(); chunk !== null; chunk = deflate.read()) chunks.push(chunk);
      resolve(Buffer.concat(chunks));
    });
  });
}

/** The feed of one listener as gzip: their values are stored blocks between the compressed parts. */
export function fillGzip({ parts, accessLength }: GzipTemplate, personal: Personal): Buffer {
  const valueIn = slotValues(personal);
  const plain: Buffer[] = [];
  const gzip: Buffer[] = [HEAD];
  for (const part of parts) {
    if ('kind' in part) {
      const value = valueIn(part);
      if (part.kind === 'access' && value.length !== accessLength) throw new Error('an access of another length');
      plain.push(value);
      gzip.push(lengthsOf(value), value);
    } else {
      plain.push(part.plain);
      gzip.push(part.compressed);
    }
  }
  // the last literal part awaits the content of a stored block
  gzip.push(EMPTY_LENGTHS, LAST_BLOCK, tailOf(Buffer.concat(plain)));
  return Buffer.concat(gzip);
}

function lengthsOf({ length }: Buffer): Buffer {
  const lengths = Buffer.allocUnsafe(4);
  lengths.writeUInt16LE(length, 0);
  lengths.writeUInt16LE(length ^ 0xffff, 2);
  return lengths;
}

function tailOf(plain: Buffer): Buffer {
  const tail = Buffer.allocUnsafe(8);
  tail.writeUInt32LE(crc32(plain), 0);
  tail.writeUInt32LE(plain.length, 4);
  return tail;
}

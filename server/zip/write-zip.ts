import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { DEFLATED, RECORDS, STORED, VERSION, ZIP64_COUNT, ZIP64_SIZE } from './format';

/** The position of an entry in the zip, and how it is stored. */
export type EntryHead = { name: string; offset: number; isCompressed: boolean; at: Date };

/** Facts that are known once an entry is written. `storedBytes`: without its headers. */
export type EntryTail = { bytes: number; storedBytes: number; crc32: number; sha256: string };
/** `end`: the position of the next entry. */
type WrittenTail = EntryTail & { end: number };

const CHUNK_CHARS = 64 * 1024;
/** Names are UTF-8, and sizes follow the content. */
const FLAGS = 0x0808;

/**
 * Writes one entry in chunks: sizes and checksums follow the content, so it is read once and never held. Recorded music
 * and pictures are not compressed again.
 */
export async function* writeEntry(
  head: EntryHead,
  content: AsyncIterable<Buffer | string>,
): AsyncGenerator<Buffer, WrittenTail> {
  const header = localHeader(head);
  yield header;
  const read = { bytes: 0, crc: 0, hash: createHash('sha256') };
  const counted = countBytes(content, read);
  let storedBytes = 0;
  for await (const chunk of head.isCompressed ? deflate(counted) : counted) {
    storedBytes += chunk.length;
    yield chunk;
  }
  const tail = { bytes: read.bytes, storedBytes, crc32: read.crc, sha256: read.hash.digest('hex') };
  const descriptor = dataDescriptor(tail);
  yield descriptor;
  return { ...tail, end: head.offset + header.length + storedBytes + descriptor.length };
}

async function* countBytes(content: AsyncIterable<Buffer | string>, read: { bytes: number; crc: number; hash: Hash }) {
  for await (const chunk of inChunks(content)) {
    read.bytes += chunk.length;
    read.crc = crc32(chunk, read.crc);
    read.hash.update(chunk);
    yield chunk;
  }
}

/** Texts come row by row: a step of the compressor for each row would take four times as long. */
async function* inChunks(content: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  let text = '';
  for await (const piece of content) {
    if (typeof piece === 'string') text += piece;
    if (text !== '' && (typeof piece !== 'string' || text.length >= CHUNK_CHARS)) {
      yield Buffer.from(text);
      text = '';
    }
    if (typeof piece !== 'string') yield piece;
  }
  if (text !== '') yield Buffer.from(text);
}

async function* deflate(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const compressor = createDeflateRaw();
  const done = pipeline(Readable.from(content), compressor);
  // the error also appears where the chunks are read
  done.catch(() => {});
  yield* compressor;
  await done;
}

const isLarge = ({ bytes, storedBytes }: { bytes: number; storedBytes: number }) =>
  bytes >= ZIP64_SIZE || storedBytes >= ZIP64_SIZE;

function localHeader(head: EntryHead): Buffer {
  const name = Buffer.from(head.name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(RECORDS.local);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(head.isCompressed ? DEFLATED : STORED, 8);
  header.writeUInt32LE(dosTime(head.at), 10);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function dataDescriptor(tail: EntryTail): Buffer {
  const large = isLarge(tail);
  const record = Buffer.alloc(large ? 24 : 16);
  record.writeUInt32LE(RECORDS.descriptor);
  record.writeUInt32LE(tail.crc32, 4);
  writeSize(record, tail.storedBytes, 8, large);
  writeSize(record, tail.bytes, large ? 16 : 12, large);
  return record;
}

function writeSize(record: Buffer, size: number, at: number, large: boolean): void {
  if (large) record.writeBigUInt64LE(BigInt(size), at);
  else record.writeUInt32LE(size, at);
}

export type WrittenEntry = EntryHead & Omit<EntryTail, 'sha256'>;

/** The directory of a zip whose entries end at `offset`, in Zip64 where numbers are too large for the older format. */
export async function* writeDirectory(
  entries: Iterable<WrittenEntry> | AsyncIterable<WrittenEntry>,
  offset: number,
): AsyncGenerator<Buffer> {
  let count = 0;
  let bytes = 0;
  for await (const entry of entries) {
    const record = directoryRecord(entry);
    count += 1;
    bytes += record.length;
    yield record;
  }
  yield endOfDirectory({ count, bytes, offset });
}

function directoryRecord(entry: WrittenEntry): Buffer {
  const name = Buffer.from(entry.name);
  const extra = zip64Extra(entry);
  const isZip64 = extra.length > 0;
  const record = Buffer.alloc(46);
  record.writeUInt32LE(RECORDS.directory);
  // "made on Unix", so that the permissions below count
  record.writeUInt16LE((3 << 8) | VERSION, 4);
  record.writeUInt16LE(VERSION, 6);
  record.writeUInt16LE(FLAGS, 8);
  record.writeUInt16LE(entry.isCompressed ? DEFLATED : STORED, 10);
  record.writeUInt32LE(dosTime(entry.at), 12);
  record.writeUInt32LE(entry.crc32, 16);
  record.writeUInt32LE(isZip64 ? ZIP64_SIZE : entry.storedBytes, 20);
  record.writeUInt32LE(isZip64 ? ZIP64_SIZE : entry.bytes, 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE((0o100644 << 16) >>> 0, 38);
  record.writeUInt32LE(isZip64 ? ZIP64_SIZE : entry.offset, 42);
  return Buffer.concat([record, name, extra]);
}

/** Empty if the entry fits the older fields. */
function zip64Extra(entry: WrittenEntry): Buffer {
  if (!isLarge(entry) && entry.offset < ZIP64_SIZE) return Buffer.alloc(0);
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(RECORDS.zip64Extra);
  extra.writeUInt16LE(24, 2);
  extra.writeBigUInt64LE(BigInt(entry.bytes), 4);
  extra.writeBigUInt64LE(BigInt(entry.storedBytes), 12);
  extra.writeBigUInt64LE(BigInt(entry.offset), 20);
  return extra;
}

type Directory = { count: number; bytes: number; offset: number };

function endOfDirectory({ count, bytes, offset }: Directory): Buffer {
  const isZip64 = count >= ZIP64_COUNT || bytes >= ZIP64_SIZE || offset >= ZIP64_SIZE;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(RECORDS.end);
  end.writeUInt16LE(isZip64 ? ZIP64_COUNT : count, 8);
  end.writeUInt16LE(isZip64 ? ZIP64_COUNT : count, 10);
  end.writeUInt32LE(isZip64 ? ZIP64_SIZE : bytes, 12);
  end.writeUInt32LE(isZip64 ? ZIP64_SIZE : offset, 16);
  return isZip64 ? Buffer.concat([zip64End({ count, bytes, offset }), end]) : end;
}

function zip64End({ count, bytes, offset }: Directory): Buffer {
  const record = Buffer.alloc(76);
  record.writeUInt32LE(RECORDS.zip64End);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(VERSION, 12);
  record.writeUInt16LE(VERSION, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(bytes), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  record.writeUInt32LE(RECORDS.zip64Locator, 56);
  record.writeBigUInt64LE(BigInt(offset + bytes), 64);
  record.writeUInt32LE(1, 72);
  return record;
}

/** A time in UTC that starts in 1980 and counts every other second. */
function dosTime(at: Date): number {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const date = (Math.max(at.getUTCFullYear() - 1980, 0) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return ((date << 16) | time) >>> 0;
}

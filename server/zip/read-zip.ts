import { pipeline, type Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { DEFLATED, RECORDS, STORED, ZIP64_COUNT, ZIP64_SIZE } from './format';

/** A file that can be read at any place. `read` fills the buffer, or less at the end of the file. */
export type RandomAccess = {
  bytes: number;
  read(position: number, length: number): Promise<Buffer>;
  stream(range: { start: number; end: number }): Readable;
};

/** `contentAt`: where its bytes begin, behind its own header. */
export type ReadEntry = {
  name: string;
  isCompressed: boolean;
  bytes: number;
  storedBytes: number;
  crc32: number;
  headerAt: number;
};

export type ZipLimits = { entries: number; directoryBytes: number };

/** The zip is damaged, or was made to harm who reads it. */
export class BadZip extends Error {}
export class NoZip extends BadZip {}

const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const LOCATOR_BYTES = 20;
const ENCRYPTED = 0x0001;
/** Zip's own compression cannot do better than 1,032 times. JSON of rows stays far below. */
const HIGHEST_RATIO = 500;
const SMALL = 1024 * 1024;

/**
 * The entries of a zip by its directory: with safe names, each only once, none over another or over the directory.
 * Nothing is unpacked. @throws BadZip
 */
export async function readDirectory(file: RandomAccess, limits: ZipLimits): Promise<ReadEntry[]> {
  const { count, bytes, offset } = await findDirectory(file);
  if (count > limits.entries || bytes > limits.directoryBytes) throw new BadZip('too many entries');
  if (offset + bytes > file.bytes) throw new BadZip('the directory is not in the file');
  const directory = await file.read(offset, bytes);
  const entries: ReadEntry[] = [];
  let at = 0;
  while (entries.length < count) {
    const { entry, next } = parseRecord(directory, at);
    entries.push(entry);
    at = next;
  }
  if (at !== bytes) throw new BadZip('the directory has another length');
  assertNames(entries);
  assertPlaces(entries, offset);
  return entries;
}

type Directory = { count: number; bytes: number; offset: number };

async function findDirectory(file: RandomAccess): Promise<Directory> {
  const length = Math.min(file.bytes, END_BYTES + LONGEST_COMMENT + LOCATOR_BYTES);
  const tail = await file.read(file.bytes - length, length);
  const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (at < 0 || at + END_BYTES > tail.length) throw new NoZip('not a zip');
  const found = {
    count: tail.readUInt16LE(at + 10),
    bytes: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  };
  const isZip64 = found.count === ZIP64_COUNT || found.bytes === ZIP64_SIZE || found.offset === ZIP64_SIZE;
  return isZip64 ? findZip64(file, tail, at) : found;
}

async function findZip64(file: RandomAccess, tail: Buffer, end: number): Promise<Directory> {
  const at = end - LOCATOR_BYTES;
  if (at < 0 || tail.readUInt32LE(at) !== RECORDS.zip64Locator) throw new BadZip('no Zip64 locator');
  const position = safeNumber(tail, at + 8);
  const record = await file.read(position, 56);
  if (record.length < 56 || record.readUInt32LE() !== RECORDS.zip64End) throw new BadZip('no Zip64 record');
  return { count: safeNumber(record, 32), bytes: safeNumber(record, 40), offset: safeNumber(record, 48) };
}

function safeNumber(buffer: Buffer, at: number): number {
  if (at + 8 > buffer.length) throw new BadZip('a number is missing');
  const value = Number(buffer.readBigUInt64LE(at));
  if (!Number.isSafeInteger(value)) throw new BadZip('a number is too large');
  return value;
}

function parseRecord(directory: Buffer, at: number): { entry: ReadEntry; next: number } {
  if (at + 46 > directory.length || directory.readUInt32LE(at) !== RECORDS.directory)
    throw new BadZip('the directory is damaged');
  const flags = directory.readUInt16LE(at + 8);
  const method = directory.readUInt16LE(at + 10);
  if (flags & ENCRYPTED || (method !== STORED && method !== DEFLATED)) throw new BadZip('an unknown compression');
  const nameBytes = directory.readUInt16LE(at + 28);
  const extraBytes = directory.readUInt16LE(at + 30);
  const extraAt = at + 46 + nameBytes;
  const next = extraAt + extraBytes + directory.readUInt16LE(at + 32);
  if (next > directory.length) throw new BadZip('the directory is damaged');
  const name = directory.toString('utf8', at + 46, extraAt);
  const numbers = sizesOf(directory, at, directory.subarray(extraAt, extraAt + extraBytes));
  const entry = { name, isCompressed: method === DEFLATED, crc32: directory.readUInt32LE(at + 16), ...numbers };
  if (!entry.isCompressed && entry.bytes !== entry.storedBytes) throw new BadZip(`${name} has two sizes`);
  if (entry.bytes > SMALL && entry.bytes / HIGHEST_RATIO > entry.storedBytes)
    throw new BadZip(`${name} would be far larger than it is`);
  return { entry, next };
}

function sizesOf(directory: Buffer, at: number, extra: Buffer) {
  const numbers = { bytes: at + 24, storedBytes: at + 20, headerAt: at + 42 };
  let zip64At = zip64Of(extra);
  return Object.fromEntries(
    Object.entries(numbers).map(([name, position]) => {
      const value = directory.readUInt32LE(position);
      if (value !== ZIP64_SIZE) return [name, value];
      zip64At += 8;
      return [name, safeNumber(extra, zip64At - 8)];
    }),
  ) as typeof numbers;
}

/** Where the numbers of the Zip64 field begin; behind the end if there is none. */
function zip64Of(extra: Buffer): number {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === RECORDS.zip64Extra) return at + 4;
  return extra.length;
}

/** Nothing is written by these names, but a zip with such a name was made to harm. */
function assertNames(entries: ReadEntry[]): void {
  const names = new Set<string>();
  for (const { name } of entries) {
    const isUnsafe = name === '' || /^[/\\]|^[a-z]:|\\|\0|\uFFFD|(?:^|\/)\.{1,2}(?:\/|$)/i.test(name);
    if (isUnsafe) throw new BadZip(`${JSON.stringify(name)} is not a safe name`);
    if (names.has(name)) throw new BadZip(`${name} is there twice`);
    names.add(name);
  }
}

/** Entries that overlap unpack to far more than the zip has. */
function assertPlaces(entries: ReadEntry[], directoryAt: number): void {
  const inOrder = [...entries].sort((a, b) => a.headerAt - b.headerAt);
  for (const [index, { name, headerAt, storedBytes }] of inOrder.entries()) {
    const end = headerAt + 30 + Buffer.byteLength(name) + storedBytes;
    if (end > (inOrder[index + 1]?.headerAt ?? directoryAt)) throw new BadZip(`${name} lies over another entry`);
  }
}

/** The content of an entry, as the directory says: at most as long, and with its checksum at the end. @throws BadZip */
export async function* readEntry(file: RandomAccess, entry: ReadEntry): AsyncGenerator<Buffer, void> {
  const { name, headerAt, storedBytes } = entry;
  const header = await file.read(headerAt, 30);
  if (header.length < 30 || header.readUInt32LE() !== RECORDS.local) throw new BadZip(`${name} has no header`);
  const start = headerAt + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + storedBytes > file.bytes) throw new BadZip(`${name} is not in the file`);
  if (storedBytes === 0) return;
  const stored = file.stream({ start, end: start + storedBytes - 1 });
  let bytes = 0;
  let crc = 0;
  try {
    // the loop throws what goes wrong
    for await (const chunk of entry.isCompressed ? pipeline(stored, createInflateRaw(), () => {}) : stored) {
      bytes += (chunk as Buffer).length;
      if (bytes > entry.bytes) throw new BadZip(`${name} is longer than it says`);
      crc = crc32(chunk as Buffer, crc);
      yield chunk as Buffer;
    }
  } catch (error) {
    throw error instanceof BadZip ? error : new BadZip(`${name} cannot be unpacked`, { cause: error });
  } finally {
    stored.destroy();
  }
  if (bytes !== entry.bytes) throw new BadZip(`${name} is shorter than it says`);
  if (crc !== entry.crc32) throw new BadZip(`${name} is damaged`);
}

import { pipeline, type Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { DEFLATED, RECORDS, STORED } from './format';

/** A file that can be read at any position. `read` fills the buffer, except at the end of the file. */
export type RandomAccess = {
  bytes: number;
  read(position: number, length: number): Promise<Buffer>;
  stream(range: { start: number; end: number }): Readable;
};

/** `headerAt`: the position of the entry's own header, which precedes its bytes. */
export type ReadEntry = {
  name: string;
  isCompressed: boolean;
  bytes: number;
  storedBytes: number;
  crc32: number;
  headerAt: number;
};

export type ZipLimits = { entries: number; directoryBytes: number };

/** The zip is damaged, or was crafted to do harm. */
export class BadZip extends Error {}
export class NoZip extends BadZip {}

const RECORD_BYTES = 46;
/** Zip's own compression can't exceed a ratio of 1,032. JSON of rows stays far below. */
const HIGHEST_RATIO = 500;
const SMALL = 1024 * 1024;
const AHEAD = 256 * 1024;
/** The start of yauzl's error. */
const NO_END = 'End of central directory record signature not found';

/**
 * The entries in the directory of a zip: with safe names, each only once, none overlapping another one or the
 * directory. Nothing is unpacked. @throws BadZip
 */
export async function readDirectory(file: RandomAccess, limits: ZipLimits): Promise<ReadEntry[]> {
  const reader = new DirectoryReader(file);
  const zip = await explainErrors(reader, () =>
    fromRandomAccessReaderPromise(reader, file.bytes, { autoClose: false, decodeStrings: false }),
  );
  if (zip.entryCount > limits.entries) throw new BadZip('too many entries');
  // its types declare a boolean, and no other field has the start of the directory
  const directoryAt = Number(zip.readEntryCursor);
  const entries = await explainErrors(reader, () => listEntries(zip, limits));
  assertNames(entries);
  assertPlaces(entries, directoryAt);
  return entries;
}

async function listEntries(zip: ZipFile, { directoryBytes }: ZipLimits): Promise<ReadEntry[]> {
  const entries: ReadEntry[] = [];
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    bytes += RECORD_BYTES + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (bytes > directoryBytes) throw new BadZip('too many entries');
    entries.push(toReadEntry(entry));
  }
  return entries;
}

function toReadEntry(entry: Entry): ReadEntry {
  const { compressionMethod: method, uncompressedSize: bytes, compressedSize: storedBytes } = entry;
  const name = entry.fileNameRaw.toString();
  if (entry.isEncrypted() || (method !== STORED && method !== DEFLATED)) throw new BadZip('an unknown compression');
  if (bytes > SMALL && bytes / HIGHEST_RATIO > storedBytes) throw new BadZip(`${name} would be far larger than it is`);
  const place = { bytes, storedBytes, crc32: entry.crc32, headerAt: entry.relativeOffsetOfLocalHeader };
  return { name, isCompressed: method === DEFLATED, ...place };
}

/** yauzl's errors have no codes, so the reader keeps the errors of the file itself separately. */
async function explainErrors<T>(reader: DirectoryReader, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (reader.failure || error instanceof BadZip) throw reader.failure ?? error;
    const { message } = error as Error;
    throw message.startsWith(NO_END) ? new NoZip('not a zip') : new BadZip(message);
  }
}

/** yauzl reads each record in two parts: two reads of the file for each would take ten times as long. */
class DirectoryReader extends RandomAccessReader {
  failure: unknown;
  private readonly ahead: { position: number; bytes: Buffer } = { position: 0, bytes: Buffer.alloc(0) };

  constructor(private readonly file: RandomAccess) {
    super();
  }

  override read(...[buffer, offset, length, position, callback]: Parameters<RandomAccessReader['read']>): void {
    this.load(position, length).then((bytes) => {
      bytes.copy(buffer, offset);
      callback(null);
    }, callback);
  }

  private async load(position: number, length: number): Promise<Buffer> {
    const { ahead } = this;
    if (position < ahead.position || position + length > ahead.position + ahead.bytes.length) {
      if (position + length > this.file.bytes) throw new BadZip('the directory is not in the file');
      ahead.bytes = await this.file.read(position, Math.max(length, AHEAD)).catch((error) => {
        this.failure = error;
        throw error;
      });
      ahead.position = position;
    }
    const from = position - ahead.position;
    if (from + length > ahead.bytes.length) throw new BadZip('the directory is not in the file');
    return ahead.bytes.subarray(from, from + length);
  }
}

/** No file is written under these names, but a zip with such a name was crafted to do harm. */
function assertNames(entries: ReadEntry[]): void {
  const names = new Set<string>();
  for (const { name } of entries) {
    const isUnsafe = name === '' || /^[/\\]|^[a-z]:|\\|\0|\uFFFD|(?:^|\/)\.{1,2}(?:\/|$)/i.test(name);
    if (isUnsafe) throw new BadZip(`${JSON.stringify(name)} is not a safe name`);
    if (names.has(name)) throw new BadZip(`${name} is there twice`);
    names.add(name);
  }
}

/** Overlapping entries unpack to far more bytes than the zip has. */
function assertPlaces(entries: ReadEntry[], directoryAt: number): void {
  const inOrder = [...entries].sort((a, b) => a.headerAt - b.headerAt);
  for (const [index, { name, headerAt, storedBytes }] of inOrder.entries()) {
    const end = headerAt + 30 + Buffer.byteLength(name) + storedBytes;
    if (end > (inOrder[index + 1]?.headerAt ?? directoryAt)) throw new BadZip(`${name} lies over another entry`);
  }
}

/**
 * The content of an entry, checked against the directory: not longer, and with the right checksum at the end. @throws
 * BadZip
 */
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
    // the loop throws the errors
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

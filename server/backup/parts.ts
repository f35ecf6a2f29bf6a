import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { BackupError } from './backup-error';
import type { Part } from './manifest';
import type { Target } from './target';

const GATHERED_BYTES = 128 * 1024;
const NEW_LINE = 0x0a;
const GZIP = { contentType: 'application/gzip' };

const NOTHING = createHash('sha256').digest('hex');

/** Compresses a stream of lines into a file of the backup, if there are any. @returns its rows and checksum */
export async function writePart(target: Target, file: string, lines: AsyncIterable<Buffer>): Promise<Part> {
  const chunks = gathered(lines);
  const first = await chunks.next();
  if (first.done) return { file, bytes: 0, rows: 0, sha256: NOTHING };
  const hash = createHash('sha256');
  let [bytes, rows] = [0, 0];
  async function* counted() {
    for await (const chunk of withFirst(first.value as Buffer, chunks)) {
      rows += linesIn(chunk);
      yield chunk;
    }
  }
  async function* hashed(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  const zip = createGzip({ level: constants.Z_BEST_SPEED });
  const packing = pipeline(Readable.from(counted(), { objectMode: false }), zip);
  try {
    await Promise.all([target.put(file, Readable.from(hashed(zip), { objectMode: false }), GZIP), packing]);
  } finally {
    // the connection of these lines can do nothing else before
    await chunks.return(undefined);
  }
  return { file, bytes, rows, sha256: hash.digest('hex') };
}

async function* withFirst<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

/** Joins rows to larger pieces: Postgres sends each row by itself. */
async function* gathered(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < GATHERED_BYTES) continue;
    yield Buffer.concat(waiting);
    [waiting, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

/** Line breaks within a value are escaped. */
function linesIn(chunk: Buffer): number {
  let found = 0;
  for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, at + 1)) found += 1;
  return found;
}

export async function unpackedPart(target: Target, file: string): Promise<Readable> {
  const packed = await target.read(file);
  const zip = createGunzip();
  packed.once('error', (error) => zip.destroy(error));
  return packed.pipe(zip);
}

export async function* linesOf(target: Target, { file, rows }: Pick<Part, 'file' | 'rows'>): AsyncGenerator<string> {
  if (rows > 0)
    yield* createInterface({ input: await unpackedPart(target, file), crlfDelay: Number.POSITIVE_INFINITY });
}

export async function hashOfStream(content: AsyncIterable<Buffer>): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

type Stored = Pick<Part, 'file' | 'bytes' | 'sha256'>;

/** @throws BackupError unless the file has its checksum. A part without rows has no file. */
export async function verifyPart(target: Target, { file, bytes, sha256 }: Stored): Promise<void> {
  if (bytes === 0 && sha256 === NOTHING) return;
  if (!(await target.head(file))) throw new BackupError(`The backup is damaged: ${file} is missing.`);
  const found = await hashOfStream(await target.read(file));
  if (found.sha256 !== sha256) throw new BackupError(`The backup is damaged: ${file} has another checksum.`);
}

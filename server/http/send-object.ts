import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ByteRange, ObjectStore, OpenObject } from '../adapters/storage/port';
import { type Segment, slicesOf, startsOf } from '../audio/virtual-file';
import { SECONDS } from '../time';
import { type Wanted, wantedBytes } from './byte-ranges';
import { type Piece, pour, type Tally } from './pour';

/** What is sent is a row of stretches: parts of stored objects and bytes from memory. A plain file is one stretch. */
export type Stretch = Pick<Segment, 'bytes' | 'from'>;

export type Sendable = {
  stretches: readonly Stretch[];
  bytes: number;
  /** Strong, quotes included. */
  etag: string;
  /** Content-Type, Cache-Control and the like. */
  headers: Record<string, string> & { 'content-type': string };
  /** Told what was handed over of each range when it is over, also when it broke off; not at all when no bytes were due. */
  onSent?(sent: Sent[]): void;
};

export type Sent = ByteRange & {
  /** Bytes of the range that the operating system took; a stalled client may have received less. */
  sent: number;
  whole: boolean;
  /** The same, by stretch: how many bytes of it from `offset` on. */
  stretches: { stretch: number; offset: number; bytes: number }[];
};

/** Who reads nothing for this long gets the connection closed; players ask again from where they are. */
const STALLED_AFTER = SECONDS(120);

export function wholeObject(key: string, bytes: number): Stretch[] {
  return [{ bytes, from: { key, start: 0 } }];
}

/**
 * Answers a GET or HEAD with a file or the ranges asked for: 200, 206, 304, 416, or 404 when the store has lost a part of it.
 * One piece is in memory at a time, and nothing is read that the client does not take.
 * @returns whether the store had all that was asked for; breaks the line and throws when it fails in the middle
 */
export async function sendObject(
  store: ObjectStore,
  file: Sendable,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<boolean> {
  const { bytes, etag } = file;
  const headers = { 'accept-ranges': 'bytes', etag, ...file.headers };
  // a range counts for GET only; what the client has already counts for both
  const asked = req.method === 'HEAD' ? { ...req.headers, range: undefined } : req.headers;
  const wanted = wantedBytes(asked, bytes, etag);
  if (wanted.kind === 'unchanged') return answer(res, 304, headers);
  if (wanted.kind === 'unsatisfiable') {
    return answer(res, 416, { ...headers, 'content-range': `bytes */${bytes}`, 'content-length': 0 });
  }
  if (req.method === 'HEAD' || bytes === 0) return answer(res, 200, { ...headers, 'content-length': bytes });
  const runs = runsOf(file, wanted);
  const opened = await openAll(store, runs);
  if (!opened) {
    answer(res, 404, { ...file.headers, 'content-length': 0, 'cache-control': 'no-store' });
    return false;
  }
  const tally: Tally = new Map();
  try {
    res.writeHead(wanted.kind === 'whole' ? 200 : 206, { ...headers, ...lengthOf(file, wanted, runs) });
    res.setTimeout(STALLED_AFTER, () => res.destroy());
    await pour(piecesOf(runs, opened), res, tally);
    return true;
  } finally {
    await Promise.all([...opened.values()].map((object) => object.close()));
    file.onSent?.(runs.filter(({ range }) => range).map((run) => reportOf(run, tally)));
  }
}

function answer(res: ServerResponse, status: number, headers: Record<string, string | number>): true {
  res.writeHead(status, headers);
  res.end();
  return true;
}

/** Parts of the answer in order: each range of the file, and between several the lines that tell them apart. */
type Run = { range: ByteRange | null; parts: RunPart[] };
type RunPart = Stretch & { stretch: number; offset: number };

function runsOf(file: Sendable, wanted: Wanted): Run[] {
  const starts = startsOf(file.stretches);
  const run = (range: ByteRange): Run => ({ range, parts: partsOf(file, starts, range) });
  if (wanted.kind === 'part') return [run(wanted)];
  if (wanted.kind !== 'parts') return [run({ start: 0, end: file.bytes - 1 })];
  const boundary = boundaryOf(wanted.ranges);
  const type = file.headers['content-type'];
  return [
    ...wanted.ranges.flatMap((range, i) => [
      between(
        `${i === 0 ? '' : '\r\n'}--${boundary}\r\ncontent-type: ${type}\r\n` +
          `content-range: bytes ${range.start}-${range.end}/${file.bytes}\r\n\r\n`,
      ),
      run(range),
    ]),
    between(`\r\n--${boundary}--\r\n`),
  ];
}

function partsOf({ stretches }: Sendable, starts: Float64Array, { start, end }: ByteRange): RunPart[] {
  return slicesOf(starts, start, end).map(({ segment, offset, bytes }) => {
    const { from } = stretches[segment]!;
    const part = { stretch: segment, offset, bytes };
    if ('memory' in from) return { ...part, from: { memory: from.memory.subarray(offset, offset + bytes) } };
    return { ...part, from: { key: from.key, start: from.start + offset } };
  });
}

function between(text: string): Run {
  const memory = Buffer.from(text);
  return { range: null, parts: [{ stretch: -1, offset: 0, bytes: memory.length, from: { memory } }] };
}

const boundaries = new WeakMap<ByteRange[], string>();

/** The same within one answer, another in each. */
function boundaryOf(ranges: ByteRange[]): string {
  const known = boundaries.get(ranges) ?? randomUUID();
  boundaries.set(ranges, known);
  return known;
}

function lengthOf(file: Sendable, wanted: Wanted, runs: Run[]): Record<string, string | number> {
  const length = runs.flatMap(({ parts }) => parts).reduce((sum, { bytes }) => sum + bytes, 0);
  if (wanted.kind === 'part') {
    return { 'content-length': length, 'content-range': `bytes ${wanted.start}-${wanted.end}/${file.bytes}` };
  }
  if (wanted.kind !== 'parts') return { 'content-length': length };
  const type = `multipart/byteranges; boundary=${boundaryOf(wanted.ranges)}`;
  return { 'content-length': length, 'content-type': type };
}

type Opened = Map<string, OpenObject>;

/** Every object that the answer needs, before its first line; null when one of them is gone. */
async function openAll(store: ObjectStore, runs: Run[]): Promise<Opened | null> {
  const parts = runs.flatMap((run) => run.parts);
  const keys = [...new Set(parts.flatMap(({ from }) => ('key' in from ? [from.key] : [])))];
  const results = await Promise.allSettled(keys.map((key) => store.open(key)));
  const opened: Opened = new Map();
  results.forEach((result, i) => {
    if (result.status === 'fulfilled' && result.value) opened.set(keys[i]!, result.value);
  });
  if (opened.size === keys.length) return opened;
  await Promise.all([...opened.values()].map((object) => object.close()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return null;
}

async function* piecesOf(runs: Run[], opened: Opened): AsyncGenerator<Piece, void> {
  for (const { parts } of runs) {
    for (const part of parts) {
      const { from, bytes } = part;
      if ('memory' in from) yield { of: part, bytes: from.memory, lasting: true };
      else {
        const chunks = opened.get(from.key)!.chunks({ start: from.start, end: from.start + bytes - 1 });
        for await (const chunk of chunks) yield { of: part, bytes: chunk, lasting: false };
      }
    }
  }
}

function reportOf({ range, parts }: Run, tallies: Tally): Sent {
  const { start, end } = range!;
  const stretches = parts
    .map((part) => ({ stretch: part.stretch, offset: part.offset, bytes: tallies.get(part) ?? 0 }))
    .filter(({ bytes }) => bytes > 0);
  const sent = stretches.reduce((sum, { bytes }) => sum + bytes, 0);
  return { start, end, sent, whole: sent === end - start + 1, stretches };
}

import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ByteRange, ObjectStore, OpenObject } from '../adapters/storage/port';
import { SECONDS } from '../time';
import { wantedBytes } from './byte-ranges';
import { type Line, openLine, type Piece, pour, type Tally } from './pour';
import { inMultipart, type Run, runsOf, type Stretch } from './runs';

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
  /**
   * Bytes of the range that the operating system took. Of a client that broke off this is more than it received, by what
   * stood in the buffers of the system and of proxies on the way (up to some megabytes), and less than the system took, by
   * the one piece of at most 256 KiB that was not taken as a whole.
   */
  sent: number;
  whole: boolean;
  /** The same, by stretch: how many bytes of it from `offset` on. */
  stretches: { stretch: number; offset: number; bytes: number }[];
};

export type Exchange = { req: IncomingMessage; res: ServerResponse };

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
export async function sendObject(store: ObjectStore, file: Sendable, { req, res }: Exchange): Promise<boolean> {
  const answer = answerTo(file, req);
  if (answer.runs.length === 0) return end(res, answer);
  const line = openLine(res);
  const opening = openAll(store, answer.runs);
  const opened = await line.unlessGone(opening);
  if (opened) return handOver(file, answer, { opened, line });
  if (opened === null)
    end(res, { status: 404, headers: { ...file.headers, 'content-length': 0, 'cache-control': 'no-store' } });
  // nobody waits for it any more, but it may yet open something
  else opening.then((late) => late && closeAll(late)).catch(() => {});
  return opened !== null;
}

/** Without runs there is no body. */
type Answer = { status: number; headers: OutgoingHttpHeaders; runs: Run[] };

function answerTo({ bytes, etag, stretches, ...file }: Sendable, { method, headers: asked }: IncomingMessage): Answer {
  const headers = { 'accept-ranges': 'bytes', etag, ...file.headers };
  // a range counts for GET only; what the client has already counts for both
  const wanted = wantedBytes(method === 'HEAD' ? { ...asked, range: undefined } : asked, bytes, etag);
  if (wanted.kind === 'unchanged') return { status: 304, headers, runs: [] };
  if (wanted.kind === 'unsatisfiable') {
    const contentRange = `bytes */${bytes}`;
    return { status: 416, headers: { ...headers, 'content-range': contentRange, 'content-length': 0 }, runs: [] };
  }
  if (wanted.kind === 'whole') {
    const runs = method === 'HEAD' || bytes === 0 ? [] : runsOf(stretches, [{ start: 0, end: bytes - 1 }]);
    return { status: 200, headers: { ...headers, 'content-length': bytes }, runs };
  }
  if (wanted.kind === 'part') {
    const { start, end } = wanted;
    const part = { 'content-range': `bytes ${start}-${end}/${bytes}`, 'content-length': end - start + 1 };
    return { status: 206, headers: { ...headers, ...part }, runs: runsOf(stretches, [{ start, end }]) };
  }
  const parts = inMultipart(runsOf(stretches, wanted.ranges), file.headers['content-type'], bytes);
  const multipart = { 'content-type': parts.type, 'content-length': parts.bytes };
  return { status: 206, headers: { ...headers, ...multipart }, runs: parts.runs };
}

function end(res: ServerResponse, { status, headers }: Omit<Answer, 'runs'>): true {
  res.writeHead(status, headers);
  res.end();
  return true;
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
  await closeAll(opened);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return null;
}

async function closeAll(opened: Opened): Promise<void> {
  await Promise.all([...opened.values()].map((object) => object.close()));
}

type Sending = { opened: Opened; line: Line };

async function handOver(file: Sendable, { status, headers, runs }: Answer, { opened, line }: Sending): Promise<true> {
  const tally: Tally = new Map();
  try {
    line.res.writeHead(status, headers);
    line.res.setTimeout(STALLED_AFTER, () => line.res.destroy());
    await pour(piecesOf(runs, opened), line, tally);
    return true;
  } finally {
    await closeAll(opened);
    file.onSent?.(runs.filter(({ range }) => range).map((run) => reportOf(run, tally)));
  }
}

async function* piecesOf(runs: Run[], opened: Opened): AsyncGenerator<Piece, void> {
  for (const part of runs.flatMap(({ parts }) => parts)) {
    const { from, bytes } = part;
    if ('memory' in from) {
      yield { of: part, bytes: from.memory, lasting: true };
      continue;
    }
    let missing = bytes;
    for await (const chunk of opened.get(from.key)!.chunks({ start: from.start, end: from.start + bytes - 1 })) {
      missing -= chunk.length;
      if (missing < 0) break;
      yield { of: part, bytes: chunk, lasting: false };
    }
    // else the client would wait for the rest, or take what is too much for the next answer
    if (missing !== 0) throw new Error(`the store answered ${bytes - missing} bytes where ${bytes} were asked for`);
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

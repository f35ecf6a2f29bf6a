import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ByteRange, ObjectStore, OpenObject } from '../adapters/storage/port';
import { SECONDS } from '../base/time';
import { type BodySection, type FilePart, sectionsOf, toMultipart } from './body-sections';
import { decideRanges } from './byte-ranges';
import { maxChunkBytes } from './chunk-size';
import {
  type ClientConnection,
  clientConnection,
  type OutgoingChunk,
  pipeToClient,
  type SentBytes,
} from './pipe-to-client';

export type SendableFile = {
  parts: readonly FilePart[];
  bytes: number;
  /** Strong, quotes included. */
  etag: string;
  /** Headers such as Content-Type and Cache-Control. */
  headers: Record<string, string> & { 'content-type': string };
  /**
   * Called at the end, complete or aborted, with the bytes sent of each range. Not called for responses without a body.
   */
  onSent?(sent: SentRange[]): void;
};

export type SentRange = ByteRange & {
  /**
   * Bytes of the range that the operating system accepted. If the client aborts, it has received less: system and proxy
   * buffers hold up to a few megabytes. A last chunk that was accepted only in part is not counted: at most 256 KiB, or
   * 1 MiB if the client took the chunk before it quickly (decision 0125).
   */
  sent: number;
  isComplete: boolean;
  /** The sent bytes of each part of the file: `bytes` from `offset`. */
  parts: { part: number; offset: number; bytes: number }[];
};

export type HttpExchange = { req: IncomingMessage; res: ServerResponse };

/** A connection without progress is closed after this time. Players resume with a new range request. */
const STALL_TIMEOUT = SECONDS(120);

export function wholeObject(key: string, bytes: number): FilePart[] {
  return [{ bytes, from: { key, start: 0 } }];
}

/**
 * Answers a GET or HEAD with a file or the requested ranges: 200, 206, 304, 416, or 404 if an object is missing in
 * storage. One chunk is in memory at a time, and bytes are read only if the client receives them.
 * @returns false if an object is missing in storage
 * @throws when reading fails midway, after closing the connection
 */
export async function sendObject(store: ObjectStore, file: SendableFile, { req, res }: HttpExchange): Promise<boolean> {
  const response = planResponse(file, req);
  if (response.sections.length === 0) return end(res, response);
  // before its turn, the response to a pipelined request has no socket, and nothing tells it that the client has left
  if (!res.socket && !res.closed) await once(res, 'socket');
  const connection = clientConnection(res);
  const opening = openAll(store, response.sections);
  const opened = await connection.orDisconnected(opening);
  if (opened) return sendBody(file, response, { opened, connection });
  if (opened === null)
    end(res, { status: 404, headers: { ...file.headers, 'content-length': 0, 'cache-control': 'no-store' } });
  // the client disconnected; close the objects that are still opening
  else opening.then((late) => late && closeAll(late)).catch(() => {});
  return opened !== null;
}

/** Without sections there is no body. */
type PlannedResponse = { status: number; headers: OutgoingHttpHeaders; sections: BodySection[] };

function planResponse(
  { bytes, etag, parts, ...file }: SendableFile,
  { method, headers: requestHeaders }: IncomingMessage,
): PlannedResponse {
  // spreads last, here and below (decision 0119)
  const headers = { 'accept-ranges': 'bytes', etag, ...file.headers };
  // Range applies to GET only, If-None-Match to both
  const decision = decideRanges(method === 'HEAD' ? { ...requestHeaders, range: undefined } : requestHeaders, bytes, {
    etag,
    lastModified: file.headers['last-modified'],
  });
  if (decision.kind === 'unchanged') return { status: 304, headers, sections: [] };
  if (decision.kind === 'unsatisfiable') {
    const contentRange = `bytes */${bytes}`;
    return { status: 416, headers: { 'content-range': contentRange, 'content-length': 0, ...headers }, sections: [] };
  }
  if (decision.kind === 'whole') {
    const sections = method === 'HEAD' || bytes === 0 ? [] : sectionsOf(parts, [{ start: 0, end: bytes - 1 }]);
    return { status: 200, headers: { 'content-length': bytes, ...headers }, sections };
  }
  if (decision.kind === 'part') {
    const { start, end } = decision;
    const part = { 'content-range': `bytes ${start}-${end}/${bytes}`, 'content-length': end - start + 1 };
    return { status: 206, headers: { ...part, ...headers }, sections: sectionsOf(parts, [{ start, end }]) };
  }
  const multipart = toMultipart(sectionsOf(parts, decision.ranges), file.headers['content-type'], bytes);
  const multipartHeaders = { 'content-type': multipart.type, 'content-length': multipart.bytes };
  return { status: 206, headers: { ...headers, ...multipartHeaders }, sections: multipart.sections };
}

function end(res: ServerResponse, { status, headers }: Omit<PlannedResponse, 'sections'>): true {
  res.writeHead(status, headers);
  res.end();
  return true;
}

type Opened = Map<string, OpenObject>;

/** Opens every object of the response before its headers are sent; null if one is missing. */
async function openAll(store: ObjectStore, sections: BodySection[]): Promise<Opened | null> {
  const parts = sections.flatMap(({ parts }) => parts);
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

type OpenedResponse = { opened: Opened; connection: ClientConnection };

async function sendBody(
  file: SendableFile,
  { status, headers, sections }: PlannedResponse,
  { opened, connection }: OpenedResponse,
): Promise<true> {
  const sentBytes: SentBytes = new Map();
  try {
    connection.res.writeHead(status, headers);
    connection.res.setTimeout(STALL_TIMEOUT, () => connection.res.destroy());
    await pipeToClient(chunksOf(sections, { opened, connection }), connection, sentBytes);
    return true;
  } finally {
    await closeAll(opened);
    file.onSent?.(sections.filter(({ range }) => range).map((section) => reportOf(section, sentBytes)));
  }
}

async function* chunksOf(
  sections: BodySection[],
  { opened, connection }: OpenedResponse,
): AsyncGenerator<OutgoingChunk, void> {
  const maxBytes = () => maxChunkBytes(connection.res.socket);
  for (const part of sections.flatMap(({ parts }) => parts)) {
    const { from, bytes } = part;
    if ('memory' in from) {
      yield { owner: part, bytes: from.memory, isStable: true };
      continue;
    }
    let missing = bytes;
    const range = { start: from.start, end: from.start + bytes - 1 };
    for await (const chunk of opened.get(from.key)!.chunks(range, maxBytes)) {
      missing -= chunk.length;
      if (missing < 0) break;
      yield { owner: part, bytes: chunk, isStable: false };
    }
    // otherwise the client would wait for the rest, or read surplus bytes as the next response
    if (missing !== 0) throw new Error(`storage returned ${bytes - missing} bytes instead of ${bytes}`);
  }
}

function reportOf({ range, parts }: BodySection, sentBytes: SentBytes): SentRange {
  const { start, end } = range!;
  const sentParts = parts
    .map((part) => ({ part: part.part, offset: part.offset, bytes: sentBytes.get(part) ?? 0 }))
    .filter(({ bytes }) => bytes > 0);
  const sent = sentParts.reduce((sum, { bytes }) => sum + bytes, 0);
  return { start, end, sent, isComplete: sent === end - start + 1, parts: sentParts };
}

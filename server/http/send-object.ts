import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ByteRange, ObjectStore } from '../adapters/storage/port';
import { SECONDS } from '../time';
import { wantedBytes } from './byte-ranges';

export type Sendable = {
  objectKey: string;
  bytes: number;
  /** Strong, quotes included. */
  etag: string;
  /** Content-Type, Cache-Control and the like. */
  headers: Record<string, string>;
};

export type Sent = ByteRange & {
  /** Bytes of the body that the operating system took; a stalled client may have received less. */
  sent: number;
  whole: boolean;
};

/** Who reads nothing for this long gets the connection closed; players ask again from where they are. */
const STALLED_AFTER = SECONDS(120);

/**
 * Answers a GET or HEAD with an object or the range asked for: 200, 206, 304, 416, or 404 when the store has lost it.
 * One piece is in memory at a time, and nothing is read that the client does not take.
 * @returns what was handed over, when it is over; null when no bytes were due
 */
export async function sendObject(
  store: ObjectStore,
  object: Sendable,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<Sent | null> {
  const { bytes, etag } = object;
  const headers = { 'accept-ranges': 'bytes', etag, ...object.headers };
  const wanted = req.method === 'HEAD' ? ({ kind: 'whole' } as const) : wantedBytes(req.headers, bytes, etag);
  if (wanted.kind === 'unchanged') return answer(res, 304, headers);
  if (wanted.kind === 'unsatisfiable') {
    return answer(res, 416, { ...headers, 'content-range': `bytes */${bytes}`, 'content-length': 0 });
  }
  if (req.method === 'HEAD' || bytes === 0) return answer(res, 200, { ...headers, 'content-length': bytes });

  const { start, end } = wanted.kind === 'part' ? wanted : { start: 0, end: bytes - 1 };
  const opened = await store.open(object.objectKey);
  if (!opened) return answer(res, 404, { 'content-length': 0, 'cache-control': 'no-store' });
  try {
    const length = { 'content-length': end - start + 1 };
    if (wanted.kind === 'whole') res.writeHead(200, { ...headers, ...length });
    else res.writeHead(206, { ...headers, ...length, 'content-range': `bytes ${start}-${end}/${bytes}` });
    const sent = await pour(opened.chunks({ start, end }), res);
    return { start, end, sent, whole: sent === end - start + 1 };
  } finally {
    await opened.close();
  }
}

function answer(res: ServerResponse, status: number, headers: Record<string, string | number>): null {
  res.writeHead(status, headers);
  res.end();
  return null;
}

/** Writes piece by piece, each when the one before has left; leaves off when the client is gone. */
async function pour(chunks: AsyncIterable<Buffer>, res: ServerResponse): Promise<number> {
  let sent = 0;
  const gone = new Promise<false>((resolve) => res.once('close', () => resolve(false)));
  res.setTimeout(STALLED_AFTER, () => res.destroy());
  try {
    for await (const chunk of chunks) {
      if (res.destroyed || !(await Promise.race([write(res, chunk), gone]))) return sent;
      sent += chunk.length;
    }
  } catch (error) {
    // The length is promised already: breaking the line is the only way left to say that this is not all.
    res.destroy();
    throw error;
  }
  res.end();
  return sent;
}

/** Whether the piece left the process. */
function write(res: ServerResponse, chunk: Buffer): Promise<boolean> {
  return new Promise((resolve) => res.write(chunk, (error) => resolve(!error)));
}

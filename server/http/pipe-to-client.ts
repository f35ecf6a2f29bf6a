import type { ServerResponse } from 'node:http';
import { breakOff } from '../watching/observed-response';
import { rememberSpeed } from './chunk-size';

/**
 * Bytes to send; `owner` is the object that they count for. Stable bytes are not overwritten when the next chunk is
 * read.
 */
export type OutgoingChunk = { owner: object; bytes: Uint8Array; isStable: boolean };

/** Bytes that the operating system accepted, by owner. */
export type SentBytes = Map<object, number>;

/** The connection to a client, for work that is useless once the client disconnects. */
export type ClientConnection = {
  res: ServerResponse;
  /** The result of `work`, or undefined if the client disconnects first. */
  orDisconnected<T>(work: Promise<T>): Promise<T | undefined>;
};

/** One close listener for all waits, of which there is one at a time: a race per wait would cost as much as a write. */
export function clientConnection(res: ServerResponse): ClientConnection {
  const nothing = () => {};
  let giveUp = nothing;
  res.once('close', () => giveUp());
  return {
    res,
    orDisconnected: (work) =>
      new Promise((resolve, reject) => {
        giveUp = () => resolve(undefined);
        if (res.closed) giveUp();
        // objects of a finished wait, such as a chunk, can then be freed
        const settle = (finish: () => void) => {
          giveUp = nothing;
          finish();
        };
        work.then(
          (result) => settle(() => resolve(result)),
          (error) => settle(() => reject(error)),
        );
      }),
  };
}

/**
 * Writes one chunk at a time and reads the next when the previous one is sent: one chunk is in memory, and bytes are
 * read only if the client receives them. Stops when the client disconnects, even during a read that hangs.
 * @param sentBytes updated while sending, so it is correct even if the source fails
 */
export async function pipeToClient(
  chunks: AsyncGenerator<OutgoingChunk, void>,
  connection: ClientConnection,
  sentBytes: SentBytes,
): Promise<void> {
  const { res, orDisconnected } = connection;
  const { socket } = res;
  let written = Promise.resolve(true);
  let together = 0;
  try {
    for (;;) {
      const next = await orDisconnected(chunks.next());
      if (!next || res.destroyed) return;
      if (next.done) break;
      // stable chunks are sent together with the next one: a packet of their own would cost as much as a large one
      if (together === 0) res.cork();
      together += next.value.bytes.length;
      written = writeChunk(res, next.value, sentBytes);
      if (next.value.isStable) continue;
      const startedAt = performance.now();
      res.uncork();
      if (!(await orDisconnected(written))) return;
      rememberSpeed(socket, together, performance.now() - startedAt);
      together = 0;
    }
    res.end();
    await orDisconnected(written);
  } catch (error) {
    // Content-Length has been sent: only closing the connection can signal that the body is incomplete
    breakOff(res);
    throw error;
  } finally {
    // not awaited: it waits for the current read, which may be the one that hangs
    chunks.return().catch(() => {});
  }
}

/**
 * Whether the operating system accepted the whole chunk, and all chunks before it. The callback also runs, without an
 * error, for chunks that were still queued when the socket was destroyed; hence the check.
 */
function writeChunk(res: ServerResponse, { owner, bytes }: OutgoingChunk, sentBytes: SentBytes): Promise<boolean> {
  const { socket } = res;
  return new Promise((resolve) =>
    res.write(bytes, (error) => {
      const isAccepted = !error && socket?.destroyed === false;
      if (isAccepted) sentBytes.set(owner, (sentBytes.get(owner) ?? 0) + bytes.length);
      resolve(isAccepted);
    }),
  );
}

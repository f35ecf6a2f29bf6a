import type { ServerResponse } from 'node:http';

/**
 * Bytes to send; `owner` is what they are counted for. Stable bytes are not overwritten when the next chunk is read.
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

/**
 * The close listener is removed after each wait; otherwise it would keep every result in memory until the client
 * disconnects.
 */
export function clientConnection(res: ServerResponse): ClientConnection {
  return {
    res,
    async orDisconnected(work) {
      let onClose = () => {};
      const disconnected = new Promise<undefined>((resolve) => {
        onClose = () => resolve(undefined);
        if (res.closed) onClose();
        else res.once('close', onClose);
      });
      return Promise.race([work, disconnected]).finally(() => res.off('close', onClose));
    },
  };
}

/**
 * Writes one chunk at a time and reads the next when the previous one is sent: one chunk is in memory, and nothing is
 * read that the client does not receive. Stops when the client disconnects, even during a read that hangs.
 * @param sentBytes updated while sending, so it is correct even if the source fails
 */
export async function pipeToClient(
  chunks: AsyncGenerator<OutgoingChunk, void>,
  connection: ClientConnection,
  sentBytes: SentBytes,
): Promise<void> {
  const { res, orDisconnected } = connection;
  let waiting: Promise<boolean>[] = [];
  try {
    for (;;) {
      const next = await orDisconnected(chunks.next());
      if (!next || res.destroyed) return;
      if (next.done) break;
      const { owner, bytes, isStable } = next.value;
      // stable chunks are sent together with the next one: a packet of their own would cost as much as a large one
      if (waiting.length === 0) res.cork();
      waiting.push(write(res, bytes).then((left) => count(sentBytes, owner, left ? bytes.length : 0)));
      if (isStable) continue;
      res.uncork();
      if (!(await orDisconnected(allWritten(waiting)))) return;
      waiting = [];
    }
    res.end();
    await orDisconnected(allWritten(waiting));
  } catch (error) {
    // Content-Length has been sent: only closing the connection can signal that the body is incomplete
    res.destroy();
    throw error;
  } finally {
    // not awaited: it waits for the current read, which may be the one that hangs
    chunks.return().catch(() => {});
  }
}

function count(sentBytes: SentBytes, owner: object, bytes: number): boolean {
  sentBytes.set(owner, (sentBytes.get(owner) ?? 0) + bytes);
  return bytes > 0;
}

async function allWritten(writes: Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(writes)).every(Boolean);
}

/**
 * Whether the operating system accepted the whole chunk. The callback also runs, without an error, for chunks that were
 * still queued when the socket was destroyed; hence the check.
 */
function write(res: ServerResponse, bytes: Uint8Array): Promise<boolean> {
  const { socket } = res;
  return new Promise((resolve) => res.write(bytes, (error) => resolve(!error && socket?.destroyed === false)));
}

import type { ServerResponse } from 'node:http';

/** Bytes on their way; `of` is what they count for. Lasting ones stay as they are when the next piece is asked for. */
export type Piece = { of: object; bytes: Uint8Array; lasting: boolean };

/** How many bytes the operating system took, by what they count for. */
export type Tally = Map<object, number>;

/** A client, as far as reading for it goes. */
export type Line = {
  res: ServerResponse;
  /** What the work comes to; undefined when the client is gone before that. */
  unlessGone<T>(work: Promise<T>): Promise<T | undefined>;
};

/** A wait hangs on the client only as long as it lasts: what it brought would else be held until the client goes. */
export function openLine(res: ServerResponse): Line {
  return {
    res,
    async unlessGone(work) {
      let leave = () => {};
      const gone = new Promise<undefined>((resolve) => {
        leave = () => resolve(undefined);
        if (res.closed) leave();
        else res.once('close', leave);
      });
      return Promise.race([work, gone]).finally(() => res.off('close', leave));
    },
  };
}

/**
 * Writes piece by piece, each when the one before has left, so that one is in memory and none is read that is not taken.
 * Leaves off when the client is gone, also in the middle of a read that takes for ever.
 * @param tally is filled on the way, and true also when the source fails in the middle
 */
export async function pour(pieces: AsyncGenerator<Piece, void>, line: Line, tally: Tally): Promise<void> {
  const { res, unlessGone } = line;
  let waiting: Promise<boolean>[] = [];
  try {
    for (;;) {
      const next = await unlessGone(pieces.next());
      if (!next || res.destroyed) return;
      if (next.done) break;
      const { of, bytes, lasting } = next.value;
      // what lasts goes out together with what follows: a packet of its own would cost as much as a large one
      if (waiting.length === 0) res.cork();
      waiting.push(write(res, bytes).then((left) => count(tally, of, left ? bytes.length : 0)));
      if (lasting) continue;
      res.uncork();
      if (!(await unlessGone(everyOf(waiting)))) return;
      waiting = [];
    }
    res.end();
    await unlessGone(everyOf(waiting));
  } catch (error) {
    // The length is promised already: breaking the line is the only way left to say that this is not all.
    res.destroy();
    throw error;
  } finally {
    // not awaited: a read under way holds it up, and may be what the client did not wait for either
    pieces.return().catch(() => {});
  }
}

function count(tally: Tally, of: object, bytes: number): boolean {
  tally.set(of, (tally.get(of) ?? 0) + bytes);
  return bytes > 0;
}

async function everyOf(writes: Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(writes)).every(Boolean);
}

/**
 * Whether the operating system took all of the piece, which is when the callback comes; but for what was still queued when the
 * socket was destroyed it comes as well, and without an error.
 */
function write(res: ServerResponse, bytes: Uint8Array): Promise<boolean> {
  const { socket } = res;
  return new Promise((resolve) => res.write(bytes, (error) => resolve(!error && socket?.destroyed === false)));
}

import type { ServerResponse } from 'node:http';

/** Bytes on their way; `of` is what they count for. Lasting ones stay as they are when the next piece is asked for. */
export type Piece = { of: object; bytes: Uint8Array; lasting: boolean };

/** How many bytes left the process, by what they count for. */
export type Tally = Map<object, number>;

/**
 * Writes piece by piece, each when the one before has left; leaves off when the client is gone.
 * @param tally is filled on the way, and true also when the source fails in the middle
 */
export async function pour(pieces: AsyncIterable<Piece>, res: ServerResponse, tally: Tally): Promise<void> {
  const gone = new Promise<false>((resolve) => res.once('close', () => resolve(false)));
  let waiting: Promise<boolean>[] = [];
  try {
    for await (const { of, bytes, lasting } of pieces) {
      if (res.destroyed) return;
      // what lasts goes out together with what follows: a packet of its own would cost as much as a large one
      if (waiting.length === 0) res.cork();
      waiting.push(write(res, bytes).then((left) => count(tally, of, left ? bytes.length : 0)));
      if (lasting) continue;
      res.uncork();
      if (!(await Promise.race([everyOf(waiting), gone]))) return;
      waiting = [];
    }
  } catch (error) {
    // The length is promised already: breaking the line is the only way left to say that this is not all.
    res.destroy();
    throw error;
  }
  const ended = everyOf(waiting);
  res.end();
  if (waiting.length > 0) await Promise.race([ended, gone]);
}

function count(tally: Tally, of: object, bytes: number): boolean {
  tally.set(of, (tally.get(of) ?? 0) + bytes);
  return bytes > 0;
}

async function everyOf(writes: Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(writes)).every(Boolean);
}

/** Whether the piece left the process. */
function write(res: ServerResponse, bytes: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => res.write(bytes, (error) => resolve(!error)));
}

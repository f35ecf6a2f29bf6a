import { serverBusy } from '../../errors';

type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };

export type Recorder<Item, Result> = {
  /** Settles after the commit. @throws common.server_busy at once when too many wait already */
  record(item: Item): Promise<Result>;
  /** Settles when nothing waits any more. */
  drained(): Promise<void>;
};

/**
 * Group commit: what arrives while one statement is under way goes into the next one, so that
 * thousands share a commit and no one is told of a success before it.
 * @param write one statement for many items; its results stand in their order
 */
export function createRecorder<Item, Result>(options: {
  capacity: number;
  batch: number;
  write: (items: Item[]) => Promise<Result[]>;
}): Recorder<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let flushing: Promise<void> | null = null;

  async function flush() {
    // what this turn of the event loop brings still joins the first statement
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const taken = waiting.slice(0, options.batch);
      waiting = waiting.slice(options.batch);
      try {
        const results = await options.write(taken.map(({ item }) => item));
        for (const [i, { resolve }] of taken.entries()) resolve(results[i] as Result);
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    flushing = null;
  }

  return {
    record(item) {
      if (waiting.length >= options.capacity) return Promise.reject(serverBusy({ seconds: 1 }));
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        flushing ??= flush();
      });
    },
    async drained() {
      while (flushing) await flushing;
    },
  };
}

/** Two processes that count at once can meet in the rollups; whoever Postgres chooses as the victim tries again. */
export async function retryOnDeadlock<T>(write: () => Promise<T>, tries = 3): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (tries <= 1 || !isDeadlock(error)) throw error;
    return retryOnDeadlock(write, tries - 1);
  }
}

function isDeadlock(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('code' in e && (e.code === '40P01' || e.code === '40001')) return true;
  }
  return false;
}

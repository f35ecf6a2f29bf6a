import { setImmediate as nextTurn } from 'node:timers/promises';
import { serverBusy } from '../base/errors';

type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };

export type Recorder<Item, Result> = {
  /** Resolves after the commit. @throws common.server_busy immediately when the queue is full */
  record(item: Item): Promise<Result>;
  /** Resolves when the queue is empty. */
  drained(): Promise<void>;
};

/**
 * Group commit: items that arrive while a statement runs go into the next statement, so thousands of requests share a
 * commit, and each is acknowledged only after it.
 * @param write one statement for many items; returns their results in the same order
 */
export function createRecorder<Item, Result>(options: {
  capacity: number;
  batch: number;
  write: (items: Item[]) => Promise<Result[]>;
}): Recorder<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let flushing: Promise<void> | null = null;

  async function flush() {
    // items of the current event loop turn join the first statement
    await nextTurn();
    let answer = () => {};
    while (waiting.length > 0) {
      const taken = waiting.slice(0, options.batch);
      waiting = waiting.slice(options.batch);
      const writing = write(taken);
      // the next statement is on its way before the answers to the last one are, which take as long as it does
      await nextTurn();
      answer();
      answer = await writing;
    }
    answer();
    flushing = null;
  }

  /** Returns what tells the outcome to those who wait for it. */
  async function write(taken: Waiting<Item, Result>[]): Promise<() => void> {
    try {
      const results = await options.write(taken.map(({ item }) => item));
      return () => {
        for (const [i, { resolve }] of taken.entries()) resolve(results[i] as Result);
      };
    } catch (error) {
      return () => {
        for (const { reject } of taken) reject(error);
      };
    }
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

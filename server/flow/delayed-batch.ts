import { setTimeout as sleep } from 'node:timers/promises';

export type DelayedBatch<Item> = {
  /** Takes an item to be written soon; without room for it, it is lost. */
  add(item: Item): void;
};

/**
 * Collects items that nobody waits for, and writes those of a while in one statement, so that each costs almost nothing.
 * @param options `follow` gets one promise for each batch, which shutdown waits for
 */
export function createDelayedBatch<Item>(options: {
  pause: number;
  capacity: number;
  write: (items: Item[]) => Promise<void>;
  follow: (written: Promise<void>) => void;
}): DelayedBatch<Item> {
  let waiting: Item[] = [];
  async function writeSoon() {
    await sleep(options.pause);
    const items = waiting;
    waiting = [];
    await options.write(items);
  }
  return {
    add(item) {
      if (waiting.length >= options.capacity) return;
      waiting.push(item);
      if (waiting.length === 1) options.follow(writeSoon());
    },
  };
}

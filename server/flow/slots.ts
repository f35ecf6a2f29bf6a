/** Runs at most `max` of the given works at a time; the others wait in order. */
export function createSlots(max: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async function withSlot<T>(work: () => Promise<T>): Promise<T> {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // hand the slot to the next in line directly, so that a new call cannot overtake it
      if (next) next();
      else running -= 1;
    }
  };
}

/**
 * Runs at most `total` tasks at a time, and at most `perKey` of them with one key. Further ones are refused instead of
 * waiting, so that slow ones do not delay others. `busy` creates the error.
 */
export function createPlaces(limits: { total: number; perKey: number; busy(): Error }) {
  const running = new Map<string, number>();
  let taken = 0;
  return async function withPlace<T>(key: string, work: () => Promise<T>): Promise<T> {
    const ofKey = running.get(key) ?? 0;
    if (taken >= limits.total || ofKey >= limits.perKey) throw limits.busy();
    taken += 1;
    running.set(key, ofKey + 1);
    try {
      return await work();
    } finally {
      taken -= 1;
      const left = (running.get(key) ?? 1) - 1;
      if (left === 0) running.delete(key);
      else running.set(key, left);
    }
  };
}

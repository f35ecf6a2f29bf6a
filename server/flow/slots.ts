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

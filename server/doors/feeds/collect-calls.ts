type Waiting<Key, Value> = { key: Key; resolve(value: Value): void; reject(error: unknown): void };

/**
 * Collects calls while others are running, and answers them together: under load, one query serves many requests, and
 * an idle server answers at once.
 */
export function collectCalls<Key, Value>(
  load: (keys: Key[]) => Promise<Value[]>,
  { max, atOnce = 2 }: { max: number; atOnce?: number },
): (key: Key) => Promise<Value> {
  const waiting: Waiting<Key, Value>[] = [];
  let running = 0;
  let isPlanned = false;

  async function run(): Promise<void> {
    const calls = waiting.splice(0, max);
    running += 1;
    try {
      const values = await load(calls.map(({ key }) => key));
      calls.forEach(({ resolve }, i) => {
        resolve(values[i]!);
      });
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
    running -= 1;
    plan();
  }

  function plan(): void {
    if (isPlanned || running >= atOnce || waiting.length === 0) return;
    isPlanned = true;
    // waits for the other requests that arrive in this turn of the event loop
    setImmediate(() => {
      isPlanned = false;
      void run();
      plan();
    });
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      plan();
    });
}

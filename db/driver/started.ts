/** A statement of the driver, which starts when it is awaited. Before that, `then` would start it. */
export type Startable = Promise<unknown> & { executed: boolean };

/** Passes statements on once they have started. Most of them have by the next turn of the event loop. */
export function afterStart<Query extends Startable>(use: (query: Query) => void): (query: Query) => void {
  let fresh: Query[] = [];
  function pass() {
    for (const query of fresh) if (query.executed) use(query);
    fresh = [];
  }
  return (query) => {
    if (fresh.push(query) === 1) setImmediate(pass);
  };
}

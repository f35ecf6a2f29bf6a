/** The client that waits: clients of one network share its places, and known devices usually go first. */
export type Turn = { network: string; isKnownDevice: boolean };

type Waiting = { start(): void; refuse(): void };
type Line = ReturnType<typeof createLine>;

/** Every fourth slot goes to an unknown client first: anyone with an account could otherwise keep all slots busy. */
const UNKNOWN_FIRST_EVERY = 4;

/**
 * Runs at most `running` works at a time, while at most `waiting` works of unknown and as many of known clients wait.
 * The networks take turns, so that a network with many works delays only itself; when all places are taken, the network
 * with the most works loses its last one. `busy` creates the error for a work that got no place.
 */
export function createFairSlots(limits: { running: number; waiting: number; busy(): Error }) {
  let running = 0;
  let handedOver = 0;
  const known = createLine(limits.waiting);
  const unknown = createLine(limits.waiting);

  const wait = (line: Line, network: string) =>
    new Promise<void>((start, reject) => line.add(network, { start, refuse: () => reject(limits.busy()) }));

  function takeNext(): Waiting | undefined {
    handedOver += 1;
    const [first, second] = handedOver % UNKNOWN_FIRST_EVERY === 0 ? [unknown, known] : [known, unknown];
    return first.next() ?? second.next();
  }

  return async function withSlot<T>({ network, isKnownDevice }: Turn, work: () => Promise<T>): Promise<T> {
    if (running >= limits.running) await wait(isKnownDevice ? known : unknown, network);
    else running += 1;
    try {
      return await work();
    } finally {
      const next = takeNext();
      // hand the slot to the next in line directly, so that a new call cannot overtake it
      if (next) next.start();
      else running -= 1;
    }
  };
}

/** The first network of the map is the next to run. */
function createLine(places: number) {
  const networks = new Map<string, Waiting[]>();
  let taken = 0;

  function take(network: string, pick: (waiting: Waiting[]) => Waiting | undefined): Waiting | undefined {
    const waiting = networks.get(network) ?? [];
    const picked = pick(waiting);
    if (waiting.length === 0) networks.delete(network);
    if (picked) taken -= 1;
    return picked;
  }

  function longest(): { network: string; length: number } {
    let found = { network: '', length: 0 };
    for (const [network, { length }] of networks) if (length > found.length) found = { network, length };
    return found;
  }

  return {
    add(network: string, waiting: Waiting): void {
      if (taken >= places) {
        const most = longest();
        const isOneOfMost = most.length <= (networks.get(network)?.length ?? 0) + 1;
        const refused = isOneOfMost ? waiting : take(most.network, (all) => all.pop());
        refused?.refuse();
        if (isOneOfMost) return;
      }
      taken += 1;
      const own = networks.get(network);
      if (own) own.push(waiting);
      else networks.set(network, [waiting]);
    },
    next(): Waiting | undefined {
      const [network] = networks.keys();
      if (network === undefined) return undefined;
      const next = take(network, (all) => all.shift());
      const rest = networks.get(network);
      // moved to the end, because the other networks are next
      networks.delete(network);
      if (rest) networks.set(network, rest);
      return next;
    },
  };
}

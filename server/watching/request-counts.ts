/** Upper limits of the buckets, in seconds. */
export const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** `cut`: the client disconnected before the end. */
export const OUTCOMES = ['1xx', '2xx', '3xx', '4xx', '5xx', 'cut'] as const;
export type Outcome = (typeof OUTCOMES)[number];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other']);
/** More templates than we have. Requests beyond it are counted as unmatched, so that a defect can't fill the memory. */
const MAX_ROUTES = 2000;

export const UNMATCHED = 'unmatched';
/** Former hosts of private feeds redirect here, so the paths are secret, too. */
export const FOREIGN_HOST = 'foreign host';

/** The counts of one route and method. They are plain numbers, because prom-client takes microseconds for each. */
export type RouteCounts = {
  route: string;
  method: string;
  /** The path may contain a secret that must not be logged, such as the token of a private feed. */
  hasSecret: boolean;
  outcomes: number[];
  bytes: number;
  fromCache: number;
  /** Requests by bucket; the last bucket is for slower ones. */
  buckets: number[];
  seconds: number;
};

export type RequestCounts = ReturnType<typeof createRequestCounts>;

export function createRequestCounts() {
  const byMethod = new Map<string, Map<string, RouteCounts>>();
  let size = 0;

  function add(route: string, method: string): RouteCounts {
    const routes = byMethod.get(method) ?? new Map<string, RouteCounts>();
    byMethod.set(method, routes);
    size += 1;
    const counts = {
      route,
      method,
      hasSecret: /:token|:key|\*/.test(route) || route === FOREIGN_HOST,
      outcomes: OUTCOMES.map(() => 0),
      bytes: 0,
      fromCache: 0,
      buckets: [...BUCKETS, Infinity].map(() => 0),
      seconds: 0,
    };
    routes.set(route, counts);
    return counts;
  }

  function find(route: string, method: string): RouteCounts {
    const known = byMethod.get(method)?.get(route);
    if (known) return known;
    if (!METHODS.has(method)) return find(route, 'other');
    if (size >= MAX_ROUTES && route !== UNMATCHED) return find(UNMATCHED, method);
    return add(route, method);
  }

  return { find, all: () => [...byMethod.values()].flatMap((routes) => [...routes.values()]) };
}

export function countRequest(counts: RouteCounts, outcome: Outcome, seconds: number): void {
  const at = OUTCOMES.indexOf(outcome);
  counts.outcomes[at] = (counts.outcomes[at] as number) + 1;
  let bucket = 0;
  while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] as number)) bucket += 1;
  counts.buckets[bucket] = (counts.buckets[bucket] as number) + 1;
  counts.seconds += seconds;
}

import type { Call, Method } from './call';
import { TABLE } from './table';

type Route = { methods: Map<Method, Call>; params: string[] };
export type Match = { call: Call; params: Record<string, string> } | { call: null; allow: string };

/** At most 15 digits: such numbers are exact in JavaScript and fit the database's integers. */
const ID = /^[1-9]\d{0,14}$/;

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** Keyed by the path with ids replaced by `:`, so that a lookup is one map access. */
const ROUTES = new Map<string, Route>();
for (const call of TABLE) {
  const segments = segmentsOf(call.path);
  const shape = segments.map((segment) => (segment.startsWith(':') ? ':' : segment)).join('/');
  const params = segments.filter((segment) => segment.startsWith(':')).map((segment) => segment.slice(1));
  const route = ROUTES.get(shape) ?? { methods: new Map(), params };
  route.methods.set(call.method, call);
  ROUTES.set(shape, route);
}

/** The call for a path below `/api/`, with or without trailing slash; null for an unknown path. */
export function matchCall(method: string, path: string): Match | null {
  const segments = segmentsOf(path);
  const route = ROUTES.get(segments.map((segment) => (ID.test(segment) ? ':' : segment)).join('/'));
  if (!route) return null;
  const call = route.methods.get((method === 'HEAD' ? 'GET' : method) as Method);
  if (!call) return { call: null, allow: allowHeaderOf(route) };
  const ids = segments.filter((segment) => ID.test(segment));
  return { call, params: Object.fromEntries(route.params.map((name, i) => [name, ids[i] as string])) };
}

/** A path's methods for the Allow header. */
function allowHeaderOf({ methods }: Route): string {
  const names: string[] = [...methods.keys()].sort();
  return [...names, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

import type { Call, Method } from './call';
import { TABLE } from './table';

type Route = { methods: Map<Method, Call>; params: string[] };
export type Match = { call: Call; params: Record<string, string> } | { call: null; allow: string };

/** At most 15 digits: every such number is exact in JavaScript and fits the database. */
const ID = /^[1-9]\d{0,14}$/;

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** By the path with its ids left out, so that finding a call takes one look. */
const ROUTES = new Map<string, Route>();
for (const call of TABLE) {
  const segments = segmentsOf(call.path);
  const shape = segments.map((segment) => (segment.startsWith(':') ? ':' : segment)).join('/');
  const params = segments.filter((segment) => segment.startsWith(':')).map((segment) => segment.slice(1));
  const route = ROUTES.get(shape) ?? { methods: new Map(), params };
  route.methods.set(call.method, call);
  ROUTES.set(shape, route);
}

/** The call of a path below `/api/`, with or without its last slash; null where no call has that path. */
export function matchCall(method: string, path: string): Match | null {
  const segments = segmentsOf(path);
  const route = ROUTES.get(segments.map((segment) => (ID.test(segment) ? ':' : segment)).join('/'));
  if (!route) return null;
  const call = route.methods.get((method === 'HEAD' ? 'GET' : method) as Method);
  if (!call) return { call: null, allow: allowed(route) };
  const ids = segments.filter((segment) => ID.test(segment));
  return { call, params: Object.fromEntries(route.params.map((name, i) => [name, ids[i] as string])) };
}

/** The methods of a path, as the header Allow lists them. */
function allowed({ methods }: Route): string {
  const names: string[] = [...methods.keys()].sort();
  return [...names, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

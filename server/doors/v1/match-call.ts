import { V1_TABLE } from './table';
import type { V1Call, V1Method } from './v1-call';

type Route = { methods: Map<V1Method, V1Call>; params: string[]; template: string };
/** `template`: the path as the documentation writes it. */
export type V1Match =
  | { call: V1Call; params: Record<string, string>; template: string }
  | { call: null; allow: string };

/** Numbers that are exact in JavaScript and fit the database's integers, and the ids of batches and runs. */
const ID = /^(?:[1-9]\d{0,14}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** Keyed by the path with ids replaced by `:`, so that a lookup is one map access. */
let routes: Map<string, Route> | null = null;

function readTable(): Map<string, Route> {
  const found = new Map<string, Route>();
  for (const call of V1_TABLE) {
    const segments = segmentsOf(call.path);
    const shape = segments.map((segment) => (segment.startsWith(':') ? ':' : segment)).join('/');
    const params = segments.filter((segment) => segment.startsWith(':')).map((segment) => segment.slice(1));
    const route = found.get(shape) ?? { methods: new Map(), params, template: templateOf(call) };
    route.methods.set(call.method, call);
    found.set(shape, route);
  }
  return found;
}

/** The call for a path below `/v1`; null for an unknown path. */
export function matchV1(method: string, path: string): V1Match | null {
  routes ??= readTable();
  const segments = segmentsOf(path);
  const route = routes.get(segments.map((segment) => (ID.test(segment) ? ':' : segment)).join('/'));
  if (!route) return null;
  const call = route.methods.get((method === 'HEAD' ? 'GET' : method) as V1Method);
  if (!call) return { call: null, allow: allowHeaderOf(route) };
  const ids = segments.filter((segment) => ID.test(segment));
  const params = Object.fromEntries(route.params.map((name, i) => [name, ids[i] as string]));
  return { call, params, template: route.template };
}

/** A path's methods for the Allow header. */
function allowHeaderOf({ methods }: Route): string {
  const names: string[] = [...methods.keys()].sort();
  return [...names, ...(methods.has('GET') ? ['HEAD'] : [])].join(', ');
}

/** The path as the documentation and the log of requests write it: `/v1/shows/{id}`. */
export const templateOf = ({ path }: Pick<V1Call, 'path'>): string => `/v1${path.replace(/:(\w+)/g, '{$1}')}`;

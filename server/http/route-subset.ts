import type { ServerBuild } from '@remix-run/node';
import { isLanguage } from '~/locales/languages';

/** Represents every segment that no route names. */
const OTHER = ':';

/**
 * Remix matches a page's path against every route, six times per request and once per language. The first segment after
 * the language excludes nearly all of them, so each such segment gets a build of its own with the routes that it can
 * reach.
 * @returns the build for a request path; one object per segment, so that a handler can be kept for each
 */
export function routeSubsets(build: ServerBuild): (pathname: string) => ServerBuild {
  const known = new Set(Object.values(build.routes).map((route) => segmentOf(build, route)?.segment));
  const subsets = new Map<string, ServerBuild>();
  return (pathname) => {
    const { language, segment } = splitPath(withoutDataSuffix(pathname).slice(1));
    const key = { language, segment: known.has(segment) || segment === '' ? segment : OTHER };
    const name = `${language}/${key.segment}`;
    const subset = subsets.get(name) ?? subsetOf(build, key);
    subsets.set(name, subset);
    return subset;
  };
}

type Key = { language: string; segment: string };
type Route = ServerBuild['routes'][string];

function subsetOf(build: ServerBuild, key: Key): ServerBuild {
  const kept = new Set(['root']);
  for (const route of Object.values(build.routes)) {
    if (!isReachable(build, route, key)) continue;
    for (let at: Route | undefined = route; at; at = build.routes[at.parentId ?? '']) kept.add(at.id);
  }
  const only = <T>(all: Record<string, T>) => Object.fromEntries(Object.entries(all).filter(([id]) => kept.has(id)));
  return { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } };
}

function isReachable(build: ServerBuild, route: Route, { language, segment }: Key): boolean {
  const found = segmentOf(build, route);
  if (!found) return false;
  // Remix announces the routes of `/` to the browser with every page
  if (found.segment === '') return found.language === '' || found.language === language;
  // each language has its own catch-all route, so the routes without a language never win below it
  return found.language === language && (/^[:*]/.test(found.segment) || found.segment === segment);
}

/** The first segment of a route's path; null for a layout without a path, which is kept for its children. */
function segmentOf({ routes }: ServerBuild, route: Route): Key | null {
  if (route.path === undefined && !route.index) return null;
  const parent = routes[route.parentId ?? ''];
  const above = parent && parent.id !== 'root' ? fullPath(routes, parent) : '';
  return splitPath([above, route.path ?? ''].filter(Boolean).join('/'));
}

/** The path of a route below its parents' paths, without a leading slash. */
export function fullPath(routes: ServerBuild['routes'], { path = '', parentId = '' }: Route): string {
  const parent = routes[parentId];
  return parent ? [fullPath(routes, parent), path].filter(Boolean).join('/') : path;
}

function splitPath(path: string): Key {
  const [first = '', second = ''] = path.split('/', 2).map(normalizeSegment);
  return isLanguage(first) ? { language: first, segment: second } : { language: '', segment: first };
}

/** Normalizes a segment as the router compares it: decoded, and without case. */
function normalizeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).toLowerCase();
  } catch {
    return segment.toLowerCase();
  }
}

/** Remix requests the data of `/login` at `/login.data`, and that of `/` at `/_root.data`. */
export function withoutDataSuffix(pathname: string): string {
  return pathname.endsWith('.data') ? pathname.slice(0, -5).replace(/^\/_root$/, '/') : pathname;
}

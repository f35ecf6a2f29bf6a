import type { ServerBuild } from '@remix-run/node';
import type { RouteConfigEntry } from '@remix-run/route-config';
import * as entry from '~/app/entry.server';
import * as root from '~/app/root';
import routes from '~/app/routes';

type Route = ServerBuild['routes'][string];

const modules = import.meta.glob<Route['module']>('/app/routes/**/*.tsx', { eager: true });

function routesOf(entries: RouteConfigEntry[], parentId: string): [string, Route][] {
  return entries.flatMap((config) => {
    const { file, path, index, children = [] } = config;
    const id = config.id ?? file;
    const module = modules[`/app/${file}`]!;
    return [[id, { id, parentId, path, index, module }], ...routesOf(children, id)] as [string, Route][];
  });
}

const asset = (route: Route) => ({
  id: route.id,
  parentId: route.parentId,
  path: route.path,
  index: route.index,
  module: `/${route.id}`,
  hasAction: false,
  hasLoader: true,
  hasClientAction: false,
  hasClientLoader: false,
  hasErrorBoundary: false,
});

/** The product's own pages as a build: rendered like in production, without the browser's files. */
export function pagesBuild(): ServerBuild {
  const below = routesOf(routes as RouteConfigEntry[], 'root');
  const all = Object.fromEntries([['root', { id: 'root', path: '', module: root } as Route], ...below]);
  const assets = Object.fromEntries(Object.entries(all).map(([id, route]) => [id, asset(route)]));
  return {
    entry: { module: entry },
    routes: all,
    assets: { entry: { imports: [], module: '/entry' }, routes: assets, url: '/manifest', version: 'test' },
    future: { v3_singleFetch: true },
    publicPath: '/',
    assetsBuildDirectory: 'build/client',
    mode: 'production',
    isSpaMode: false,
  } as unknown as ServerBuild;
}

import type { ServerBuild } from '@remix-run/node';

type Module = ServerBuild['routes'][string]['module'];
/** What the build has instead of a module that is loaded with the first page that needs it (vite.config.ts). */
type LateModule = () => Promise<Module>;

/** The build with the modules of all its routes. */
export async function withModules(build: ServerBuild): Promise<ServerBuild> {
  const loading = Object.entries(build.routes).map(async ([id, route]) => {
    const module = await loadModule(route.module);
    return [id, { ...route, module }] as const;
  });
  return { ...build, routes: Object.fromEntries(await Promise.all(loading)) };
}

async function loadModule(module: Module | LateModule): Promise<Module> {
  return typeof module === 'function' ? module() : module;
}

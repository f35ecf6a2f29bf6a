import type { ServerBuild } from '@remix-run/node';
import { fullPath } from '../../http/route-subset';
import type { FindTemplate } from '../../http/route-templates';

/** The methods of a page, for the Allow header of a 405: a page without an action accepts no form. */
export function pageMethods(build: ServerBuild, templates: FindTemplate): (path: string) => string {
  const routes = Object.values(build.routes).filter(({ module }) => module.action);
  const withAction = new Set(routes.map((route) => templates(`/${fullPath(build.routes, route)}`)));
  return (path) => {
    const template = templates(path);
    return template !== null && withAction.has(template) ? 'GET, HEAD, POST' : READS;
  };
}

/** Other paths than pages are read too: files of the client, site maps, health checks. */
export const READS = 'GET, HEAD';

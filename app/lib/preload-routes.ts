import { useEffect } from 'react';
import { useLocation } from './router';

/** The first page has priority, and Remix discovers the routes of its links only after it has loaded. */
const DELAY_MS = 2500;

/**
 * Loads the code of the pages that this page links to. If code is missing when the user follows a link, Remix reloads
 * the document, which stops the player and, without a connection, leads to the browser's error page.
 */
export function usePreloadedRoutes(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const timer = setTimeout(preload, DELAY_MS);
    return () => clearTimeout(timer);
  }, [pathname]);
}

const preloaded = new Set<string>();

function preload() {
  const routes = Object.values(window.__remixManifest.routes);
  for (const href of routes.flatMap(({ module, imports = [] }) => [module, ...imports])) {
    if (preloaded.has(href)) continue;
    preloaded.add(href);
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
}

import fs from 'node:fs';
import path from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { App } from './app-env';

const FOREVER = 'public, max-age=31536000, immutable';
const ONE_HOUR = 'public, max-age=3600';

/**
 * Serves the client build. Files in /assets have a hash in their names. Each top-level file gets its own route, so that
 * page requests never touch the disk.
 */
export function mountStaticFiles(app: App, dir: string): void {
  const root = path.relative(process.cwd(), dir);
  app.use(
    '/assets/*',
    serveStatic({ root, precompressed: true, onFound: (_, c) => c.header('cache-control', FOREVER) }),
  );
  app.all('/assets/*', (c) => c.text('not found', 404, { 'cache-control': 'no-store' }));
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    app.get(`/${entry.name}`, serveStatic({ root, onFound: (_, c) => c.header('cache-control', ONE_HOUR) }));
  }
}

import fs from 'node:fs';
import path from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { App } from './app';

const FOREVER = 'public, max-age=31536000, immutable';
const AN_HOUR = 'public, max-age=3600';

/** The browser's files: those below /assets carry a hash in their names; each at the top gets a path of its own, so that no page costs a look at the disk. */
export function mountFiles(app: App, dir: string): void {
  const root = path.relative(process.cwd(), dir);
  app.use(
    '/assets/*',
    serveStatic({ root, precompressed: true, onFound: (_, c) => c.header('cache-control', FOREVER) }),
  );
  app.all('/assets/*', (c) => c.text('not found', 404, { 'cache-control': 'no-store' }));
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    app.get(`/${entry.name}`, serveStatic({ root, onFound: (_, c) => c.header('cache-control', AN_HOUR) }));
  }
}

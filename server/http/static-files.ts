import fs from 'node:fs';
import path from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Handler, MiddlewareHandler } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import type { App, AppEnv } from './app-env';
import { ENCODER_POLICY } from './security';

const FOREVER = 'public, max-age=31536000, immutable';
const ONE_HOUR = 'public, max-age=3600';

/**
 * Serves the client build. Files in /assets have a hash in their names. Each top-level file gets its own route, so that
 * page requests never touch the disk.
 */
export function mountStaticFiles(app: App, dir: string): void {
  const root = path.relative(process.cwd(), dir);
  app.get('/assets/:name', sendCompressed(path.join(dir, 'assets')));
  app.use('/assets/*', withHeaders(serveStatic({ root, precompressed: true }), headersOf));
  app.all('/assets/*', (c) => c.text('not found', 404, { 'cache-control': 'no-store' }));
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    app.get(
      `/${entry.name}`,
      withHeaders(serveStatic({ root }), () => ({ 'cache-control': ONE_HOUR })),
    );
  }
}

/** The library has made the response before it calls `onFound`, so headers that are set there are lost. */
function withHeaders(
  serve: MiddlewareHandler<AppEnv>,
  headers: (path: string) => Record<string, string>,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const found = await serve(c, next);
    // without a file it has called `next`, whose value it returns
    if (!(found instanceof Response)) return;
    for (const [name, value] of Object.entries(headers(c.req.path))) found.headers.set(name, value);
    return found;
  };
}

type Compressed = { bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string> };

/**
 * Sends Brotli files from memory: opening, reading and closing a file takes longer than the rest of the request, and a
 * first visit loads twenty. All of them together are below 2 MB; other encodings and parts of files are rare.
 */
function sendCompressed(dir: string): Handler<AppEnv, '/assets/:name'> {
  const kept = new Map<string, Compressed>();
  const existing = new Set(fs.existsSync(dir) ? fs.readdirSync(dir) : []);
  return async (c, next) => {
    const name = c.req.param('name');
    const encodings = c.req
      .header('accept-encoding')
      ?.split(',')
      .map((encoding) => encoding.trim());
    const isBrotli = encodings?.includes('br') && existing.has(`${name}.br`);
    if (!isBrotli || c.req.header('range')) return next();
    const file = kept.get(name) ?? readCompressed(path.join(dir, name));
    // a concurrent build deletes it first
    if (!file) return next();
    kept.set(name, file);
    return c.body(file.bytes, 200, file.headers);
  };
}

function readCompressed(file: string): Compressed | null {
  const stats = fs.statSync(`${file}.br`, { throwIfNoEntry: false });
  if (!stats) return null;
  const bytes = new Uint8Array(fs.readFileSync(`${file}.br`));
  const headers = {
    'content-type': getMimeType(file) ?? 'application/octet-stream',
    'content-encoding': 'br',
    'content-length': String(bytes.length),
    vary: 'Accept-Encoding',
    'last-modified': stats.mtime.toUTCString(),
    ...headersOf(file),
  };
  return { bytes, headers };
}

const ENCODER = /(?:^|\/)encode-recording\.worker-[\w-]+\.js(?:\.br)?$/;

/** The headers of a file with a hash in its name. */
function headersOf(file: string): Record<string, string> {
  return { 'cache-control': FOREVER, ...(ENCODER.test(file) && { 'content-security-policy': ENCODER_POLICY }) };
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ServerBuild } from '@remix-run/node';

export type Development = {
  /** Answers Vite's own URLs; calls `next` for all others. */
  middleware(req: IncomingMessage, res: ServerResponse, next: () => void): void;
  build(): Promise<ServerBuild>;
  close(): Promise<void>;
};

/** Runs Vite in our server: the browser reloads pages and styles when their source changes. */
export async function startDevelopment(server: Server): Promise<Development> {
  const { createServer } = await import('vite');
  const before = { SIGTERM: process.listeners('SIGTERM'), end: process.stdin.listeners('end') };
  const vite = await createServer({ server: { middlewareMode: { server }, hmr: { server } }, appType: 'custom' });
  // Remix's second Vite server exits on SIGTERM or when standard input ends, before our shutdown has finished.
  for (const listener of process.listeners('SIGTERM')) {
    if (!before.SIGTERM.includes(listener)) process.off('SIGTERM', listener);
  }
  for (const listener of process.stdin.listeners('end')) {
    if (!before.end.includes(listener)) process.stdin.off('end', listener as () => void);
  }
  return {
    middleware: vite.middlewares,
    build: () => vite.ssrLoadModule('virtual:remix/server-build') as Promise<ServerBuild>,
    close: () => vite.close(),
  };
}

import { Worker, type WorkerOptions } from 'node:worker_threads';

/** `built`: the file's name in the build (scripts/bundle.mjs). */
type ThreadFile = { built: string; source: URL };

/**
 * The build bundles a separate file for each thread. From source, the thread needs its own TypeScript loader, which it
 * does not inherit.
 */
export function startThread({ built, source }: ThreadFile, given: WorkerOptions): Worker {
  const options = { ...given, execArgv: [] };
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL(`./${built}.js`, import.meta.url), options);
  const code = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(source.href)})));`;
  return new Worker(code, { ...options, eval: true });
}

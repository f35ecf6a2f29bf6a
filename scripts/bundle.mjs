import { build } from 'esbuild';

/** Entry points of Node: web and worker, and the thread of server/audio/in-worker.ts. */
export const ENTRIES = { main: 'server/main.ts', 'audio-worker': 'server/audio/worker.ts' };

/**
 * Bundles our own code into one file per entry, plus shared chunks; packages are not bundled.
 * @param {Record<string, string>} entryPoints output name → source file
 * @param {string} outdir
 */
export async function bundle(entryPoints, outdir) {
  await build({
    entryPoints,
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    splitting: true,
    sourcemap: true,
    logLevel: 'warning',
  });
}

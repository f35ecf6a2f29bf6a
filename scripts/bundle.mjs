import { build } from 'esbuild';

/** What Node is started with: web and worker, and the thread of server/audio/in-worker.ts. */
export const ENTRIES = { main: 'server/main.ts', 'audio-worker': 'server/audio/worker.ts' };

/**
 * Bundles what Node runs: our own code in one file for each entry, and what they share beside it; packages stay outside.
 * @param {Record<string, string>} entryPoints name of the file to write → source
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

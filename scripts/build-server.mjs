// Bundles what Node runs (server and worker) beside the Remix build, which empties build/ first.
import { build } from 'esbuild';

await build({
  entryPoints: { main: 'server/main.ts' },
  outdir: 'build/main',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  splitting: true,
  sourcemap: true,
  logLevel: 'warning',
});

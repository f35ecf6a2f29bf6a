import { fileURLToPath } from 'node:url';
import { vitePlugin as remix } from '@remix-run/dev';
import { build } from 'esbuild';
import { minify } from 'terser';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import remixConfig from './remix.config.js';

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: true;
  }
}

/** `import text from './x?script'`: a TypeScript file and its imports as the text of one minified script. */
const scriptTexts: Plugin = {
  name: 'script-texts',
  enforce: 'pre',
  async resolveId(id, importer) {
    if (!id.endsWith('?script')) return null;
    const found = await this.resolve(id.slice(0, -'?script'.length), importer);
    return found && `${found.id}?script`;
  },
  async load(id) {
    if (!id.endsWith('?script')) return null;
    const entryPoints = [id.slice(0, -'?script'.length)];
    const options = { bundle: true, minify: true, format: 'iife', target: 'es2022', write: false } as const;
    const { outputFiles, metafile } = await build({ entryPoints, ...options, metafile: true });
    for (const file of Object.keys(metafile.inputs)) this.addWatchFile(file);
    return `export default ${JSON.stringify(outputFiles[0]?.text.trim())}`;
  },
};

/** Terser makes the file of every page 4 % smaller than esbuild does; for all files it would take too long. */
const smallest: Plugin = {
  name: 'smallest-file-of-every-page',
  apply: 'build',
  generateBundle: {
    // esbuild and Vite have finished then
    order: 'post',
    async handler(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || chunk.name !== EVERY_PAGE) continue;
        const { code } = await minify(chunk.code, { module: true, compress: { passes: 2 } });
        chunk.code = code ?? chunk.code;
      }
    },
  },
};

/** Also the base of vitest.config.ts, which must not load the Remix plugin. */
export const shared = {
  plugins: [scriptTexts],
  resolve: { alias: { '~': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } },
} satisfies UserConfig;

/** Routes without a page have no browser code, and zod's source has comments that Rollup drops: both are harmless. */
const HARMLESS = new Set(['EMPTY_BUNDLE', 'INVALID_ANNOTATION']);

const EVERY_PAGE = 'every-page';
/**
 * What every page needs, in one file: a dozen small ones would cost a first visit more for their headers and imports
 * than for some of their contents.
 */
const ON_EVERY_PAGE =
  /\/app\/(?:lib\/(?:nonce|paths|offline|clock|root-data|translation|structured-data|texts\.client)|features\/site\/|components\/(?:icons|address-link))|vite\/preload-helper/;

export default defineConfig(({ command, isSsrBuild }) => ({
  ...shared,
  plugins: [scriptTexts, remix(remixConfig), smallest],
  server: { watch: { ignored: ['**/.data/**', '**/build/**'] } },
  // Without entries the first visit to a route meets new dependencies, and Vite reloads a half-hydrated page.
  optimizeDeps: { entries: ['app/entry.client.tsx', 'app/root.tsx', 'app/routes/**/*.tsx'] },
  // Mantine is hundreds of small files: bundling it takes a second off a cold start. Never bundle what server/ also
  // imports.
  ssr: { noExternal: command === 'build' ? [/^@mantine\//, /^@floating-ui\//] : [] },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    // a chunk's imports load its others; only styles must be there before it renders
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files) => files.filter((file) => file.endsWith('.css')),
    },
    rollupOptions: {
      ...(!isSsrBuild && { output: { manualChunks: (id) => (ON_EVERY_PAGE.test(id) ? EVERY_PAGE : undefined) } }),
      onwarn(warning, warn) {
        if (!HARMLESS.has(warning.code ?? '')) warn(warning);
      },
    },
  },
}));

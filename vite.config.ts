import { fileURLToPath } from 'node:url';
import { vitePlugin as remix } from '@remix-run/dev';
import { defineConfig, type UserConfig } from 'vite';
import remixConfig from './remix.config.js';

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: true;
  }
}

/** Also the base of vitest.config.ts, which must not load the Remix plugin. */
export const shared = {
  resolve: { alias: { '~': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } },
} satisfies UserConfig;

/** Routes without a page have no browser code, and zod's source has comments that Rollup drops: both are harmless. */
const HARMLESS = new Set(['EMPTY_BUNDLE', 'INVALID_ANNOTATION']);

/**
 * What every page needs, in one file: a dozen small ones would cost a first visit more for their headers and imports
 * than for some of their contents.
 */
const ON_EVERY_PAGE =
  /\/app\/(?:lib\/(?:nonce|paths|offline|clock|root-data|translation|structured-data|texts\.client)|features\/site\/|components\/(?:icons|address-link))|vite\/preload-helper/;

export default defineConfig(({ command, isSsrBuild }) => ({
  ...shared,
  plugins: [remix(remixConfig)],
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
      ...(!isSsrBuild && { output: { manualChunks: (id) => (ON_EVERY_PAGE.test(id) ? 'every-page' : undefined) } }),
      onwarn(warning, warn) {
        if (!HARMLESS.has(warning.code ?? '')) warn(warning);
      },
    },
  },
}));

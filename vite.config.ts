import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { vitePlugin as remix } from '@remix-run/dev';
import { type MinifyOptions, minify } from 'terser';
import { build, defineConfig, type Plugin, type Rollup, type UserConfig } from 'vite';
import remixConfig from './remix.config.js';

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: true;
  }
}

const ROOT = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '');

/**
 * Neither our code nor React and Remix depend on the number of declared parameters, on the side effect of reading a
 * property, or on `new` with the method of an object.
 */
const MINIFIED: MinifyOptions = {
  module: true,
  ecma: 2020,
  compress: { passes: 2, ecma: 2020, keep_fargs: false, pure_getters: true, unsafe_methods: true },
};

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
    const input = id.slice(0, -'?script'.length);
    // Rollup puts all modules into one scope, which esbuild doesn't with a dynamic import: 6 % less
    const output = { format: 'iife', inlineDynamicImports: true } as const;
    const built = await build({
      root: ROOT,
      configFile: false,
      logLevel: 'warn',
      resolve: { alias: { '~': ROOT } },
      build: { write: false, minify: false, modulePreload: false, target: 'es2022', rollupOptions: { input, output } },
    });
    const [chunk] = (built as Rollup.RollupOutput).output;
    for (const file of chunk.moduleIds) this.addWatchFile(file);
    // not only in builds, so that tests measure what visitors load
    const { code } = await minify(chunk.code, MINIFIED);
    return `export default ${JSON.stringify(code)}`;
  },
};

/** Terser makes the files for listeners 4 % smaller than esbuild does; for all files it would take too long. */
const smallest: Plugin = {
  name: 'smallest-files-of-listeners',
  apply: 'build',
  generateBundle: {
    // runs after esbuild and Vite
    order: 'post',
    async handler(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !SMALLEST.has(chunk.name)) continue;
        const { code } = await minify(chunk.code, MINIFIED);
        chunk.code = code ?? chunk.code;
      }
    },
  },
};

/**
 * Parts of Remix's own error page and loading page, in place of which the root has its own: the scripts of a page, which
 * run only on the server (app/lib/first-script.tsx), and advice for developers.
 */
const UNUSED = [
  ['errorBoundaries.js', /renderScripts \? .*createElement\(Scripts, null\) : null/],
  ['errorBoundaries.js', /React\.createElement\("script", \{\s*dangerouslySetInnerHTML[\s\S]*?\n {2}\}\)/],
  ['fallback.js', /React\.createElement\("script", \{\s*dangerouslySetInnerHTML[\s\S]*?\n {2}\}\)/],
] as const;

const withoutUnused: Plugin = {
  name: 'without-unused-parts-of-remix',
  apply: 'build',
  transform(code, id, options) {
    const parts = UNUSED.filter(([file]) => id.endsWith(`/@remix-run/react/dist/esm/${file}`));
    if (options?.ssr || parts.length === 0) return null;
    const left = parts.reduce((text, [file, part]) => {
      if (!part.test(text)) this.error(`Remix has other parts in ${file} now`);
      return text.replace(part, 'null');
    }, code);
    return { code: left, map: null };
  },
};

const SERVER_MANIFEST = '\0virtual:remix/server-manifest';
const PAGES_BUILD = '\0virtual:remix/server-build';
const STUDIO_PAGES = 'virtual:studio-pages';
/** The studio's layout; the ids of routes below it contain its own (app/routes.ts). */
const STUDIO_ID = ':dashboard/layout';

/**
 * Puts the modules of the studio's pages and Mantine into a file of their own, which the server loads with the first
 * page of the studio (server/doors/pages/page-modules.ts): a start needs none of them, and many processes never do.
 */
function studioApart(): Plugin {
  let studioPages = '';
  return {
    name: 'studio-pages-apart',
    apply: 'build',
    resolveId: (id) => (id === STUDIO_PAGES ? `\0${STUDIO_PAGES}` : null),
    load: (id) => (id === `\0${STUDIO_PAGES}` ? studioPages : null),
    transform(code, id, options) {
      if (!options?.ssr || id !== PAGES_BUILD) return null;
      const ofStudio = new Set(
        [...code.matchAll(/id: "([^"]*)"[^}]*?module: (route\d+)\b/g)]
          .filter(([, routeId]) => routeId?.includes(STUDIO_ID))
          .map(([, , name]) => name),
      );
      const files: string[] = [];
      const rest = code
        .replace(/^\s*import (\* as (route\d+) from .+)$/gm, (line, imported: string, name: string) => {
          if (!ofStudio.has(name)) return line;
          files.push(`export ${imported}`);
          return '';
        })
        .replace(/module: (route\d+)\b/g, (text, name: string) =>
          ofStudio.has(name) ? `module: () => import('${STUDIO_PAGES}').then((pages) => pages.${name})` : text,
        );
      if (files.length === 0) this.error('Remix lists its routes in another way now');
      studioPages = files.join('\n');
      return { code: rest, map: null };
    },
  };
}

/**
 * Remix describes the files of every page in 700 KB, as an object of JavaScript: reading it as JSON is faster and leaves
 * less in memory.
 */
const manifestAsJson: Plugin = {
  name: 'manifest-as-json',
  apply: 'build',
  transform(code, id, options) {
    if (!options?.ssr || id !== SERVER_MANIFEST) return null;
    const manifest = runInNewContext(`(${code.replace(/^\s*export default|;\s*$/g, '')})`);
    return { code: `export default JSON.parse(${JSON.stringify(JSON.stringify(manifest))})`, map: null };
  },
};

/** Also the base of vitest.config.ts, which must not load the Remix plugin. */
export const shared = {
  plugins: [scriptTexts],
  resolve: { alias: { '~': ROOT } },
} satisfies UserConfig;

/** Routes without a page have no browser code, and zod's source has comments that Rollup drops: both are harmless. */
const HARMLESS = new Set(['EMPTY_BUNDLE', 'INVALID_ANNOTATION']);

/** Two chunks that import each other: one of them reads a constant of the other before it has a value. */
const BROKEN = 'CIRCULAR_CHUNK';

const EVERY_PAGE = 'every-page';
/**
 * Code for every page, in one file: for some of a dozen small files, headers and imports would cost a first visit more
 * than their contents.
 */
const ON_EVERY_PAGE =
  /\/app\/(?:lib\/(?:nonce|site-paths|offline|clock|root-data|translation|structured-data|texts\.client)|features\/site\/site\/|features\/listener\/player\/(?:engine|state|use-player|player-bar|recovery|remembered-positions|positions|episode-position|heard-parts|worker|storage)\.|components\/(?:icons|address-link|brand-style))|server\/limits\/(?:player|paging)|vite\/preload-helper/;

const PUBLIC_PAGES = 'public-pages';
/** Code that creators' pages share. Together the files are a third smaller than separately. */
const ON_PUBLIC_PAGES =
  /\/app\/(?:lib\/packed|components\/(?:native-audio|more-menu)|features\/listener\/player\/(?:track-player|queue-more)|features\/site\/public\/(?:content-language|copy-row|listen-in-app|qr-code|share|sheet|tile-icon|cover-picture|creator-shell|episode-facts|episode-list|linked-text|page-meta|page-search|said-words)\.)/;

const CREATOR_PAGE = 'creator-page';
const ON_CREATOR_PAGE = /\/app\/features\/site\/public\/creator-(?:page|sections)\./;

const EPISODE_PAGE = 'episode-page';
const ON_EPISODE_PAGE =
  /\/app\/features\/site\/public\/(?:episode-parts|people-and-transcript|playback-follower|follow-playback|around)\.|\/app\/features\/listener\/player\/transcript-search\./;

const HOME_PAGE = 'home-page';
/** On a creator's host, the front page is the creator's, but its route loads this as well. */
const ON_HOME_PAGE = /\/app\/features\/site\/(?:marketing\/(?:home|next-step|paste-feed|feed-field)|public\/shelf)\./;

const PATHS = 'paths';
/** Code that listeners' pages and the studio share. A manual chunk takes its imports along unless they have another. */
const ON_PATHS = /\/app\/lib\/paths\.|\/server\/(?:policy\/studio-pages|domain\/products\/kinds)\./;
const SHARED = /\/(?:server\/(?:base\/money|limits\/accounts)|app\/components\/form-context)\./;

const STUDIO = 'studio';
/**
 * Code for every page of the studio: its frame, and the part of Mantine that the frame needs. Together with the next one,
 * it saves a page ten kilobytes and half of its requests.
 */
const ON_EVERY_STUDIO_PAGE =
  /\/@mantine\/(?!core\/esm\/(?:components\/(?:ActionIcon|Alert|Badge|Checkbox|Combobox|Group|NativeSelect|Stack|Textarea|VisuallyHidden)\/|utils\/In))|\/app\/(?:theme|lib\/(?:studio-context|trpc|trpc-errors|done-message|title-meta)\.|components\/(?:toast|confirm-dialog|drop-down|intent-button|line-icons|page-header|plan-limit)\.|features\/studio\/(?:plans\/(?:plan-message|plan-names|use-plan-texts)|studio\/(?!command|contact|shortcuts-dialog|use-command))|routes\/dashboard\/layout)/;

const STUDIO_FORMS = 'studio-forms';
/** Code that most forms of the studio share. */
const ON_STUDIO_FORMS =
  /\/@mantine\/core\/esm\/(?:components\/(?:Checkbox|Combobox|Group|NativeSelect|Stack|Textarea)\/|utils\/In)|\/app\/(?:components\/(?:fields|submit-button)\.|features\/studio\/drafts\/)/;

/** The files that a listener loads on a creator's pages. */
const SMALLEST = new Set([
  EVERY_PAGE,
  PUBLIC_PAGES,
  'root',
  'front',
  'podcast',
  'episode',
  EPISODE_PAGE,
  CREATOR_PAGE,
  'active-player',
  HOME_PAGE,
]);

function chunkOf(id: string): string | undefined {
  if (ON_EVERY_PAGE.test(id)) return EVERY_PAGE;
  if (ON_PUBLIC_PAGES.test(id)) return PUBLIC_PAGES;
  if (ON_EPISODE_PAGE.test(id)) return EPISODE_PAGE;
  if (ON_CREATOR_PAGE.test(id)) return CREATOR_PAGE;
  if (ON_HOME_PAGE.test(id)) return HOME_PAGE;
  if (ON_PATHS.test(id)) return PATHS;
  if (SHARED.test(id)) return id.slice(id.lastIndexOf('/') + 1, id.lastIndexOf('.'));
  if (ON_EVERY_STUDIO_PAGE.test(id)) return STUDIO;
  return ON_STUDIO_FORMS.test(id) ? STUDIO_FORMS : undefined;
}

export default defineConfig(({ command, isSsrBuild }) => ({
  ...shared,
  plugins: [scriptTexts, remix(remixConfig), withoutUnused, studioApart(), manifestAsJson, smallest],
  server: { watch: { ignored: ['**/.data/**', '**/build/**'] } },
  // Without entries the first visit to a route meets new dependencies, and Vite reloads a half-hydrated page.
  optimizeDeps: { entries: ['app/entry.client.tsx', 'app/root.tsx', 'app/routes/**/*.tsx'] },
  // Mantine is hundreds of small files: bundling it takes a second off a cold start. Never bundle what server/ also
  // imports.
  ssr: { noExternal: command === 'build' ? [/^@mantine\//, /^@floating-ui\//] : [] },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    // a chunk's imports load the other chunks; only styles must be loaded before it renders
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files) => files.filter((file) => file.endsWith('.css')),
    },
    rollupOptions: {
      ...(!isSsrBuild && { output: { manualChunks: chunkOf } }),
      onwarn(warning, warn) {
        if (warning.code === BROKEN) throw new Error(warning.message);
        if (!HARMLESS.has(warning.code ?? '')) warn(warning);
      },
    },
  },
}));

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { defineConfig, mergeConfig, type Plugin } from 'vitest/config';
import { isLateWrite } from './db/driver/lost-connection';
import { opensDatabase } from './tests/support/opens-database';
import { SlowFirst } from './tests/support/slow-first';
import { TEST_FOLDERS } from './tests/support/workspace-packages';
import { shared } from './vite.config';

const isDeep = process.env.DEEP === '1';
/** Full proofs take minutes where samples take seconds; a busy machine needs several times what a quiet one does. */
const patience = isDeep ? 30 : 1;

const files = TEST_FOLDERS.flatMap((folder) =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
)
  .filter((file) => /\.test\.tsx?$/.test(file))
  // deep tests wait for seconds: see docs/decisions/0199-everyday-samples-of-journeys.md
  .filter((file) => isDeep || !file.includes('.deep.test.'));
const withDatabase = files.filter(opensDatabase);

/** Projects inherit the number and prefer it to that of the command line. */
const workers = process.argv.includes('--maxWorkers') ? {} : { maxWorkers: 2 };

/** The file with `import.meta.glob` lists the pages, and does not change when a page is added. */
const pages = createHash('sha256')
  .update(fs.readdirSync('app/routes', { recursive: true }).sort().join())
  .digest('hex')
  .slice(0, 8);

/**
 * The text of a `?script` contains the files that it imports, which the cache key of the compiled file does not
 * include.
 */
const freshScripts: Plugin = {
  name: 'fresh-scripts',
  configureVitest({ experimental_defineCacheKeyGenerator: defineKey }) {
    defineKey(({ id }) => (id.endsWith('?script') ? false : undefined));
  },
};

export default mergeConfig(
  shared,
  defineConfig({
    plugins: [freshScripts],
    test: {
      ...workers,
      sequence: { sequencer: SlowFirst },
      // Keyed by the contents of a file: unit, integration and later runs compile shared files once.
      experimental: { fsModuleCache: true, fsModuleCachePath: `node_modules/.cache/compiled-tests/${pages}` },
      // A busy machine takes seconds for results that are usually immediate: one bound for all tests, which no test
      // tightens.
      expect: { poll: { timeout: 10_000 } },
      onUnhandledError: (error) => !isLateWrite(error),
      projects: [
        {
          extends: true,
          test: {
            name: 'unit',
            include: files.filter((file) => !withDatabase.includes(file)),
            // Files share a process, which halves the time for imports; those that measure memory run with --isolate.
            isolate: false,
            testTimeout: 60_000 * patience,
            sequence: { groupOrder: 0 },
          },
        },
        {
          extends: true,
          test: {
            name: 'integration',
            include: withDatabase,
            globalSetup: ['tests/support/global.ts'],
            // saves a twelfth of the processor time: a test's rows become garbage before they would be moved
            execArgv: ['--max-semi-space-size=64'],
            isolate: false,
            testTimeout: 60_000 * patience,
            hookTimeout: 60_000,
            sequence: { groupOrder: 1 },
          },
        },
      ],
    },
  }),
);

import { defineConfig, mergeConfig } from 'vitest/config';
import { shared } from './vite.config';

/** Tests below these folders need Postgres; every other test is pure. */
const withDatabase = [
  'tests/{db,domain,trpc,rest,http,jobs,sandbox}/**/*.test.{ts,tsx}',
  'tests/adapters/!(feed-fetcher)/**/*.test.ts',
  'tests/adapters/*.test.ts',
];

/** Full proofs take minutes where samples take seconds. */
const patience = process.env.DEEP === '1' ? 30 : 1;

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      maxWorkers: 2,
      projects: [
        {
          extends: true,
          test: {
            name: 'unit',
            include: ['tests/**/*.test.{ts,tsx}'],
            exclude: [...withDatabase, 'tests/e2e/**'],
            testTimeout: 5000 * patience,
            sequence: { groupOrder: 0 },
          },
        },
        {
          extends: true,
          test: {
            name: 'integration',
            include: withDatabase,
            globalSetup: ['tests/support/global.ts'],
            testTimeout: 20_000 * patience,
            hookTimeout: 30_000,
            sequence: { groupOrder: 1 },
          },
        },
      ],
    },
  }),
);

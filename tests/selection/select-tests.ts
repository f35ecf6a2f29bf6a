import fs from 'node:fs';
import path from 'node:path';
import { opensDatabase } from '../support/opens-database';
import { seededInts } from '../support/seeded-ints';
import { reachableModules } from '../support/static-imports';
import { PACKAGES, TEST_FOLDERS } from '../support/workspace-packages';
import type { Changes } from './changes';
import { loadedFiles } from './loaded-files';

/** Import these to draw larger samples: ours, and that of each package. */
const DEEP = ['', ...PACKAGES].map((folder) => path.resolve(folder, 'tests/support/deep.ts'));
const RUNNER = 'vitest.config.ts';
/** The runner loads these for every test, but no test imports them. */
const FOR_ALL = ['tests/support/global.ts', 'tests/support/templates.ts'];
const MIGRATIONS = 'db/migrations/';
/** Suites of ports and of pure engines: only a change of files that they load, or of a package, can break them. */
const SUITES = /^(?:tests\/(?:adapters|audio|feed|sandbox|transcript)|packages\/[^/]+\/tests)\//;
const IN_JOURNEYS = /^(?:app|server|db|jobs|locales|public|packages\/[^/]+\/src|tests\/e2e)\//;
export const JOURNEYS = 'tests/e2e';
/** A run that plays more full proofs takes over an hour on two cores (docs/decisions/0395). */
const PROOFS_AT_ONCE = 24;

export const testFiles = (): string[] =>
  TEST_FOLDERS.flatMap((folder) =>
    fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  )
    .filter((file) => /\.test\.tsx?$/.test(file))
    .sort();

/** Whether a full proof of the file differs from its everyday run. */
export const hasFullProof = (file: string) =>
  file.includes('.deep.test.') || DEEP.some((deep) => reachableModules(file).has(deep));

/**
 * The files whose full proofs a change needs, and the folder of the journeys if the change touches the product; all of
 * them if the change is unknown.
 */
export function fullProofsFor(changes: Changes | null): string[] {
  const chosen = testFiles().filter((file) => hasFullProof(file) && isTouched(file, changes));
  const hasJourneys = concernsAll(changes) || changes.files.some((file) => IN_JOURNEYS.test(file) || isJourneys(file));
  return hasJourneys ? [...chosen, JOURNEYS] : chosen;
}

/**
 * Of more full proofs than one run can play, those that the seed draws. What is left out keeps its everyday run; a later
 * run has another seed.
 */
export function drawProofs(needed: readonly string[], seed: number): { drawn: string[]; leftOut: string[] } {
  const tests = needed.filter((file) => file !== JOURNEYS);
  const below = seededInts(seed);
  const leftOut: string[] = [];
  while (tests.length > PROOFS_AT_ONCE) leftOut.push(...tests.splice(below(tests.length), 1));
  return { drawn: needed.filter((file) => !leftOut.includes(file)), leftOut: leftOut.sort() };
}

const isJourneys = (file: string) =>
  /^(?:(?:playwright|vite|postcss|remix)\.config\.\w+|tsconfig\.json|scripts\/(?:journey-|browser|chromium|start|bundle|build).*)$/.test(
    file,
  );

/** The suites that an everyday run leaves out, because the code that they test is unchanged. */
export function unchangedSuites(changes: Changes | null): string[] {
  return testFiles().filter((file) => SUITES.test(file) && !readsFolders(file) && !isTouched(file, changes));
}

/** Whether the test reads folders, so that its inputs may be anywhere. */
const readsFolders = (test: string) => /readdir|\bglob|\bwalk/.test(fs.readFileSync(test, 'utf8'));

function isTouched(test: string, changes: Changes | null): boolean {
  if (concernsAll(changes)) return true;
  const loaded = loadedFiles(test);
  return changes.files.some((file) => loaded.has(file) || isFixtureOf(test, file) || isSchemaOf(test, file));
}

/**
 * Whether the change touches the lock file, the runner's configuration, or a file that the runner loads for all tests.
 */
function concernsAll(changes: Changes | null): changes is null {
  if (changes === null) return true;
  const runner = reachableModules(RUNNER);
  return changes.files.some(
    (file) => file === 'package-lock.json' || FOR_ALL.includes(file) || runner.has(path.resolve(file)),
  );
}

/** Whether a test may read the file as a fixture, because it is in the test's folder. */
const isFixtureOf = (test: string, file: string) =>
  file.startsWith(`${path.dirname(test)}/`) && !/\.tsx?$/.test(file) && path.dirname(test) !== 'tests';

const isSchemaOf = (test: string, file: string) => file.startsWith(MIGRATIONS) && opensDatabase(test);

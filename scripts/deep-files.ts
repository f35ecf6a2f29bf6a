// Prints the test files whose full proofs a change needs: those with larger samples in a deep run, or named .deep., that
// load a changed file, or one beside it; and the folder of the journeys, of which `npm test` runs a sample, if the
// change touches the product.
// All of them if the base is unknown or if the change touches what every test depends on.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { reachableModules } from '../tests/support/static-imports';

const DEEP = path.resolve('tests/support/deep.ts');
const CONCERNS_ALL = /^(package(-lock)?\.json|[^/]*\.config\.ts|\.ci\/|scripts\/|tests\/support\/)/;
/** A landing may consist of a day's commits. */
const ONE_DAY_SECONDS = 24 * 3600;

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** CI_BASE, or the last commit on the main line that is a day older than HEAD. */
function findBase(): string {
  if (process.env.CI_BASE) return process.env.CI_BASE;
  const newest = Number(git('log', '-1', '--format=%ct'));
  return git('rev-list', '-1', '--first-parent', `--before=${newest - ONE_DAY_SECONDS}`, 'HEAD');
}

function changedFiles(): string[] | null {
  try {
    const base = findBase();
    return base ? git('diff', '--name-only', base, 'HEAD').split('\n').filter(Boolean) : null;
  } catch {
    return null;
  }
}

/** Files beside a loaded one count too: workers and lazy imports are not among the static imports. */
function isTouched(modules: Set<string>, changed: string[]): boolean {
  const folders = new Set([...modules].map((module) => path.dirname(path.relative('', module))));
  return changed.some((file) => modules.has(path.resolve(file)) || (isNested(file) && folders.has(path.dirname(file))));
}

const isNested = (file: string) => file.split('/').length > 2;

const IN_JOURNEYS = /^(app|server|db|jobs|locales|public|tests\/e2e)\//;

const changed = changedFiles();
const concernsAll = changed === null || changed.some((file) => CONCERNS_ALL.test(file));
for (const name of fs.readdirSync('tests', { recursive: true, encoding: 'utf8' }).sort()) {
  const file = path.join('tests', name);
  if (!/\.test\.tsx?$/.test(file)) continue;
  const modules = reachableModules(file);
  const isDeep = modules.has(DEEP) || name.includes('.deep.test.');
  if (isDeep && (concernsAll || isTouched(modules, changed))) console.log(file);
}
if (concernsAll || changed.some((file) => IN_JOURNEYS.test(file))) console.log('tests/e2e');

// The parts of `npm test`: how each one runs, and how its results are read.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { filesOf } from './test-report.mjs';
import { failedIn, playwrightResults, vitestResults } from './test-results.mjs';

const RESULTS = 'node_modules/.cache/tests';
const LAST_OUTPUT_MS = 2000;
export const JOURNEYS = 'tests/e2e';

/**
 * A part runs a command. `read` turns what it wrote into results by file; without it, the part itself is the test.
 * `again` is the command that repeats failed tests: their files alone, one after the other, in a new process each, with
 * new copies of the databases.
 * @typedef {{ command: string, env?: Record<string, string>, read?: (json: any, errors: any[]) => Map<string, any[]>,
 *   again?: (failed: { file: string, line?: number }[]) => string }} Part
 */

/** @param {{ files?: string[], leftOut?: string[], workers: number, flags?: string,
 *   node?: string, env?: Record<string, string> }} options all test files by default */
export function vitestPart(
  name,
  { project = name, files = [], leftOut = [], workers, flags = '', node = 'node', env },
) {
  const run = `${node} node_modules/vitest/vitest.mjs run --project ${project} --passWithNoTests --reporter=default --reporter=./scripts/unhandled-errors.mjs --reporter=json --outputFile.json=${RESULTS}/${name}.json`;
  const excluded = leftOut.map((file) => `--exclude ${file}`).join(' ');
  return {
    command: `${run} --maxWorkers ${workers} ${flags} ${excluded} ${files.join(' ')}`,
    env: { ...env, UNHANDLED_ERRORS: `${RESULTS}/${name}.errors.json` },
    read: vitestResults,
    again: (failed) => `${run} --maxWorkers 1 --isolate ${filesOf(failed).join(' ')}`,
  };
}

export const journeysPart = {
  command: 'node scripts/browser.mjs playwright test --reporter=list,json',
  env: { PLAYWRIGHT_JSON_OUTPUT_NAME: `${RESULTS}/journeys.json` },
  read: (json) => playwrightResults(json, JOURNEYS),
  again: (failed) =>
    `node scripts/browser.mjs playwright test --reporter=list,json --workers=1 ${failed.map(({ file, line }) => `${file}:${line}`).join(' ')}`,
};

export const lintPart = { command: 'biome check --error-on-warnings . && knip --no-progress' };
/** Several checkers would compute shared types several times, which is not faster beside the other parts. */
export const typesPart = { command: 'npm run --silent types -- --checkers 1' };
export const buildPart = { command: 'node scripts/build.mjs --if-stale' };

/**
 * Runs a part, or repeats its failed tests. It never rejects: a part that dies has failed.
 * @param {string} name
 * @param {Part} part
 * @returns the output, the seconds, the results by file, and failures outside of tests
 */
export async function runPart(name, part, failed = null) {
  fs.mkdirSync(RESULTS, { recursive: true });
  for (const file of [`${name}.json`, `${name}.errors.json`]) fs.rmSync(`${RESULTS}/${file}`, { force: true });
  const startedAt = Date.now();
  const { succeeded, output } = await execute(failed ? part.again(failed) : part.command, part.env);
  const json = part.read && readJson(`${RESULTS}/${name}.json`);
  const outside = readJson(`${RESULTS}/${name}.errors.json`) ?? [];
  const results = json ? part.read(json, outside) : new Map(part.read ? [] : [[name, [wholePart(name, succeeded)]]]);
  // a tool can fail without a failed test: it reported an error, or it died
  const isUnexplained = (!succeeded || (part.read && !json)) && failedIn(results).length === 0;
  // Playwright lists errors that belong to no test
  const others = [...outside.filter(({ file }) => !file), ...(json?.errors ?? [])];
  const faults = isUnexplained || others.length > 0 ? [`see the output of ${name}`] : [];
  return { name, output, seconds: (Date.now() - startedAt) / 1000, results, faults };
}

const wholePart = (name, succeeded) => ({ title: name, status: succeeded ? 'passed' : 'failed' });

function execute(command, env) {
  const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const PATH = `node_modules/.bin:${process.env.PATH}`;
  const child = spawn(command, {
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...colours, ...env, PATH },
  });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  return new Promise((resolve) => {
    child.once('exit', async (code) => {
      // a server that outlives its part may keep the output open
      await Promise.race([once(child, 'close'), sleep(LAST_OUTPUT_MS, undefined, { ref: false })]);
      resolve({ succeeded: code === 0, output: Buffer.concat(chunks).toString() });
    });
    child.once('error', (error) => resolve({ succeeded: false, output: String(error) }));
  });
}

/** Undefined if the part died before or while it wrote its results. */
function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

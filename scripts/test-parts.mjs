// The parts of `npm test`: how each one runs, and how its tests are counted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const RESULTS = 'node_modules/.cache/tests';
const LAST_OUTPUT_MS = 2000;

/** @param {{ folders: string[], workers: number }} options the test files to run, all if empty, in so many processes */
function vitest(project, { folders, workers }) {
  const files = folders.length > 0 ? `${folders.join(' ')} --passWithNoTests` : '';
  return {
    command: `vitest run ${files} --project ${project} --maxWorkers ${workers} --reporter=default --reporter=json --outputFile.json=${RESULTS}/${project}.json`,
    count: ({ numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests }) => ({
      passed: numPassedTests,
      // a file that cannot be loaded has no tests that could fail
      failed: numFailedTests || (numFailedTestSuites > 0 ? 1 : 0),
      skipped: numPendingTests,
    }),
    failures: ({ testResults }) =>
      testResults.flatMap(({ name, status, assertionResults }) => {
        const failed = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
        const titles = failed.length > 0 || status !== 'failed' ? failed : ['the file cannot be run'];
        return titles.map((title) => `${path.relative('', name)}: ${title}`);
      }),
    flaky: ({ testResults }) =>
      testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
          .map(({ fullName }) => `${path.relative('', name)}: ${fullName}`),
      ),
  };
}

/** @param {{ folders?: string[], workers: { unit: number, integration: number } }} options */
export function testParts({ folders = [], workers }) {
  return {
    lint: { command: 'biome check --error-on-warnings . && knip --no-progress' },
    // several checkers work out shared types several times, which is no faster beside the other parts
    types: { command: 'npm run --silent types -- --checkers 1' },
    unit: vitest('unit', { folders, workers: workers.unit }),
    integration: vitest('integration', { folders, workers: workers.integration }),
    build: { command: 'node scripts/build.mjs' },
    journeys: {
      command: 'node scripts/browser.mjs playwright test --reporter=list,json',
      env: { PLAYWRIGHT_JSON_OUTPUT_NAME: `${RESULTS}/journeys.json` },
      count: ({ stats }) => ({
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected,
        skipped: stats.skipped,
      }),
      failures: ({ suites }) => specsOf(suites, ({ ok }) => !ok),
      flaky: ({ suites }) => specsOf(suites, ({ tests }) => tests.some(({ status }) => status === 'flaky')),
    },
  };
}

/** The chosen journeys of all files, and of the groups in them. */
function specsOf(suites, isChosen) {
  return suites.flatMap(({ specs = [], suites: groups = [] }) => [
    ...specs.filter(isChosen).map(({ file, title }) => `tests/e2e/${file}: ${title}`),
    ...specsOf(groups, isChosen),
  ]);
}

/**
 * Runs a part and resolves with its output, seconds, counts, and the names of its failed tests and of those that passed
 * only when they were repeated. It never rejects: a part that dies has failed.
 */
export async function runPart(name, part) {
  fs.mkdirSync(RESULTS, { recursive: true });
  fs.rmSync(`${RESULTS}/${name}.json`, { force: true });
  const startedAt = Date.now();
  const { succeeded, output } = await execute(part.command, part.env);
  const result = part.count && readJson(`${RESULTS}/${name}.json`);
  const counts = countTests(part, result, succeeded);
  const named = result ? part.failures(result) : [];
  // a part can fail without a failed test: its tool reported an error, or it died
  const failures = counts.failed > 0 && named.length === 0 ? [`see the output of ${name}`] : named;
  const flaky = result ? part.flaky(result) : [];
  return { name, output, seconds: (Date.now() - startedAt) / 1000, ...counts, failures, flaky };
}

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

/** A part without tests counts as one test; a part that fails counts at least one failure. */
function countTests({ count }, result, succeeded) {
  if (!result) return { passed: succeeded && !count ? 1 : 0, failed: succeeded && !count ? 0 : 1, skipped: 0 };
  const counts = count(result);
  return succeeded || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

/** Undefined if the part died before it wrote its results, or while it did. */
function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

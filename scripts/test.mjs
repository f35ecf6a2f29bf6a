// `npm test`: every check there is, then one table. `npm test -- unit journeys` runs only those parts.
// `npm run test:deep`: unit and integration with their full proofs. `npm run test:deep -- tests/audio` runs only that folder.
import { spawn } from 'node:child_process';
import fs from 'node:fs';

const RESULTS = 'node_modules/.cache/tests';

const isDeep = process.argv[2] === '--deep';
const folders = isDeep ? process.argv.slice(3) : [];
if (isDeep) {
  process.env.DEEP = '1';
  process.env.DEEP_SEED ??= String(Math.floor(Math.random() * 2 ** 31));
  console.log(`DEEP_SEED=${process.env.DEEP_SEED} repeats this run`);
}

const vitest = (project) => ({
  command: `vitest run ${folders.join(' ')} --passWithNoTests --project ${project} --reporter=default --reporter=json --outputFile.json=${RESULTS}/${project}.json`,
  count: ({ numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests }) => ({
    passed: numPassedTests,
    // a file that can't even be loaded has no tests to fail
    failed: numFailedTests || (numFailedTestSuites > 0 ? 1 : 0),
    skipped: numPendingTests,
  }),
});

const PARTS = {
  lint: { command: 'biome check --error-on-warnings . && knip --no-progress' },
  types: { command: 'tsc --noEmit' },
  unit: vitest('unit'),
  integration: vitest('integration'),
  build: { command: 'npm run --silent build' },
  journeys: {
    command: 'node scripts/browser.mjs playwright test --reporter=list,json',
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: `${RESULTS}/journeys.json` },
    count: ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }),
  },
};

function execute(command, env) {
  const PATH = `node_modules/.bin:${process.env.PATH}`;
  const child = spawn(command, {
    shell: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env, PATH },
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)));
}

/** A part without tests of its own counts as one; a part that fails counts at least one failure. */
function countOf(name, { count }, succeeded) {
  const one = { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 };
  const file = `${RESULTS}/${name}.json`;
  if (!count || !fs.existsSync(file)) return one;
  const counted = count(JSON.parse(fs.readFileSync(file, 'utf8')));
  return succeeded || counted.failed > 0 ? counted : { ...counted, failed: 1 };
}

async function runPart(name) {
  console.log(`\n── ${name} ──`);
  fs.rmSync(`${RESULTS}/${name}.json`, { force: true });
  const began = Date.now();
  const succeeded = await execute(PARTS[name].command, PARTS[name].env);
  return { name, seconds: (Date.now() - began) / 1000, ...countOf(name, PARTS[name], succeeded) };
}

function row(name, passed, failed, skipped, seconds) {
  return [String(name).padEnd(12), ...[passed, failed, skipped, seconds].map((cell) => String(cell).padStart(9))].join(
    '',
  );
}

const chosen = isDeep ? ['unit', 'integration'] : process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(', ')} (there are ${Object.keys(PARTS).join(', ')})`);
  process.exit(1);
}
fs.mkdirSync(RESULTS, { recursive: true });
const results = [];
for (const name of chosen.length > 0 ? chosen : Object.keys(PARTS)) results.push(await runPart(name));

const sum = (key) => results.reduce((total, result) => total + result[key], 0);
console.log(`\n${row('', 'passed', 'failed', 'skipped', 'seconds')}`);
for (const { name, passed, failed, skipped, seconds } of results)
  console.log(row(name, passed, failed, skipped, seconds.toFixed(1)));
console.log(row('all', sum('passed'), sum('failed'), sum('skipped'), sum('seconds').toFixed(1)));
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') > 0 ? 1 : 0;

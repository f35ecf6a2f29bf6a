// `npm test`: every check, then one table. `npm test -- unit journeys` runs only those parts.
// `npm run test:deep`: unit, integration and journeys with their full proofs. `npm run test:deep -- tests/audio` runs
// only the unit and integration tests of that folder, and `-- tests/e2e` only the journeys.
import { runPart, testParts } from './test-parts.mjs';

/** Run side by side, so that the waits of journeys and integration leave no processor idle. */
const LANES = [['build', 'journeys'], ['integration'], ['lint', 'unit', 'types']];
/**
 * Of the lanes' vitest. One process loads each module once; integration waits for its database and timers, so it has
 * two.
 */
const WORKERS = { unit: 1, integration: 2 };
/** Full proofs measure time and memory, so one part runs after the other. */
const DEEP_LANES = [['unit', 'integration', 'build', 'journeys']];
const DEEP_WORKERS = { unit: 2, integration: 2 };
const JOURNEYS = 'tests/e2e';
const NOTICE_EVERY_MS = 30_000;

const isDeep = process.argv[2] === '--deep';
const folders = isDeep ? process.argv.slice(3) : [];
const parts = testParts({ folders, workers: isDeep ? DEEP_WORKERS : WORKERS });
const chosen = isDeep ? deepParts() : process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(', ')} (there are ${Object.keys(parts).join(', ')})`);
  process.exit(1);
}
if (isDeep) {
  // drawn once here, because each worker process would draw another
  process.env.DEEP = '1';
  process.env.DEEP_SEED ??= String(Math.floor(Math.random() * 2 ** 31));
  console.log(`DEEP_SEED=${process.env.DEEP_SEED} repeats this run`);
}

/** Those that the folders have tests of; all if no folder is given. */
function deepParts() {
  const hasJourneys = folders.length === 0 || folders.includes(JOURNEYS);
  const hasOthers = folders.length === 0 || folders.some((folder) => folder !== JOURNEYS);
  return [...(hasOthers ? ['unit', 'integration'] : []), ...(hasJourneys ? ['build', 'journeys'] : [])];
}

const running = new Map();
const results = [];

async function runLane(names) {
  for (const name of names) {
    running.set(name, Date.now());
    showRunning();
    const result = await runPart(name, parts[name]);
    running.delete(name);
    results.push(result);
    clearLine();
    console.log(`\n── ${name} (${result.seconds.toFixed(1)} s) ──\n${result.output.trimEnd()}`);
  }
}

/** One line that is rewritten in a terminal, and repeated now and then in a log. */
function showRunning() {
  if (running.size === 0) return;
  const seconds = (since) => Math.round((Date.now() - since) / 1000);
  const line = `running: ${[...running].map(([name, since]) => `${name} ${seconds(since)} s`).join(', ')}`;
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K${line}`);
  else console.log(line);
}

function clearLine() {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[2K');
}

function row(...cells) {
  const [name, ...numbers] = cells;
  return [String(name).padEnd(12), ...numbers.map((cell) => String(cell).padStart(9))].join('');
}

const oneLine = (title) => title.replace(/\s+/g, ' ');

function printTable(totalSeconds) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const ordered = Object.keys(parts).flatMap((name) => results.filter((result) => result.name === name));
  // just above the table, because a long log is often cut to its end
  console.log();
  for (const { name, failures, flaky } of ordered) {
    for (const test of flaky) console.log(`FLAKY ${name}: ${oneLine(test)}`);
    for (const test of failures) console.log(`FAILED ${name}: ${oneLine(test)}`);
  }
  console.log(`\n${row('', 'passed', 'failed', 'skipped', 'seconds')}`);
  for (const { name, passed, failed, skipped, seconds } of ordered)
    console.log(row(name, passed, failed, skipped, seconds.toFixed(1)));
  console.log(row('all', sum('passed'), sum('failed'), sum('skipped'), totalSeconds.toFixed(1)));
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') > 0 ? 1 : 0;
}

const startedAt = Date.now();
const notices = setInterval(showRunning, process.stdout.isTTY ? 1000 : NOTICE_EVERY_MS);
const lanes = isDeep ? DEEP_LANES : LANES;
await Promise.all(lanes.map((lane) => runLane(lane.filter((name) => chosen.length === 0 || chosen.includes(name)))));
clearInterval(notices);
printTable((Date.now() - startedAt) / 1000);

// `npm test`: every check, then one table. `npm test -- unit journeys` runs only those parts; `--all` adds the suites
// that are left out while their subjects have not changed. `npm run test:deep`: unit, integration and journeys with
// their full proofs. `-- tests/audio` runs only the unit and integration tests of that folder, `-- tests/e2e` only the
// journeys, and `-- --changed` those that a change needs.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { deepLanes, everydayLanes } from './test-lanes.mjs';
import { JOURNEYS, runPart } from './test-parts.mjs';
import { filesOf, printReport, summarize } from './test-report.mjs';

const NOTICE_EVERY_MS = 30_000;
/** More failed files have a common cause, which a second run would only hide. */
const MAX_REPEATED_FILES = 8;

const args = process.argv.slice(2);
const isDeep = args.includes('--deep');
// unit, journeys …, or files and folders of full proofs
const names = args.filter((arg) => !arg.startsWith('--'));
const quarantine = JSON.parse(fs.readFileSync('tests/quarantine.json', 'utf8'));

const lanes = isDeep ? fullProofs() : everydayLanes({ chosen: names, leftOut: leftOut() });
if (isDeep) {
  // drawn once here, because each worker process would draw a different one
  process.env.DEEP = '1';
  process.env.DEEP_SEED ??= String(Math.floor(Math.random() * 2 ** 31));
  console.log(`DEEP_SEED=${process.env.DEEP_SEED} repeats this run`);
}

function fullProofs() {
  const files = args.includes('--changed') ? selectFiles('full-proofs') : names;
  if (args.includes('--changed')) console.log(`Full proofs: ${files.join(' ') || 'none'}`);
  return deepLanes({ files, hasFiles: files.length > 0 || !args.includes('--changed') });
}

/** With --before-proofs, also leaves out suites of which `npm run test:deep -- --changed` runs larger samples. */
function leftOut() {
  if (args.includes('--all')) return [];
  const suites = selectFiles('unchanged-suites');
  if (suites.length > 0) console.log(`Left out: ${suites.length} unchanged suites (\`npm test -- --all\` runs them)`);
  if (!args.includes('--before-proofs')) return suites;
  const proofs = selectFiles('full-proofs');
  console.log(`Left to the full proofs: ${proofs.length} files`);
  return [...suites, ...proofs];
}

/** Returns the files that the selection prints. If it fails, nothing is left out, and all proofs run. */
function selectFiles(what) {
  const command = ['--import', 'tsx', 'tests/selection/print.ts', what];
  const { status, stdout } = spawnSync(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) return what === 'full-proofs' ? ['tests', 'packages', JOURNEYS] : [];
  return String(stdout).split('\n').filter(Boolean);
}

const running = new Map();
const runs = [];

async function runLane(parts) {
  for (const [name, part] of parts) runs.push({ part, ...(await runShown(name, part)) });
}

async function runShown(name, part, failed = null) {
  const label = failed ? `${name} again` : name;
  running.set(label, Date.now());
  showRunning();
  const run = await runPart(name, part, failed);
  running.delete(label);
  clearLine();
  console.log(`\n── ${label} (${run.seconds.toFixed(1)} s) ──\n${run.output.trimEnd()}`);
  return run;
}

/**
 * Runs the failed files once more after everything else has ended: under the same load, and with the remains of its
 * first attempt, a test would fail again. See docs/decisions/0120-failed-tests-are-repeated-once.md.
 */
async function repeatFailed() {
  const failed = runs.map((run) => ({ run, tests: summarize(run, quarantine).failed.filter(({ file }) => file) }));
  if (failed.flatMap(({ tests }) => filesOf(tests)).length > MAX_REPEATED_FILES) return;
  for (const { run, tests } of failed)
    if (tests.length > 0 && run.part.again) run.second = await runShown(run.name, run.part, tests);
}

/** One line that is rewritten in a terminal, and repeated regularly in a log. */
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

const startedAt = Date.now();
const notices = setInterval(showRunning, process.stdout.isTTY ? 1000 : NOTICE_EVERY_MS);
for (const sideBySide of lanes) await Promise.all(sideBySide.map(runLane));
await repeatFailed();
clearInterval(notices);
const order = lanes.flat(2).map(([name]) => name);
const summaries = order.map((name) =>
  summarize(
    runs.find((run) => run.name === name),
    quarantine,
  ),
);
const failed = printReport(summaries, (Date.now() - startedAt) / 1000);
const isEmpty = isDeep && names.length > 0 && summaries.every(({ passed }) => passed === 0);
if (isEmpty) console.error(`no test in ${names.join(', ')}`);
process.exitCode = failed > 0 || isEmpty ? 1 : 0;

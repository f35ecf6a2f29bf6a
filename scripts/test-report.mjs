// The end of a test run: the names of tests that failed or are flaky, then one table, then one line of counts.
import { applyQuarantine, countTests, failedIn, mergeRuns } from './test-results.mjs';

export const filesOf = (tests) => [...new Set(tests.map(({ file }) => file))];

/**
 * @typedef {import('./test-results.mjs').Results} Results
 * @typedef {{ file?: string, title: string, status?: string }} Listed without a file, it is the part itself
 * @typedef {{ name: string, seconds: number, passed: number, failed: Listed[], skipped: number, flaky: Listed[],
 *   quarantined: Listed[] }} Summary
 * @typedef {{ results: Results, faults: string[], seconds: number }} Run
 */

/**
 * The summary of a part's run, and of its second run if there is one.
 * @param {Run & { name: string, second?: Run }} run
 * @returns {Summary}
 */
export function summarize({ name, seconds, results, faults, second }, quarantine) {
  const merged = second ? mergeRuns(results, second.results) : { results, flaky: [] };
  const { counted, quarantined } = applyQuarantine(merged.results, quarantine);
  const { passed, skipped } = countTests(counted);
  const whole = [...faults, ...(second?.faults ?? [])].map((title) => ({ title }));
  const failed = [...failedIn(counted).map((test) => withoutPart(test, name)), ...whole];
  return { name, seconds: seconds + (second?.seconds ?? 0), passed, failed, skipped, flaky: merged.flaky, quarantined };
}

/** A part that is not a test runner is its own only test. */
const withoutPart = ({ file, ...test }, name) =>
  file === name ? { title: `see the output of ${name}` } : { ...test, file };

/**
 * Prints the report.
 * @param {Summary[]} summaries
 * @returns {number} how many tests failed
 */
export function printReport(summaries, totalSeconds) {
  const sum = (counts) => counts.reduce((total, count) => total + count, 0);
  // just above the table, because a long log is often cut to its end
  console.log();
  for (const { name, failed, flaky, quarantined } of summaries) {
    for (const test of quarantined) console.log(`QUARANTINED ${name}: ${describe(test)} (${test.status})`);
    for (const test of flaky) console.log(`FLAKY ${name}: ${describe(test)}`);
    for (const test of failed) console.log(`FAILED ${name}: ${describe(test)}`);
  }
  console.log(`\n${row('', 'passed', 'failed', 'skipped', 'seconds')}`);
  for (const { name, passed, failed, skipped, seconds } of summaries)
    console.log(row(name, passed, failed.length, skipped, seconds.toFixed(1)));
  const passed = sum(summaries.map((part) => part.passed));
  const failed = sum(summaries.map((part) => part.failed.length));
  console.log(row('all', passed, failed, sum(summaries.map((part) => part.skipped)), totalSeconds.toFixed(1)));
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed;
}

const describe = ({ file, title }) => `${file ? `${file}: ` : ''}${title}`.replace(/\s+/g, ' ');

function row(name, ...cells) {
  return [String(name).padEnd(18), ...cells.map((cell) => String(cell).padStart(9))].join('');
}

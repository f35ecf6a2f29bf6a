// The results of test runners, file by file, and how a second run of the failed files and the list of quarantined tests
// change them.
import path from 'node:path';

/**
 * @typedef {{ title: string, status: 'passed' | 'failed' | 'skipped', line?: number }} Test
 * @typedef {Map<string, Test[]>} Results by file, relative to the repository
 * @typedef {{ file: string, title: string }} Named
 */

const UNLOADED = 'the file cannot be run';

/**
 * The results in vitest's JSON. A file that cannot be loaded counts as one failed test, and so does each error that
 * none of its tests threw. A test that did not run because its process died has failed.
 * @param {{ testResults: any[] }} json
 * @param {{ message: string, file: string | null }[]} errors
 * @returns {Results}
 */
export function vitestResults({ testResults }, errors = []) {
  const results = new Map(
    testResults.map(({ name, status, assertionResults }) => {
      const tests = assertionResults.map(({ fullName, status }) => ({ title: fullName, status: simple(status) }));
      const hasFailed = tests.some((test) => test.status === 'failed');
      const unloaded = status === 'failed' && !hasFailed ? [{ title: UNLOADED, status: 'failed' }] : [];
      return [path.relative('', name), [...tests, ...unloaded]];
    }),
  );
  for (const { message, file } of errors.filter(({ file }) => file !== null))
    results.set(file, [...(results.get(file) ?? []), { title: OUTSIDE + message, status: 'failed' }]);
  return results;
}

/** 'skipped' and 'todo' are intended; 'pending' is a test whose turn never came. */
const simple = (status) =>
  status === 'passed' ? status : /^(?:skipped|todo|disabled)$/.test(status) ? 'skipped' : 'failed';

/** @returns {Results} the results in Playwright's JSON; a title begins with the titles of its groups */
export function playwrightResults({ suites }, folder) {
  const results = new Map();
  for (const { file, title, line, ok, tests } of specsOf(suites)) {
    const name = `${folder}/${file}`;
    const isSkipped = tests.every(({ status }) => status === 'skipped');
    const test = { title, line, status: isSkipped ? 'skipped' : ok ? 'passed' : 'failed' };
    results.set(name, [...(results.get(name) ?? []), test]);
  }
  return results;
}

const specsOf = (suites, inFile = false) =>
  suites.flatMap(({ title, specs = [], suites: groups = [] }) =>
    [...specs, ...specsOf(groups, true)].map((spec) =>
      inFile ? { ...spec, title: `${title} › ${spec.title}` } : spec,
    ),
  );

/** @returns {Named[]} */
export const failedIn = (results) =>
  [...results].flatMap(([file, tests]) =>
    tests.filter(({ status }) => status === 'failed').map((test) => ({ ...test, file })),
  );

/**
 * The results after the failed files have run once more: a test that passes then is flaky, and counts as passed.
 * @param {Results} first
 * @param {Results} second of failed files only; one that is missing there has failed again
 * @returns {{ results: Results, flaky: Named[] }}
 */
export function mergeRuns(first, second) {
  const results = new Map(first);
  for (const [file, tests] of second) results.set(file, mergeTests(first.get(file) ?? [], tests));
  const stillFailed = new Set(failedIn(results).map(keyOf));
  const flaky = failedIn(first).filter((test) => !stillFailed.has(keyOf(test)));
  return { results, flaky };
}

/** An error outside of tests counts for the whole file, which has run again. */
const OUTSIDE = 'an error outside of tests: ';

/** Also includes tests of only one run: a run of single journeys leaves out the file's other journeys. */
function mergeTests(former, tests) {
  const repeated = new Set(tests.map(({ title }) => title));
  const isOfFile = (title) => title === UNLOADED || title.startsWith(OUTSIDE);
  const isReplaced = ({ title }) => repeated.has(title) || (isOfFile(title) && tests.length > 0);
  return [...former.filter((test) => !isReplaced(test)), ...tests];
}

const keyOf = ({ file, title }) => `${file}: ${title}`;

/**
 * Takes quarantined tests out of the results. They have run, and are listed, but don't count.
 * @param {Results} results
 * @param {Named[]} quarantine
 * @returns {{ counted: Results, quarantined: (Test & Named)[] }}
 */
export function applyQuarantine(results, quarantine) {
  const listed = new Set(quarantine.map(keyOf));
  const isListed = (file, { title }) => listed.has(keyOf({ file, title }));
  const counted = new Map([...results].map(([file, tests]) => [file, tests.filter((test) => !isListed(file, test))]));
  const quarantined = [...results].flatMap(([file, tests]) =>
    tests.filter((test) => isListed(file, test)).map((test) => ({ ...test, file })),
  );
  return { counted, quarantined };
}

/** @returns {{ passed: number, failed: number, skipped: number }} */
export function countTests(results) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const tests of results.values()) for (const { status } of tests) counts[status] += 1;
  return counts;
}

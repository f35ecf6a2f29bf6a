import { expect, test } from 'vitest';
import { printReport, summarize } from '~/scripts/test-report.mjs';
import { applyQuarantine, countTests, mergeRuns, playwrightResults, vitestResults } from '~/scripts/test-results.mjs';

const passed = (title: string) => ({ title, status: 'passed' as const });
const failed = (title: string) => ({ title, status: 'failed' as const });
const run = (over = {}) => ({ name: 'unit', seconds: 1, results: new Map(), faults: [], ...over });

test('a test that fails once and passes alone is flaky, and counts as passed', () => {
  const { results, flaky } = mergeRuns(
    new Map([
      ['a', [passed('one'), failed('two')]],
      ['b', [passed('three')]],
    ]),
    new Map([['a', [passed('one'), passed('two')]]]),
  );

  expect(countTests(results)).toEqual({ passed: 3, failed: 0, skipped: 0 });
  expect(flaky).toEqual([{ file: 'a', title: 'two', status: 'failed' }]);
});

test('a test that fails again has failed, and so has another of its file that fails only then', () => {
  const first = new Map([['a', [passed('one'), failed('two')]]]);

  const { results, flaky } = mergeRuns(first, new Map([['a', [failed('one'), failed('two')]]]));

  expect(countTests(results)).toEqual({ passed: 0, failed: 2, skipped: 0 });
  expect(flaky).toEqual([]);
});

test('a second run that died leaves the failures of the first', () => {
  const second = { results: new Map(), faults: ['see the output of unit'], seconds: 1 };

  const summary = summarize(run({ results: new Map([['a', [failed('one')]]]), second }), []);

  expect(summary.failed.map(({ title }) => title)).toEqual(['one', 'see the output of unit']);
});

test('a file that could not be loaded and passes alone is flaky', () => {
  const json = { testResults: [{ name: 'a', status: 'failed', assertionResults: [] }] };

  const { results, flaky } = mergeRuns(vitestResults(json), new Map([['a', [passed('one')]]]));

  expect(countTests(results)).toEqual({ passed: 1, failed: 0, skipped: 0 });
  expect(flaky).toMatchObject([{ file: 'a', title: 'the file cannot be run' }]);
});

test('a repeated journey keeps the others of its file', () => {
  const spec = (title: string, ok: boolean) => ({
    file: 'x.spec.ts',
    title,
    line: 7,
    ok,
    tests: [{ status: 'expected' }],
  });
  const file = (specs: object[], suites: object[] = []) => ({ suites: [{ title: 'x.spec.ts', specs, suites }] });
  const group = { title: 'without JavaScript', specs: [spec('two', true)] };
  const first = playwrightResults(file([spec('one', true), spec('two', false)], [group]), 'e2e');
  const second = playwrightResults(file([spec('two', true)]), 'e2e');

  const { results } = mergeRuns(first, second);

  expect(first.get('e2e/x.spec.ts')?.[1]).toMatchObject({ status: 'failed', line: 7 });
  expect(first.get('e2e/x.spec.ts')?.[2]?.title).toBe('without JavaScript › two');
  expect(countTests(results)).toEqual({ passed: 3, failed: 0, skipped: 0 });
});

test('quarantined tests are listed and do not count, whether they pass or fail', () => {
  const results = new Map([['a', [passed('one'), failed('two'), passed('three')]]]);
  const quarantine = [
    { file: 'a', title: 'two' },
    { file: 'a', title: 'three' },
    { file: 'b', title: 'one' },
  ];

  const { counted, quarantined } = applyQuarantine(results, quarantine);
  const summary = summarize(run({ results }), quarantine);

  expect(countTests(counted)).toEqual({ passed: 1, failed: 0, skipped: 0 });
  expect(quarantined).toEqual([
    { ...failed('two'), file: 'a' },
    { ...passed('three'), file: 'a' },
  ]);
  expect(summary).toMatchObject({ passed: 1, failed: [], quarantined });
});

test('a runner that dies without a failed test is a failure', () => {
  const lint = run({ name: 'lint', results: new Map([['lint', [failed('lint')]]]) });

  expect(summarize(lint, []).failed).toMatchObject([{ title: 'see the output of lint' }]);
  expect(summarize(run({ faults: ['see the output of unit'] }), []).failed).toHaveLength(1);
});

test('the report ends with the names, the table and the counts', async () => {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line = '') => lines.push(...String(line).split('\n'));
  const second = { results: new Map([['a', [passed('one'), failed('two')]]]), faults: [], seconds: 2 };
  const results = new Map([['a', [failed('one'), failed('two')]]]);

  const count = printReport([summarize(run({ results, second }), [])], 3);

  console.log = log;
  expect(count).toBe(1);
  expect(lines).toContain('FLAKY unit: a: one');
  expect(lines).toContain('FAILED unit: a: two');
  expect(lines.at(-1)).toBe('1 passed, 1 failed');
});

test('an error that no test threw fails its file, and a test whose process died has failed', () => {
  const died = { fullName: 'two', status: 'pending' };
  const json = {
    testResults: [{ name: 'a', status: 'passed', assertionResults: [{ fullName: 'one', status: 'passed' }, died] }],
  };
  const errors = [
    { message: 'late', file: 'a' },
    { message: 'nowhere', file: null },
  ];

  const results = vitestResults(json, errors);
  const alone = mergeRuns(results, new Map([['a', [passed('one'), passed('two')]]]));

  expect(results.get('a')).toEqual([passed('one'), failed('two'), failed('an error outside of tests: late')]);
  expect(countTests(alone.results)).toEqual({ passed: 2, failed: 0, skipped: 0 });
  expect(alone.flaky).toHaveLength(2);
});

import { expect, test } from 'vitest';
import { sources } from './support/sources';

const SELF = 'tests/test-files.test.ts';
const tests = sources.filter(({ file }) => file.startsWith('tests/') && file !== SELF);
/** The tests of every run, and what they load. */
const everyday = tests.filter(({ file }) => !file.includes('.deep.test.'));

const CLOCK =
  /\bperformance\.now\b|\bhrtime\b|\b(?:cpu|resource|memory)Usage\b|\bDate\.now\(\) - [a-z]|- Date\.now\(\)/;
/** Lower bounds, which hold on any machine, and clocks that no test compares. */
const MAY_READ_CLOCKS: Record<string, string> = {
  'tests/adapters/feed-fetcher/fetcher.test.ts': 'a pause takes at least as long as it should',
  'tests/adapters/feed-fetcher/resumed.test.ts': 'a pause takes at least as long as it should',
  'tests/db/pool.test.ts': 'blocks the process for a while',
  'tests/e2e/accounts.spec.ts': 'prints how long signing up takes',
  'tests/support/costs.ts': 'measures for deep tests',
};

test('everyday tests read no clock and no memory: those figures measure the machine', () => {
  const found = everyday.filter(({ text }) => CLOCK.test(text)).map(({ file }) => file);
  const measuring = everyday.filter(
    ({ imports, text }) => imports.some(({ target }) => target.endsWith('support/costs')) && !/\bisDeep\b/.test(text),
  );

  expect(found, 'assert the mechanism; measure costs in a deep test').toEqual(Object.keys(MAY_READ_CLOCKS));
  expect(measuring.map(({ file }) => file)).toEqual([]);
});

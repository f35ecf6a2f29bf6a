import fs from 'node:fs';
import { expect, test } from 'vitest';
import { read } from '../support/feed-reading';
import { summarize } from '../support/feed-summary';
import { ODDITIES } from './oddities';

const GOLDEN = 'tests/feed/oddities.json';
const golden = JSON.parse(fs.readFileSync(GOLDEN, 'utf8')) as Record<string, unknown>;

const summaryOf = ([oddity, source, contentType]: (typeof ODDITIES)[number]): [string, unknown] => [
  oddity,
  summarize(read(source, contentType)),
];

// written anew by hand only, as samples.json is
if (process.env.UPDATE_SAMPLES === '1')
  fs.writeFileSync(GOLDEN, `${JSON.stringify(Object.fromEntries(ODDITIES.map(summaryOf)), null, 2)}\n`);

test.each(ODDITIES)('%s: what came in, what was repaired and what was lost', (...oddity) => {
  const [name, summary] = summaryOf(oddity);

  expect(summary).toEqual(golden[name]);
});

test('there are sixty and more, each with a name and a summary of its own', () => {
  const names = ODDITIES.map(([name]) => name);

  expect(names.length).toBeGreaterThanOrEqual(60);
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(golden)).toEqual(names);
});

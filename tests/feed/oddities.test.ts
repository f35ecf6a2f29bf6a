import fs from 'node:fs';
import { expect, test } from 'vitest';
import { parseSource } from '../support/feed-reading';
import { summarize } from '../support/feed-summary';
import { ODDITIES } from './oddities';

const GOLDEN = 'tests/feed/oddities.json';
const golden = JSON.parse(fs.readFileSync(GOLDEN, 'utf8')) as Record<string, unknown>;

const summaryOf = ([oddity, source, contentType]: (typeof ODDITIES)[number]): [string, unknown] => [
  oddity,
  summarize(parseSource(source, contentType)),
];

// rewritten only on request, like samples.json
if (process.env.UPDATE_SAMPLES === '1')
  fs.writeFileSync(GOLDEN, `${JSON.stringify(Object.fromEntries(ODDITIES.map(summaryOf)), null, 2)}\n`);

test.each(ODDITIES)('%s: content, repairs and losses are as checked by hand', (...oddity) => {
  const [name, summary] = summaryOf(oddity);

  expect(summary).toEqual(golden[name]);
});

test('there are at least sixty oddities, each with its own name and summary', () => {
  const names = ODDITIES.map(([name]) => name);

  expect(names.length).toBeGreaterThanOrEqual(60);
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(golden)).toEqual(names);
});

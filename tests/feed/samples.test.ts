import fs from 'node:fs';
import { expect, test } from 'vitest';
import { BASE, hasForeignSamples, isComplete, readSample, readSamples, sampleFiles } from '~/benchmarks/sample-feeds';
import { parseFeed } from '~/server/feed/reader/parse';
import { summarize } from '../support/feed-summary';

const GOLDEN = 'tests/feed/samples.json';
const files = sampleFiles();
const golden = JSON.parse(fs.readFileSync(GOLDEN, 'utf8')) as Record<string, unknown>;

const summaryOf = (file: string) => {
  const bytes = readSample(file);
  return JSON.parse(JSON.stringify(summarize(parseFeed({ bytes, url: `https://feeds.example/${file}` }))));
};

// rewritten only with UPDATE_SAMPLES=1; check every difference by hand
if (process.env.UPDATE_SAMPLES === '1' && hasForeignSamples)
  fs.writeFileSync(
    GOLDEN,
    `${JSON.stringify(Object.fromEntries(files.map((file) => [file, summaryOf(file)])), null, 2)}\n`,
  );

test.each(files)('%s reads as checked by hand', (file) => {
  expect(summaryOf(file)).toEqual(golden[file]);
});

test('every sample has a summary', () => {
  const summarized = Object.keys(golden).filter((file) => hasForeignSamples || file.startsWith('own-'));

  expect(files.toSorted()).toEqual(summarized.toSorted());
});

const samples = readSamples();

test.each(samples)('every playable item in $file is read', (sample) => {
  const { feed } = parseFeed({ bytes: sample.bytes, url: BASE });

  const items = feed!.episodes.map(({ title, audio }) => ({ title, urls: [audio.url] }));
  expect(isComplete({ title: feed!.title, items }, sample.expected)).toBe(true);
  // the search notices a missing item
  if (items.length > 0) expect(isComplete({ title: feed!.title, items: items.slice(1) }, sample.expected)).toBe(false);
});

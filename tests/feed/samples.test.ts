import fs from 'node:fs';
import { expect, test } from 'vitest';
import { BASE, isComplete, readSample, readSamples, sampleFiles } from '~/benchmarks/sample-feeds';
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
if (process.env.UPDATE_SAMPLES === '1' && files.length > 0)
  fs.writeFileSync(
    GOLDEN,
    `${JSON.stringify(Object.fromEntries(files.map((file) => [file, summaryOf(file)])), null, 2)}\n`,
  );

test.skipIf(files.length === 0).each(files)('%s reads as checked by hand', (file) => {
  expect(summaryOf(file)).toEqual(golden[file]);
});

test.skipIf(files.length === 0)('every sample has a summary', () => {
  expect(files.toSorted()).toEqual(Object.keys(golden).toSorted());
});

const samples = readSamples();

test.skipIf(samples.length === 0).each(samples)('every playable item in $file is read', (sample) => {
  const { feed } = parseFeed({ bytes: sample.bytes, url: BASE });

  const items = feed!.episodes.map(({ title, audio }) => ({ title, urls: [audio.url] }));
  expect(isComplete({ title: feed!.title, items }, sample.expected)).toBe(true);
  // the search notices a missing item
  if (items.length > 0) expect(isComplete({ title: feed!.title, items: items.slice(1) }, sample.expected)).toBe(false);
});

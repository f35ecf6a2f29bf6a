import { expect, test } from 'vitest';
import { readSample, sampleFiles } from '~/benchmarks/sample-feeds';
import { parseFeed } from '~/server/feed/reader/parse';
import { writeFeed } from '~/server/feed/writer/write-feed';
import { startMeter, usedMegabytes } from '../support/costs';
import { deepSeed, deepTimes, isDeep } from '../support/deep';
import { sampleEpisode, sampleFeed } from '../support/feed-samples';
import { mutate } from '../support/mutations';
import { seededInts } from '../support/seeded-ints';
import { ODDITIES } from './oddities';

const RUNS = isDeep ? 10_000 * deepTimes : 1000;
/**
 * A normal run mutates samples of more bytes than this only once in RARELY runs, because they take most of the time.
 */
const LARGE = 50_000;
const RARELY = 50;
/** The limit in units of tests/support/costs.ts. */
const MAX_COST = 100;
const MAX_MEGABYTES = 600;

const samples = sampleFiles().map(readSample);
const own = [
  writeFeed(sampleFeed({ episodes: [sampleEpisode({ type: 'trailer' }), sampleEpisode({ guid: 'b' })] })),
  ...ODDITIES.map(([, source]) => Buffer.from(source)),
];
const sources = [...samples, ...own].filter(({ length }) => length > 0);
const large = sources.filter(({ length }) => length > LARGE);
const small = sources.filter(({ length }) => length <= LARGE);

function sourceOf(run: number): Buffer {
  if (isDeep) return sources[run % sources.length]!;
  if (large.length > 0 && run % RARELY === 0) return large[(run / RARELY) % large.length]!;
  return small[run % small.length]!;
}

test(`${RUNS} mutated feeds cause no exception, no long parse and no unbounded memory`, {
  timeout: 3_000_000,
}, () => {
  const pick = seededInts(deepSeed());
  const before = usedMegabytes();
  let [slowest, grown, feeds] = [0, 0, 0];
  for (let run = 0; run < RUNS; run++) {
    const bytes = mutate(sourceOf(run), pick);
    const cost = startMeter();
    const { feed } = parseFeed({ bytes, contentType: 'text/xml', url: 'https://a.example/feed' });
    slowest = Math.max(slowest, cost());
    if (feed) feeds += 1;
    if (run % 100 === 0) grown = Math.max(grown, usedMegabytes() - before);
  }

  expect(feeds).toBeGreaterThan(RUNS / 2);
  if (!isDeep) return;
  console.info(`${RUNS} mutations: slowest ${slowest.toFixed(0)} units, ${grown.toFixed(0)} MB, ${feeds} still feeds`);
  expect(slowest).toBeLessThan(MAX_COST);
  expect(grown).toBeLessThan(MAX_MEGABYTES);
});

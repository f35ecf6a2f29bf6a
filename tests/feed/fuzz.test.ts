import { expect, test } from 'vitest';
import { readSample, sampleFiles } from '~/benchmarks/sample-feeds';
import { parseFeed } from '~/server/feed/reader/parse';
import { writeFeed } from '~/server/feed/writer/write-feed';
import { deepSeed, isDeep } from '../support/deep';
import { sampleEpisode, sampleFeed } from '../support/feed-samples';
import { mutate } from '../support/mutations';
import { seededInts } from '../support/seeded-ints';
import { ODDITIES } from './oddities';

const RUNS = isDeep ? 50_000 : 1000;
/**
 * A normal run mutates samples of more bytes than this only once in RARELY runs, because they take most of the time.
 */
const LARGE = 50_000;
const RARELY = 50;
/** CPU time, so load from other processes does not count. */
const MAX_MS = 1000;
const MAX_HEAP = 600_000_000;

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

test(`${RUNS} mutated feeds cause no exception, no parse over a second and no unbounded memory`, {
  timeout: 3_000_000,
}, () => {
  const pick = seededInts(deepSeed());
  const before = process.memoryUsage().heapUsed;
  let [slowest, heap, feeds] = [0, 0, 0];
  for (let run = 0; run < RUNS; run++) {
    const bytes = mutate(sourceOf(run), pick);
    const start = process.cpuUsage();
    const { feed } = parseFeed({ bytes, contentType: 'text/xml', url: 'https://a.example/feed' });
    const { user, system } = process.cpuUsage(start);
    slowest = Math.max(slowest, (user + system) / 1000);
    if (feed) feeds += 1;
    if (run % 100 === 0) heap = Math.max(heap, process.memoryUsage().heapUsed - before);
  }

  const heapMegabytes = (heap / 1e6).toFixed(0);
  console.info(`${RUNS} mutations: slowest ${slowest.toFixed(0)} ms, heap ${heapMegabytes} MB, ${feeds} still feeds`);
  expect(slowest).toBeLessThan(MAX_MS);
  expect(heap).toBeLessThan(MAX_HEAP);
  expect(feeds).toBeGreaterThan(RUNS / 2);
});

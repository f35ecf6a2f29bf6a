import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseFeed } from '~/server/feed/reader/parse';
import { writeFeed } from '~/server/feed/writer/write-feed';
import { sampleEpisode, sampleFeed } from '../support/feed-samples';
import { mutate } from '../support/mutations';
import { numbers } from '../support/numbers';
import { ODDITIES } from './oddities';

const FOLDER = path.resolve('../shared/feeds');
/** `FEED_TRIALS=full`: all samples alike. Else the few large ones come seldom, since time goes by bytes. */
const FULL = process.env.FEED_TRIALS === 'full';
const RUNS = 50_000;
const LARGE = 50_000;
const SELDOM = 50;
/** Of the processor's time: what others on the machine do is none of the reader's. */
const MOST_MS = 1000;
const MOST_HEAP = 600_000_000;

const samples = fs.existsSync(FOLDER)
  ? fs
      .readdirSync(FOLDER)
      .filter((file) => /\.(?:xml|rss)$/.test(file))
      .map((file) => fs.readFileSync(path.join(FOLDER, file)))
  : [];
const own = [
  writeFeed(sampleFeed({ episodes: [sampleEpisode({ type: 'trailer' }), sampleEpisode({ guid: 'b' })] })),
  ...ODDITIES.map(([, source]) => Buffer.from(source)),
];
const sources = [...samples, ...own].filter(({ length }) => length > 0);
const large = sources.filter(({ length }) => length > LARGE);
const small = sources.filter(({ length }) => length <= LARGE);

function sourceOf(run: number): Buffer {
  if (FULL) return sources[run % sources.length]!;
  if (large.length > 0 && run % SELDOM === 0) return large[(run / SELDOM) % large.length]!;
  return small[run % small.length]!;
}

test(`${RUNS} mutations of ${sources.length} feeds: no exception, none over a second, bounded memory`, {
  timeout: 3_000_000,
}, () => {
  const pick = numbers(20_261);
  let [slowest, heap, feeds] = [0, 0, 0];
  for (let run = 0; run < RUNS; run++) {
    const bytes = mutate(sourceOf(run), pick);
    const began = process.cpuUsage();
    const { feed } = parseFeed({ bytes, contentType: 'text/xml', url: 'https://a.example/feed' });
    const { user, system } = process.cpuUsage(began);
    slowest = Math.max(slowest, (user + system) / 1000);
    if (feed) feeds += 1;
    if (run % 100 === 0) heap = Math.max(heap, process.memoryUsage().heapUsed);
  }

  console.info(
    `${RUNS} mutations: slowest ${slowest.toFixed(0)} ms, heap ${(heap / 1e6).toFixed(0)} MB, ${feeds} still feeds`,
  );
  expect(slowest).toBeLessThan(MOST_MS);
  expect(heap).toBeLessThan(MOST_HEAP);
  expect(feeds).toBeGreaterThan(RUNS / 2);
});

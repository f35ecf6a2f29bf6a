import { parseFeed as parseWithFeedsmith } from 'feedsmith';
import Parser from 'rss-parser';
import { SaxesParser } from 'saxes';
import { readTree } from '~/server/feed/markup/tree';
import type { FeedDocument } from '~/server/feed/model';
import { parseFeed } from '~/server/feed/reader/parse';
import { streamFeed, writeFeed } from '~/server/feed/writer/write-feed';
import { bufferFeed } from '~/server/http/caches/buffer-feed';
import { FEED_LIMITS } from '~/server/limits/feeds';
import { longFeed } from './long-feed';
import { BASE, type FeedContents, isComplete, readSamples, type Sample } from './sample-feeds';
import { type BenchmarkRow, kilobytes, median, megabytes, milliseconds } from './table';

const ROUNDS = 5;
/** Rounds before the measurement starts. */
const WARM_UP_ROUNDS = 2;
const WRITE_GOAL_MS = 10;

/** `read` includes decoding the bytes, as our reader does. */
type Reader = {
  name: string;
  read(sample: Pick<Sample, 'bytes' | 'decode'>): unknown;
  toContents(read: unknown): FeedContents;
};
type Measurement = { ms: number; best: number; heap: number };

const READERS: Reader[] = [
  { name: 'ours', read: ({ bytes }) => parseFeed({ bytes, url: BASE }), toContents: ourContents },
  { name: 'feedsmith', read: ({ decode }) => parseWithFeedsmith(decode()), toContents: feedsmithContents },
  { name: 'rss-parser', read: ({ decode }) => new Parser().parseString(decode()), toContents: rssParserContents },
];

/** Writes and reads feeds of 1,000 and 10,000 episodes, and reads every sample feed, with three readers. */
export async function run(): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const episodes of [1000, 10_000]) {
    const feed = longFeed(episodes);
    const document = writeFeed(feed);
    rows.push(await measureWriting(feed, document.length, episodes));
    if (document.length > FEED_LIMITS.plainBytes) rows.push(await measureStreaming(feed));
    for (const reader of READERS) rows.push(await measureReading(reader, document, episodes));
    if (episodes === 1000) rows.push(...(await measureScanning(document)));
  }
  return [...rows, ...(await measureSamples())];
}

async function measureWriting(feed: FeedDocument, bytes: number, episodes: number): Promise<BenchmarkRow> {
  const { ms, best } = await measure(() => writeFeed(feed));
  const goal = (WRITE_GOAL_MS * episodes) / 1000;
  const size = `${(bytes / 1e6).toFixed(2)} MB, best ${best.toFixed(1)} ms`;
  return {
    label: `write ${count(episodes)} episodes`,
    figure: `${ms.toFixed(1)} ms`,
    details: size,
    goal: `≤ ${goal} ms`,
    met: best <= goal,
  };
}

/** Streams like the HTTP door: page by page, through gzip, with only the compressed bytes in memory. */
async function measureStreaming(feed: FeedDocument): Promise<BenchmarkRow> {
  async function* pages() {
    for (let at = 0; at < feed.episodes.length; at += FEED_LIMITS.page)
      yield feed.episodes.slice(at, at + FEED_LIMITS.page);
  }
  let gzipBytes = 0;
  let highest = 0;
  const { ms, best } = await measure(async () => {
    const before = process.memoryUsage().arrayBuffers;
    const observed = observe(streamFeed(feed, pages()), () => {
      highest = Math.max(highest, process.memoryUsage().arrayBuffers - before);
    });
    gzipBytes = (await bufferFeed(observed)).body.length;
  }, 3);
  const details = `best ${best.toFixed(0)} ms, ${kilobytes(gzipBytes)}, ${megabytes(highest)} of buffers at most`;
  return { label: `stream ${count(feed.episodes.length)} episodes through gzip`, figure: milliseconds(ms), details };
}

async function* observe(parts: AsyncGenerator<Buffer, void>, onPart: () => void): AsyncGenerator<Buffer, void> {
  for await (const part of parts) {
    onPart();
    yield part;
  }
}

async function measureReading({ name, read }: Reader, document: Buffer, episodes: number): Promise<BenchmarkRow> {
  const { ms, best, heap } = await measure(() => read({ bytes: document, decode: () => document.toString() }));
  const details = `best ${best.toFixed(1)} ms, ${(heap / 1e6).toFixed(0)} MB more heap`;
  return { label: `read ${count(episodes)} episodes, ${name}`, figure: `${ms.toFixed(1)} ms`, details };
}

/** The cost of parsing markup, without reading a feed from it. */
async function measureScanning(document: Buffer): Promise<BenchmarkRow[]> {
  const text = document.toString();
  const ours = await measure(() => readTree(text));
  const saxes = await measure(() => {
    const parser = new SaxesParser({ xmlns: true });
    parser.on('opentag', () => {});
    parser.on('text', () => {});
    parser.write(text).close();
  });
  const row = (label: string, { ms, best }: Measurement) => ({
    label,
    figure: `${ms.toFixed(1)} ms`,
    details: `best ${best.toFixed(1)} ms`,
  });
  return [row('1,000 episodes, our scanner alone', ours), row('1,000 episodes, saxes alone', saxes)];
}

/** A reader reads a sample completely if it finds every playable item in it (docs/benchmarks.md). */
async function measureSamples(): Promise<BenchmarkRow[]> {
  const list = readSamples();
  const rows: BenchmarkRow[] = [];
  const full = new Map(READERS.map(({ name }) => [name, 0]));
  for (const sample of list) {
    const results: string[] = [];
    for (const reader of READERS) {
      const all = await readsAll(reader, sample);
      if (all) full.set(reader.name, full.get(reader.name)! + 1);
      const time = all === null ? null : await measure(() => reader.read(sample), 5);
      const figures = time ? `${time.ms.toFixed(1)} ms ${(time.heap / 1e6).toFixed(1)} MB` : 'fails';
      results.push(`${reader.name} ${figures}${all === false ? ' (incomplete)' : ''}`);
    }
    rows.push({ label: sample.file, figure: kilobytes(sample.bytes.length), details: results.join('; ') });
  }
  const shares = [...full].map(([name, count]) => ({
    label: `samples read completely, ${name}`,
    figure: `${count} of ${list.length} feeds`,
  }));
  return [...rows, ...shares];
}

/** Null if the reader fails. */
async function readsAll({ read, toContents }: Reader, sample: Sample): Promise<boolean | null> {
  try {
    return isComplete(toContents(await read(sample)), sample.expected);
  } catch {
    return null;
  }
}

function ourContents(read: unknown): FeedContents {
  const { feed } = read as ReturnType<typeof parseFeed>;
  if (!feed) throw new Error('no feed');
  return { title: feed.title, items: feed.episodes.map(({ title, audio }) => ({ title, urls: [audio.url] })) };
}

type Link = { rel?: string; href?: string };
type Item = { title?: string; enclosures?: { url?: string }[]; links?: Link[]; media?: Media };
type Media = { contents?: { url?: string }[]; group?: { contents?: { url?: string }[] } };

function feedsmithContents(read: unknown): FeedContents {
  const { feed } = read as { feed: { title?: string; items?: Item[]; entries?: Item[] } };
  const items = (feed.items ?? feed.entries ?? []).map(({ title = '', enclosures = [], links = [], media }) => {
    const linked = links.filter(({ rel }) => rel === 'enclosure').map(({ href }) => href);
    const contents = [...(media?.contents ?? []), ...(media?.group?.contents ?? [])];
    const urls = [...enclosures, ...contents].map(({ url }) => url);
    return { title, urls: [...urls, ...linked].filter((url) => url !== undefined) };
  });
  return { title: feed.title ?? '', items };
}

function rssParserContents(read: unknown): FeedContents {
  const { title = '', items } = read as { title?: string; items: { title?: string; enclosure?: { url?: string } }[] };
  return { title, items: items.map(({ title = '', enclosure }) => ({ title, urls: [enclosure?.url ?? ''] })) };
}

/** CPU time in milliseconds, so load from other processes does not count. */
async function measure(work: () => unknown, rounds = ROUNDS): Promise<Measurement> {
  const times: number[] = [];
  let heap = 0;
  for (let round = 0; round < WARM_UP_ROUNDS; round++) await work();
  for (let round = 0; round < rounds; round++) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    const cpuBefore = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(cpuBefore);
    times.push((user + system) / 1000);
    heap = Math.max(heap, process.memoryUsage().heapUsed - before);
  }
  return { ms: median(times), best: Math.min(...times), heap };
}

const count = (episodes: number) => episodes.toLocaleString('en');

import { parseFeed as parseWithFeedsmith } from 'feedsmith';
import Parser from 'rss-parser';
import { SaxesParser } from 'saxes';
import { readTree } from '~/server/feed/markup/tree';
import type { FeedDocument } from '~/server/feed/model';
import { parseFeed } from '~/server/feed/reader/parse';
import { streamFeed, writeFeed } from '~/server/feed/writer/write-feed';
import { bufferFeed } from '~/server/http/buffer-feed';
import { FEED_LIMITS } from '~/server/limits/feeds';
import { longFeed } from './long-feed';
import { BASE, type Found, isAll, readSamples, type Sample } from './sample-feeds';
import { kilobytes, median, megabytes, milliseconds, type Row } from './table';

const ROUNDS = 9;
/** Rounds before the measurement starts. */
const WARM = 3;
const WRITE_GOAL_MS = 10;

/** Readers of text include the decoding, as ours does. */
type Reader = { name: string; read(sample: Pick<Sample, 'bytes' | 'decode'>): unknown; found(read: unknown): Found };
type Measured = { ms: number; best: number; heap: number };

const READERS: Reader[] = [
  { name: 'ours', read: ({ bytes }) => parseFeed({ bytes, url: BASE }), found: foundByUs },
  { name: 'feedsmith', read: ({ decode }) => parseWithFeedsmith(decode()), found: foundByFeedsmith },
  { name: 'rss-parser', read: ({ decode }) => new Parser().parseString(decode()), found: foundByRssParser },
];

/** Writes and reads feeds of 1,000 and 10,000 episodes and every sample beside the checkout, with three readers. */
export async function run(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const episodes of [1000, 10_000]) {
    const feed = longFeed(episodes);
    const document = writeFeed(feed);
    rows.push(await writing(feed, document.length, episodes));
    if (document.length > FEED_LIMITS.plainBytes) rows.push(await streaming(feed));
    for (const reader of READERS) rows.push(await reading(reader, document, episodes));
    if (episodes === 1000) rows.push(...(await scanning(document)));
  }
  return [...rows, ...(await samples())];
}

async function writing(feed: FeedDocument, bytes: number, episodes: number): Promise<Row> {
  const { ms, best } = await measured(() => writeFeed(feed));
  const goal = (WRITE_GOAL_MS * episodes) / 1000;
  const size = `${(bytes / 1e6).toFixed(2)} MB, best ${best.toFixed(1)} ms`;
  return {
    what: `write ${count(episodes)} episodes`,
    figure: `${ms.toFixed(1)} ms`,
    beside: size,
    goal: `≤ ${goal} ms`,
    met: best <= goal,
  };
}

/** Streams like the HTTP door: page by page, through gzip, with only the compressed bytes in memory. */
async function streaming(feed: FeedDocument): Promise<Row> {
  async function* pages() {
    for (let at = 0; at < feed.episodes.length; at += FEED_LIMITS.page)
      yield feed.episodes.slice(at, at + FEED_LIMITS.page);
  }
  let packed = 0;
  let highest = 0;
  const { ms, best } = await measured(async () => {
    const before = process.memoryUsage().arrayBuffers;
    const watched = watch(streamFeed(feed, pages()), () => {
      highest = Math.max(highest, process.memoryUsage().arrayBuffers - before);
    });
    packed = (await bufferFeed(watched)).body.length;
  }, 3);
  const beside = `best ${best.toFixed(0)} ms, ${kilobytes(packed)}, ${megabytes(highest)} of buffers at most`;
  return { what: `stream ${count(feed.episodes.length)} episodes through gzip`, figure: milliseconds(ms), beside };
}

async function* watch(parts: AsyncGenerator<Buffer, void>, look: () => void): AsyncGenerator<Buffer, void> {
  for await (const part of parts) {
    look();
    yield part;
  }
}

async function reading({ name, read }: Reader, document: Buffer, episodes: number): Promise<Row> {
  const { ms, best, heap } = await measured(() => read({ bytes: document, decode: () => document.toString() }));
  const beside = `best ${best.toFixed(1)} ms, ${(heap / 1e6).toFixed(0)} MB more heap`;
  return { what: `read ${count(episodes)} episodes, ${name}`, figure: `${ms.toFixed(1)} ms`, beside };
}

/** The cost of parsing markup, without reading a feed from it. */
async function scanning(document: Buffer): Promise<Row[]> {
  const text = document.toString();
  const ours = await measured(() => readTree(text));
  const saxes = await measured(() => {
    const parser = new SaxesParser({ xmlns: true });
    parser.on('opentag', () => {});
    parser.on('text', () => {});
    parser.write(text).close();
  });
  const row = (what: string, { ms, best }: Measured) => ({
    what,
    figure: `${ms.toFixed(1)} ms`,
    beside: `best ${best.toFixed(1)} ms`,
  });
  return [row('1,000 episodes, our scanner alone', ours), row('1,000 episodes, saxes alone', saxes)];
}

/** A reader reads a sample fully if it finds every playable item in it (docs/benchmarks.md). */
async function samples(): Promise<Row[]> {
  const list = readSamples();
  const rows: Row[] = [];
  const full = new Map(READERS.map(({ name }) => [name, 0]));
  for (const sample of list) {
    const beside: string[] = [];
    for (const reader of READERS) {
      const all = await readsAll(reader, sample);
      if (all) full.set(reader.name, full.get(reader.name)! + 1);
      const time = all === null ? null : await measured(() => reader.read(sample), 5);
      const figures = time ? `${time.ms.toFixed(1)} ms ${(time.heap / 1e6).toFixed(1)} MB` : 'fails';
      beside.push(`${reader.name} ${figures}${all === false ? ' (not all)' : ''}`);
    }
    rows.push({ what: sample.file, figure: kilobytes(sample.bytes.length), beside: beside.join('; ') });
  }
  const shares = [...full].map(([name, count]) => ({
    what: `samples read fully, ${name}`,
    figure: `${count} of ${list.length} feeds`,
  }));
  return [...rows, ...shares];
}

/** Null if the reader fails. */
async function readsAll({ read, found }: Reader, sample: Sample): Promise<boolean | null> {
  try {
    return isAll(found(await read(sample)), sample.standing);
  } catch {
    return null;
  }
}

function foundByUs(read: unknown): Found {
  const { feed } = read as ReturnType<typeof parseFeed>;
  if (!feed) throw new Error('no feed');
  return { title: feed.title, items: feed.episodes.map(({ title, audio }) => ({ title, urls: [audio.url] })) };
}

type Link = { rel?: string; href?: string };
type Item = { title?: string; enclosures?: { url?: string }[]; links?: Link[]; media?: Media };
type Media = { contents?: { url?: string }[]; group?: { contents?: { url?: string }[] } };

function foundByFeedsmith(read: unknown): Found {
  const { feed } = read as { feed: { title?: string; items?: Item[]; entries?: Item[] } };
  const items = (feed.items ?? feed.entries ?? []).map(({ title = '', enclosures = [], links = [], media }) => {
    const linked = links.filter(({ rel }) => rel === 'enclosure').map(({ href }) => href);
    const contents = [...(media?.contents ?? []), ...(media?.group?.contents ?? [])];
    const urls = [...enclosures, ...contents].map(({ url }) => url);
    return { title, urls: [...urls, ...linked].filter((url) => url !== undefined) };
  });
  return { title: feed.title ?? '', items };
}

function foundByRssParser(read: unknown): Found {
  const { title = '', items } = read as { title?: string; items: { title?: string; enclosure?: { url?: string } }[] };
  return { title, items: items.map(({ title = '', enclosure }) => ({ title, urls: [enclosure?.url ?? ''] })) };
}

/** CPU time in milliseconds, so load from other processes does not count. */
async function measured(work: () => unknown, rounds = ROUNDS): Promise<Measured> {
  const times: number[] = [];
  let heap = 0;
  for (let round = 0; round < WARM; round++) await work();
  for (let round = 0; round < rounds; round++) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    const began = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(began);
    times.push((user + system) / 1000);
    heap = Math.max(heap, process.memoryUsage().heapUsed - before);
  }
  return { ms: median(times), best: Math.min(...times), heap };
}

const count = (episodes: number) => episodes.toLocaleString('en');

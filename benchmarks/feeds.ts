import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseFeed as parseWithFeedsmith } from 'feedsmith';
import Parser from 'rss-parser';
import { SaxesParser } from 'saxes';
import { writeFeed } from '~/server/domain/feeds/document';
import type { FeedDocument } from '~/server/domain/feeds/model';
import { readTree } from '~/server/domain/feeds/tree';
import { parseFeed } from '~/server/domain/rss-import/parse';
import { longFeed } from './long-feed';
import { median, type Row } from './table';

const ROUNDS = 9;
const SAMPLES = path.resolve('../shared/feeds');
const WRITE_GOAL_MS = 10;

type Reader = { name: string; read(bytes: Buffer): unknown };
type Measured = { ms: number; best: number; heap: number };

const READERS: Reader[] = [
  { name: 'ours', read: (bytes) => parseFeed({ bytes }) },
  { name: 'feedsmith', read: (bytes) => parseWithFeedsmith(bytes.toString()) },
  { name: 'rss-parser', read: (bytes) => new Parser().parseString(bytes.toString()) },
];

/** Writing and reading of feeds: 1,000 and 10,000 episodes, and every sample beside the checkout, by three readers. */
export async function run(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const episodes of [1000, 10_000]) {
    const feed = longFeed(episodes);
    const document = Buffer.from(writeFeed(feed));
    rows.push(await writing(feed, document.length, episodes));
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

async function reading({ name, read }: Reader, document: Buffer, episodes: number): Promise<Row> {
  const { ms, best, heap } = await measured(() => read(document));
  const beside = `best ${best.toFixed(1)} ms, ${(heap / 1e6).toFixed(0)} MB more heap`;
  return { what: `read ${count(episodes)} episodes, ${name}`, figure: `${ms.toFixed(1)} ms`, beside };
}

/** What taking markup apart costs, without making a feed of it. */
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

/** A reader reads a sample fully if it finds as many items as stand in it, each with its title and file as we do. */
async function samples(): Promise<Row[]> {
  if (!existsSync(SAMPLES)) return [{ what: 'samples', figure: 'none', beside: `no ${SAMPLES}` }];
  const files = readdirSync(SAMPLES).filter((file) => /\.(?:xml|rss)$/.test(file));
  const full = new Map(READERS.map(({ name }) => [name, 0]));
  const rows: Row[] = [];
  let feeds = 0;
  for (const file of files) {
    const bytes = readFileSync(path.join(SAMPLES, file));
    const { feed } = parseFeed({ bytes });
    if (feed) feeds += 1;
    const times: string[] = [];
    for (const reader of READERS) {
      const found = await summary(reader, bytes);
      const same =
        feed !== null &&
        found !== null &&
        found === filesOf(feed.episodes.map(({ title, audio }) => [title, audio.url]));
      if (same) full.set(reader.name, full.get(reader.name)! + 1);
      const time = found === null ? null : await measured(() => reader.read(bytes), 5);
      times.push(
        `${reader.name} ${time ? `${time.ms.toFixed(1)} ms ${(time.heap / 1e6).toFixed(1)} MB` : 'fails'}${same ? '' : ' (not all)'}`,
      );
    }
    rows.push({ what: file, figure: `${(bytes.length / 1000).toFixed(1)} KB`, beside: times.join('; ') });
  }
  const share = ([name, read]: [string, number]): Row => ({
    what: `samples read fully, ${name}`,
    figure: `${read} of ${feeds} feeds`,
    beside: `${files.length} files`,
  });
  return [...rows, ...[...full].map(share)];
}

/** What a reader found that can be heard, as one text; null where it gives up. */
async function summary({ name, read }: Reader, bytes: Buffer): Promise<string | null> {
  try {
    const found = await read(bytes);
    if (name === 'ours')
      return filesOf(
        ((found as ReturnType<typeof parseFeed>).feed?.episodes ?? []).map(({ title, audio }) => [title, audio.url]),
      );
    return filesOf(name === 'feedsmith' ? feedsmiths(found) : rssParsers(found));
  } catch {
    return null;
  }
}

type Found = [title: string | undefined, url: string | undefined][];
type Link = { rel?: string; href?: string };
type Item = { title?: string; enclosures?: { url?: string }[]; links?: Link[] };

function feedsmiths(found: unknown): Found {
  const { feed } = found as { feed: { items?: Item[]; entries?: Item[] } };
  return (feed.items ?? feed.entries ?? []).map(({ title, enclosures, links }) => [
    title,
    enclosures?.[0]?.url ?? links?.find(({ rel }) => rel === 'enclosure')?.href,
  ]);
}

function rssParsers(found: unknown): Found {
  const { items } = found as { items: { title?: string; enclosure?: { url?: string } }[] };
  return items.map(({ title, enclosure }) => [title, enclosure?.url]);
}

const IMAGE = /\.(?:jpe?g|png|gif)(?:\?|$)/i;

function filesOf(found: Found): string {
  return found
    .filter(([, url]) => url?.trim() && !IMAGE.test(url))
    .map(([title, url]) => `${title?.trim()} ${url?.trim()}`)
    .join('\n');
}

/** Milliseconds of the processor, since others on the machine would count otherwise. */
async function measured(work: () => unknown, rounds = ROUNDS): Promise<Measured> {
  const times: number[] = [];
  let heap = 0;
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

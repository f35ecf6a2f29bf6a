import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SaxesParser } from 'saxes';
import { readTree } from '~/server/feed/markup/tree';
import type { FeedDocument } from '~/server/feed/model';
import { streamFeed, writeFeed } from '~/server/feed/writer/write-feed';
import { bufferFeed } from '~/server/http/caches/buffer-feed';
import { FEED_LIMITS } from '~/server/limits/feeds';
import { bundle } from '../scripts/bundle.mjs';
import { nodeFlags } from '../scripts/node-flags.mjs';
import { type CpuTime, measureCpu } from './cpu-time';
import { READERS, type Reader } from './feed-readers';
import { longFeed } from './long-feed';
import { isComplete, readSamples, type Sample } from './sample-feeds';
import { type BenchmarkRow, kilobytes, median, megabytes, milliseconds } from './table';

const WRITE_GOAL_MS = 10;
const FIRST_READ_GOAL_MS = 60;
/** New processes for each reader. */
const FIRST_READS = 9;

/** Writes and reads feeds of 1,000 and 10,000 episodes, and reads every sample feed, with three readers. */
export async function run(): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const episodes of [1000, 10_000]) {
    const feed = longFeed(episodes);
    const document = writeFeed(feed);
    rows.push(await measureWriting(feed, document.length, episodes));
    if (document.length > FEED_LIMITS.plainBytes) rows.push(await measureStreaming(feed));
    for (const reader of READERS) rows.push(await measureReading(reader, document, episodes));
    if (episodes === 1000) rows.push(...(await measureFirstReading(document)), ...(await measureScanning(document)));
  }
  return [...rows, ...(await measureSamples())];
}

async function measureWriting(feed: FeedDocument, bytes: number, episodes: number): Promise<BenchmarkRow> {
  const { ms, best } = await measureCpu(() => writeFeed(feed));
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
  const { ms, best } = await measureCpu(async () => {
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
  const { ms, best, heap } = await measureCpu(() => read({ bytes: document, decode: () => document.toString() }));
  const details = `best ${best.toFixed(1)} ms, ${(heap / 1e6).toFixed(0)} MB more heap`;
  return { label: `read ${count(episodes)} episodes, ${name}`, figure: `${ms.toFixed(1)} ms`, details };
}

/** Milliseconds until the feed was read, and of the CPU in all threads. */
type FirstRead = { elapsedMs: number; cpuMs: number };

/** In processes that have read nothing before, as in an import: V8 has optimized nothing yet. The readers take turns. */
async function measureFirstReading(document: Buffer): Promise<BenchmarkRow[]> {
  const times = await timeFirstReads(
    document,
    READERS.map(({ name }) => name),
  );
  return READERS.map(({ name }, at) => {
    const elapsed = times[at]!.map(({ elapsedMs }) => elapsedMs);
    const [middle, best] = [median(elapsed), Math.min(...elapsed)];
    const goal = name === 'ours' ? { goal: `≤ ${FIRST_READ_GOAL_MS} ms`, met: middle <= FIRST_READ_GOAL_MS } : {};
    const cpu = median(times[at]!.map(({ cpuMs }) => cpuMs));
    const details = `best ${best.toFixed(1)} ms; ${cpu.toFixed(1)} ms CPU, V8's compiler included`;
    return { label: `first read of 1,000 episodes, ${name}`, figure: `${middle.toFixed(1)} ms`, details, ...goal };
  });
}

/**
 * The times of each reader, in turns. They are bundled and started like the server: the sources would
 * also pay for the names that their loader gives to each function.
 */
export async function timeFirstReads(document: Buffer, readers: string[]): Promise<FirstRead[][]> {
  const dir = mkdtempSync(path.join(tmpdir(), 'altavoz-feed-'));
  const file = path.join(dir, 'feed.xml');
  writeFileSync(file, document);
  await bundle({ 'read-once': 'benchmarks/read-once.ts' }, dir);
  const times = readers.map((): FirstRead[] => []);
  for (let round = 0; round < FIRST_READS; round++)
    for (const [at, name] of readers.entries())
      times[at]!.push(
        JSON.parse(
          String(execFileSync(process.execPath, [...nodeFlags(), path.join(dir, 'read-once.js'), name, file])),
        ),
      );
  rmSync(dir, { recursive: true });
  return times;
}

/** The cost of parsing markup, without reading a feed from it. */
async function measureScanning(document: Buffer): Promise<BenchmarkRow[]> {
  const text = document.toString();
  const ours = await measureCpu(() => readTree(text));
  const saxes = await measureCpu(() => {
    const parser = new SaxesParser({ xmlns: true });
    parser.on('opentag', () => {});
    parser.on('text', () => {});
    parser.write(text).close();
  });
  const row = (label: string, { ms, best }: CpuTime) => ({
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
      const time = all === null ? null : await measureCpu(() => reader.read(sample), 5);
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

const count = (episodes: number) => episodes.toLocaleString('en');

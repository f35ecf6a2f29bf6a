/**
 * Part of `npm run bench:audio`: index, rendition, peaks while the built app runs, conforming. Worker threads run
 * bundled code as in the build, because the TypeScript loader needs memory and its output runs slower.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { chunksOf } from '~/server/audio/chunks';
import { draftEnvelope } from '~/server/audio/envelope';
import { indexMp3 } from '~/server/audio/indexing';
import { type Recording, splice } from '~/server/audio/splice';
import { slicesOf, startsOf } from '~/server/audio/virtual-file';
import { bundledAudio } from '~/tests/support/bundled-audio';
import { toolPath } from '~/tests/support/tools';
import { ensureBuilt } from '../built';
import { prepareBenchmark } from '../prepare-benchmark';
import { startApp } from '../servers';
import { clipFile, fileSource, hourFile } from './hour';
import { type Latency, loadDuring, type Page } from './visitors';

const ALONE_MS = 5000;

const row = (...cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`);
const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now();
  const result = await work();
  return [result, performance.now() - startedAt];
}

const prepared: { close(): Promise<void> }[] = [];

async function loadRecording(path: string): Promise<Recording> {
  const source = await fileSource(path);
  prepared.push(source);
  const result = await indexMp3(source);
  if (!result.ok) throw new Error(result.reason);
  return { key: path, sha256: path, index: result.index, source };
}

function benchIndexing(kind: string, path: string): void {
  const runs = [1, 2, 3].map(() => {
    const out = execFileSync(process.execPath, ['--import', 'tsx', 'benchmarks/audio/index-once.ts', path]);
    return JSON.parse(out.toString());
  });
  runs.sort((a, b) => a.cold - b.cold);
  const { cold, warm, base, peak, stored, frames } = runs[1];
  row(
    `index, ${kind}`,
    `${ms(cold)} cold, ${ms(warm)} warm`,
    `${peak.toFixed(0)} MB (${base.toFixed(0)} before)`,
    `${frames} frames, ${(stored / 1024).toFixed(0)} KB stored`,
  );
}

async function benchRenditions(episode: Recording, inserted: Recording): Promise<void> {
  const marks = ['pre', 1_200_000, 2_400_000] as const;
  const insertions = marks.map((at) => ({ at, clip: inserted }));
  const times: number[] = [];
  let parts = 0;
  for (let i = 0; i < 30; i++) {
    const [result, elapsed] = await timed(() => splice(episode, insertions));
    times.push(elapsed);
    if (result.ok) parts = result.rendition.segments.length;
  }
  const first = times[0]!;
  times.sort((a, b) => a - b);
  row('rendition of 3 insertions', `${ms(times[15]!)} median, ${ms(first)} for the first`, '', `${parts} segments`);
  const built = await splice(episode, insertions);
  if (!built.ok) return;
  const starts = startsOf(built.rendition.segments);
  const startedAt = performance.now();
  for (let i = 0; i < 1_000_000; i++) slicesOf(starts, (i * 7919) % 50_000_000, ((i * 7919) % 50_000_000) + 65_535);
  row('finding a range', `${((performance.now() - startedAt) / 1000).toFixed(2)} µs`, '', '');
}

async function benchMeasuring(kind: string, episode: Recording, app: Page): Promise<void> {
  const cpu = process.cpuUsage();
  const { result, elapsed, latency } = await loadDuring(app, () =>
    engine.measureInWorker(episode.source, episode.index),
  );
  const processor = cpuTimeSince(cpu);
  const json = (JSON.stringify(result.zooms).length / 1024).toFixed(0);
  row(
    `peaks, ${kind} (goal 15 s, p99 50 ms)`,
    `${(elapsed / 1000).toFixed(1)} s (${processor})`,
    `the app meanwhile: ${formatLatency(latency)}`,
    `${result.lufs?.toFixed(1)} LUFS, ${result.silences.length} pauses, ${result.undecodedFrames} undecoded, ${json} KB`,
  );
  const [, drafting] = await timed(() => draftEnvelope(episode.source, episode.index));
  row(`draft envelope, ${kind}`, ms(drafting), '', '');
  const [chunks, chunking] = await timed(() => chunksOf(episode, result.silences));
  row(`chunks, ${kind}`, ms(chunking), '', chunks.map(({ bytes }) => `${(bytes / 1e6).toFixed(1)} MB`).join(', '));
}

function cpuTimeSince(cpu: NodeJS.CpuUsage): string {
  const { user, system } = process.cpuUsage(cpu);
  return `${((user + system) / 1e6).toFixed(1)} s of CPU time`;
}

const formatLatency = ({ p50, p99, count, failed }: Latency) =>
  `p50 ${ms(p50)}, p99 ${ms(p99)} of ${count} requests, ${failed} failed`;

/** Measures hours of audio while the built app serves a cached page in its own process. */
async function benchMeasuringBesideApp(hours: [string, Recording][]): Promise<void> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const page = { url: `${app.url}/p/corto`, headers: { host: `staging-lucia.${app.host}` } };
  const { latency } = await loadDuring(page, () => wait(ALONE_MS));
  row('the app alone', '', formatLatency(latency), '');
  for (const [kind, episode] of hours) await benchMeasuring(kind, episode, page);
  await app.stop();
  await prepared.close();
}

const TARGET = { version: 1, sampleRate: 48_000, channels: 2, bitrate: 128_000, lufs: -16 } as const;

/** CPU time excludes FFmpeg's process. */
async function benchConforming(short: string, long: string): Promise<void> {
  const ffmpeg = process.env.FFMPEG_PATH ?? toolPath('ffmpeg');
  await benchConformingWith('WebAssembly', null, [short, long]);
  if (ffmpeg) await benchConformingWith('FFmpeg', ffmpeg, [short, long]);
  else row('conform, FFmpeg', 'skipped: FFmpeg not found, and FFMPEG_PATH is not set', '', '');
}

async function benchConformingWith(
  name: string,
  ffmpegPath: string | null,
  [short, long]: [string, string],
): Promise<void> {
  const source = await fileSource(short);
  const cpu = process.cpuUsage();
  const [result, elapsed] = await timed(() => engine.conformInWorker(source, TARGET, { ffmpegPath }));
  await source.close();
  const levels = result.ok ? `${result.gainDb.toFixed(1)} dB` : result.reason;
  row(`conform 30 s, ${name}`, `${ms(elapsed)} (${cpuTimeSince(cpu)})`, '', levels);
  const once = [
    '--import',
    'tsx',
    'benchmarks/audio/conform-once.ts',
    long,
    JSON.stringify({ target: TARGET, ffmpegPath }),
  ];
  const { seconds, processor, base, peak, summary } = JSON.parse(execFileSync(process.execPath, once).toString());
  row(
    `conform 10 min, ${name}`,
    `${seconds.toFixed(1)} s (${processor.toFixed(1)} s of CPU time)`,
    `${peak.toFixed(0)} MB (${base.toFixed(0)} before)`,
    summary,
  );
}

ensureBuilt();
const engine = await bundledAudio();
row('', 'time', 'process', 'result');
row('---', '---', '---', '---');
const [cbr, vbr, short, long] = [await hourFile('cbr'), await hourFile('vbr'), await clipFile(30), await clipFile(598)];
benchIndexing('60 min CBR', cbr);
benchIndexing('60 min VBR', vbr);
const [episode, inserted] = [await loadRecording(cbr), await loadRecording(short)];
await benchRenditions(episode, inserted);
await benchMeasuringBesideApp([
  ['60 min CBR', episode],
  ['60 min VBR', await loadRecording(vbr)],
]);
await benchConforming(short, long);
await Promise.all([engine.remove(), ...prepared.map((source) => source.close())]);
process.exit();

/**
 * `node --import tsx benchmarks/audio/engine.ts`: index, rendition, peaks beside the built app, conforming. What runs on a
 * thread is bundled as the build does it: from source a loader comes on top, and code that V8 makes less of.
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
import { type Asked, beside, type Visited } from './beside';
import { clip, fileSource, hour } from './hour';

const ALONE_MS = 5000;

const row = (...cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`);
const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const begun = performance.now();
  const result = await work();
  return [result, performance.now() - begun];
}

const prepared: { close(): Promise<void> }[] = [];

async function recording(path: string): Promise<Recording> {
  const source = await fileSource(path);
  prepared.push(source);
  const found = await indexMp3(source);
  if (!found.ok) throw new Error(found.reason);
  return { key: path, sha256: path, index: found.index, source };
}

function indexing(kind: string, path: string): void {
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

async function building(episode: Recording, inserted: Recording): Promise<void> {
  const marks = ['pre', 1_200_000, 2_400_000] as const;
  const insertions = marks.map((at) => ({ at, clip: inserted }));
  const times: number[] = [];
  let parts = 0;
  for (let i = 0; i < 30; i++) {
    const [result, spent] = await timed(() => splice(episode, insertions));
    times.push(spent);
    if (result.ok) parts = result.rendition.segments.length;
  }
  const first = times[0]!;
  times.sort((a, b) => a - b);
  row('rendition of 3 insertions', `${ms(times[15]!)} median, ${ms(first)} the first`, '', `${parts} segments`);
  const built = await splice(episode, insertions);
  if (!built.ok) return;
  const starts = startsOf(built.rendition.segments);
  const begun = performance.now();
  for (let i = 0; i < 1_000_000; i++) slicesOf(starts, (i * 7919) % 50_000_000, ((i * 7919) % 50_000_000) + 65_535);
  row('finding a range', `${((performance.now() - begun) / 1000).toFixed(2)} µs`, '', '');
}

async function measuring(kind: string, episode: Recording, app: Visited): Promise<void> {
  const cpu = process.cpuUsage();
  const { result, spent, asked } = await beside(app, () => engine.measureInWorker(episode.source, episode.index));
  const processor = processorSince(cpu);
  const json = (JSON.stringify(result.zooms).length / 1024).toFixed(0);
  row(
    `peaks, ${kind} (goal 15 s, p99 50 ms)`,
    `${(spent / 1000).toFixed(1)} s (${processor})`,
    `the app beside it: ${told(asked)}`,
    `${result.lufs?.toFixed(1)} LUFS, ${result.silences.length} pauses, ${result.undecodedFrames} undecoded, ${json} KB`,
  );
  const [, drafting] = await timed(() => draftEnvelope(episode.source, episode.index));
  row(`draft envelope, ${kind}`, ms(drafting), '', '');
  const [chunks, chunking] = await timed(() => chunksOf(episode, result.silences));
  row(`chunks, ${kind}`, ms(chunking), '', chunks.map(({ bytes }) => `${(bytes / 1e6).toFixed(1)} MB`).join(', '));
}

function processorSince(cpu: NodeJS.CpuUsage): string {
  const { user, system } = process.cpuUsage(cpu);
  return `${((user + system) / 1e6).toFixed(1)} s of processor`;
}

const told = ({ p50, p99, count, failed }: Asked) =>
  `p50 ${ms(p50)}, p99 ${ms(p99)} of ${count} requests, ${failed} failed`;

/** The hours beside the built app, which serves a page out of its cache in a process of its own. */
async function measuringHours(hours: [string, Recording][]): Promise<void> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const visited = { url: `${app.url}/p/corto`, headers: { host: `staging-lucia.${app.host}` } };
  const { asked } = await beside(visited, () => wait(ALONE_MS));
  row('the app alone', '', told(asked), '');
  for (const [kind, episode] of hours) await measuring(kind, episode, visited);
  await app.stop();
  await prepared.close();
}

const TARGET = { version: 1, sampleRate: 48_000, channels: 2, bitrate: 128_000, lufs: -16 } as const;

/** Figures of the processor are without FFmpeg's own. */
async function conforming(short: string, long: string): Promise<void> {
  const ffmpeg = process.env.FFMPEG_PATH ?? toolPath('ffmpeg');
  await conformingWith('WebAssembly', null, [short, long]);
  if (ffmpeg) await conformingWith('FFmpeg', ffmpeg, [short, long]);
  else row('conform, FFmpeg', 'left out: there is none, and FFMPEG_PATH names none', '', '');
}

async function conformingWith(name: string, ffmpegPath: string | null, [short, long]: [string, string]): Promise<void> {
  const source = await fileSource(short);
  const cpu = process.cpuUsage();
  const [result, spent] = await timed(() => engine.conformInWorker(source, TARGET, { ffmpegPath }));
  await source.close();
  const levels = result.ok ? `${result.gainDb.toFixed(1)} dB` : result.reason;
  row(`conform 30 s, ${name}`, `${ms(spent)} (${processorSince(cpu)})`, '', levels);
  const once = [
    '--import',
    'tsx',
    'benchmarks/audio/conform-once.ts',
    long,
    JSON.stringify({ target: TARGET, ffmpegPath }),
  ];
  const { seconds, processor, base, peak, made } = JSON.parse(execFileSync(process.execPath, once).toString());
  row(
    `conform 10 min, ${name}`,
    `${seconds.toFixed(1)} s (${processor.toFixed(1)} s of processor)`,
    `${peak.toFixed(0)} MB (${base.toFixed(0)} before)`,
    made,
  );
}

ensureBuilt();
const engine = await bundledAudio();
row('', 'time', 'process', 'result');
row('---', '---', '---', '---');
const [cbr, vbr, short, long] = [await hour('cbr'), await hour('vbr'), await clip(30), await clip(598)];
indexing('60 min CBR', cbr);
indexing('60 min VBR', vbr);
const [episode, inserted] = [await recording(cbr), await recording(short)];
await building(episode, inserted);
await measuringHours([
  ['60 min CBR', episode],
  ['60 min VBR', await recording(vbr)],
]);
await conforming(short, long);
await Promise.all([engine.remove(), ...prepared.map((source) => source.close())]);
process.exit();

/** `node --import tsx benchmarks/audio/engine.ts`: index, rendition, peaks beside a server, conforming. */
import { execFileSync } from 'node:child_process';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chunksOf } from '~/server/audio/chunks';
import { draftEnvelope } from '~/server/audio/envelope';
import { conformInWorker, measureInWorker } from '~/server/audio/in-worker';
import { indexMp3 } from '~/server/audio/indexing';
import { type Recording, splice } from '~/server/audio/splice';
import { slicesOf, startsOf } from '~/server/audio/virtual-file';
import { toolPath } from '~/tests/support/tools';
import { clip, fileSource, hour } from './hour';

const row = (...cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`);
const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const begun = performance.now();
  const result = await work();
  return [result, performance.now() - begun];
}

async function recording(path: string): Promise<Recording> {
  const source = await fileSource(path);
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

/** Asks a server in this process again and again, as its listeners would, until told to stop. */
async function beside<T>(work: () => Promise<T>) {
  const server = createServer((_, res) => res.end('ok'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const times: number[] = [];
  let over = false;
  const asking = (async () => {
    while (!over) {
      const begun = performance.now();
      await new Promise<void>((resolve) => get({ port, host: '127.0.0.1' }, (res) => res.resume().on('end', resolve)));
      times.push(performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const [result, spent] = await timed(work);
  over = true;
  await asking;
  server.close();
  times.sort((a, b) => a - b);
  return { result, spent, p99: times[Math.floor(times.length * 0.99)]!, asked: times.length };
}

async function measuring(kind: string, episode: Recording): Promise<void> {
  const cpu = process.cpuUsage();
  const { result, spent, p99, asked } = await beside(() => measureInWorker(episode.source, episode.index));
  const json = (JSON.stringify(result.zooms).length / 1024).toFixed(0);
  const told = `${result.lufs?.toFixed(1)} LUFS, ${result.silences.length} pauses, ${result.undecodedFrames} undecoded, ${json} KB`;
  const { user, system } = process.cpuUsage(cpu);
  const processor = ((user + system) / 1e6).toFixed(1);
  row(
    `peaks, ${kind}`,
    `${(spent / 1000).toFixed(1)} s (${processor} s of processor)`,
    `p99 beside it ${ms(p99)} (${asked} requests)`,
    told,
  );
  const [, drafting] = await timed(() => draftEnvelope(episode.source, episode.index));
  row(`draft envelope, ${kind}`, ms(drafting), '', '');
  const [chunks, chunking] = await timed(() => chunksOf(episode, result.silences));
  row(`chunks, ${kind}`, ms(chunking), '', chunks.map(({ bytes }) => `${(bytes / 1e6).toFixed(1)} MB`).join(', '));
}

async function conforming(): Promise<void> {
  const source = await fileSource(await clip(30));
  const target = { version: 1, sampleRate: 48_000, channels: 2, bitrate: 128_000, lufs: -16 } as const;
  for (const ffmpegPath of [null, toolPath('ffmpeg')]) {
    const [result, spent] = await timed(() => conformInWorker(source, target, { ffmpegPath }));
    row(
      `conform 30 s, ${ffmpegPath ? 'FFmpeg' : 'WebAssembly'}`,
      ms(spent),
      '',
      result.ok ? `${result.gainDb.toFixed(1)} dB` : result.reason,
    );
  }
}

row('', 'time', 'process', 'result');
row('---', '---', '---', '---');
const [cbr, vbr, short] = [await hour('cbr'), await hour('vbr'), await clip(30)];
indexing('60 min CBR', cbr);
indexing('60 min VBR', vbr);
const [episode, inserted] = [await recording(cbr), await recording(short)];
await building(episode, inserted);
await measuring('60 min CBR', episode);
await measuring('60 min VBR', await recording(vbr));
await conforming();
process.exit();

import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import { bufferSource } from '~/server/audio/bytes';
import { MP3_REASONS, type Mp3Reason } from '~/server/audio/check-mp3';
import { chunksOf } from '~/server/audio/chunks';
import { CONFORM_REASONS } from '~/server/audio/conform';
import { draftEnvelope } from '~/server/audio/envelope';
import { silentFrame, timeOf } from '~/server/audio/frame-header';
import { conformInWorker, measureInWorker } from '~/server/audio/in-worker';
import { decodeIndex, encodeIndex, indexMp3 } from '~/server/audio/indexing';
import { type Recording, SPLICE_REASONS, splice } from '~/server/audio/splice';
import { readTags, writeId3 } from '~/server/audio/tags';
import type { Segment } from '~/server/audio/virtual-file';
import { assembleRendition, recordingOf } from './decoding';
import { FIXTURES, FREE_FORMAT, TAGGED } from './foreign-encodings';
import { apeTag, id3v1, noise, vbriFrame, withFooter } from './mp3';
import { seededInts } from './seeded-ints';

export type Outcome = { result: 'index' | Mp3Reason; recording: Recording | null };

/** The files to corrupt: every kind of tag and frame. */
export async function sourceFiles(): Promise<Buffer[]> {
  const made = await Promise.all([...FIXTURES, FREE_FORMAT, ...TAGGED].map(({ encoding }) => encoding.make()));
  const bare = made[FIXTURES.findIndex(({ encoding }) => encoding.name.includes('without Xing'))]!;
  const tag = writeId3({
    title: 'Título',
    artist: 'x',
    cover: { bytes: noise(900), contentType: 'image/png' },
    chapters: [{ startMs: 0, endMs: 500, title: 'a' }],
  });
  return [
    ...made.filter(({ length }) => length < 50_000),
    Buffer.concat([tag, bare, apeTag(300), id3v1()]),
    Buffer.concat([withFooter(300), bare, noise(400), bare, withFooter(90)]),
    Buffer.concat([vbriFrame({ frames: 40, bytes: bare.length }), bare]),
    Buffer.concat([tag, bare, tag, bare]),
  ];
}

/** Corrupts a copy of one of the files in one to six ways. The number determines the result. */
export function corrupt(files: readonly Buffer[], number: number): Buffer {
  const roll = seededInts(number);
  let file: Buffer = Buffer.from(files[roll(files.length)]!);
  for (let wounds = 1 + roll(6); wounds > 0 && file.length > 0; wounds--)
    file = CORRUPTIONS[roll(CORRUPTIONS.length)]!(file, roll, files);
  return file;
}

type RandomInt = (bound: number) => number;
type Corruption = (file: Buffer, roll: RandomInt, files: readonly Buffer[]) => Buffer;

/** Half of the positions are in the first bytes, which contain the lengths. */
const randomPosition = (file: Buffer, roll: RandomInt) => roll(roll(2) ? file.length : Math.min(file.length, 600));

const CORRUPTIONS: Corruption[] = [
  (file, roll) => {
    file[randomPosition(file, roll)]! ^= 1 << roll(8);
    return file;
  },
  (file, roll) => {
    for (let i = 0; i < 30; i++) file[randomPosition(file, roll)] = roll(256);
    return file;
  },
  (file, roll) => file.subarray(0, randomPosition(file, roll)),
  (file, roll) => file.subarray(randomPosition(file, roll)),
  (file, roll) => {
    const at = randomPosition(file, roll);
    return Buffer.concat([file.subarray(0, at), noise(roll(5000), roll(99)), file.subarray(at)]);
  },
  (file, roll) => {
    const at = randomPosition(file, roll);
    return Buffer.concat([file.subarray(0, at), file.subarray(at + roll(3000))]);
  },
  (file, roll, files) => Buffer.concat([file, files[roll(files.length)]!.subarray(0, 20_000)]),
  (file, roll) => {
    const from = randomPosition(file, roll);
    return file.fill(roll(2) ? 0xff : 0, from, Math.min(file.length, from + roll(2000)));
  },
  (file, roll) => {
    // frame headers at random positions
    for (let i = 0; i < 40; i++) file.write('\xff\xfb\x90\x00', randomPosition(file, roll), 'latin1');
    return file;
  },
];

/** Runs everything that reads a file without decoding it. @throws if a result contradicts the file */
export async function inspectFile(file: Buffer): Promise<Outcome> {
  const source = bufferSource(file);
  const verdict = await indexMp3(source);
  await readTags(source);
  if (!verdict.ok) {
    if (!MP3_REASONS.includes(verdict.reason)) throw new Error(`no such reason: ${verdict.reason}`);
    return { result: verdict.reason, recording: null };
  }
  const { index, mp3 } = verdict;
  if (index.frames !== mp3.frames || mp3.audioEnd > file.length) throw new Error('the index contradicts its file');
  if (!isDeepStrictEqual(decodeIndex(encodeIndex(index)), index)) throw new Error('the stored index differs');
  const recording = { key: 'broken', sha256: 'broken', index, source };
  await draftEnvelope(source, index, 50);
  await expectSpliced(recording, file);
  await expectChunked(recording, file);
  return { result: 'index', recording };
}

/** Inserts silence, and the file itself unless its first frame borrows bytes. */
async function expectSpliced(episode: Recording, file: Buffer): Promise<void> {
  const at = timeOf(episode.index, episode.index.frames) / 2;
  const rest = Buffer.concat(Array.from({ length: 3 }, () => silentFrame(episode.index.header, 0)!));
  const silence = await recordingOf('silence', rest);
  const spliced = await splice(episode, [{ at, clip: silence }], { id3: writeId3({ title: 'x' }) });
  const doubled = await splice(episode, [
    { at: 'pre', clip: episode },
    { at, clip: episode },
  ]);
  if (!spliced.ok) throw new Error(`silence was rejected as a clip: ${spliced.reason}`);
  if (!doubled.ok && !SPLICE_REASONS.includes(doubled.reason)) throw new Error(`no such reason: ${doubled.reason}`);
  for (const { rendition } of [spliced, ...(doubled.ok ? [doubled] : [])]) {
    const whole = assemble(rendition.segments, { broken: file, silence: rest });
    if (whole.length !== rendition.bytes) throw new Error('the rendition has another length');
    const again = await indexMp3(bufferSource(whole));
    if (!again.ok || again.mp3.frames !== rendition.frames || again.mp3.junkBytes > 0)
      throw new Error('the rendition has other frames');
  }
}

async function expectChunked(recording: Recording, file: Buffer): Promise<void> {
  const { index } = recording;
  const maxBytes = 6000;
  const chunks = await chunksOf(recording, [], { maxBytes });
  let end = 0;
  for (const { segments, bytes, offsetMs, durationMs } of chunks) {
    const primerMs = segments[0]!.role === 'primer' ? timeOf(index, 1) : 0;
    if (assemble(segments, { broken: file }).length !== bytes || bytes > maxBytes)
      throw new Error('a chunk has another length');
    if (Math.abs(offsetMs + primerMs - end) > 0.01) throw new Error('there is a gap between two chunks');
    end = offsetMs + durationMs;
  }
  if (Math.abs(end - timeOf(index, index.frames)) > 0.01) throw new Error('the chunks end early');
}

function assemble(segments: Segment[], files: Record<string, Buffer>): Buffer {
  const isOutside = segments.some(({ from, bytes }) => 'key' in from && from.start + bytes > files[from.key]!.length);
  if (isOutside) throw new Error('a segment reads past the end of its source');
  return assembleRendition({ segments }, files);
}

/** Measures the sound and conforms it as a clip. @throws if the outcome is neither a result nor a known reason */
export async function decode({ source, index }: Recording): Promise<void> {
  await measureInWorker(source, index);
  const clip = await conformInWorker(source, { ...index, bitrate: 64_000, lufs: -18 });
  const reasons: string[] = [...MP3_REASONS, ...CONFORM_REASONS];
  if (!clip.ok && !reasons.includes(clip.reason)) throw new Error(`no such reason: ${clip.reason}`);
}

/**
 * Kills the process if one file takes more than half a minute, because an endless loop would block the test. Call
 * `next` with the file's number before each file, and `end` after the last one.
 */
export function openWatchdog() {
  const current = new Int32Array(new SharedArrayBuffer(4));
  const code = `const { workerData: current } = require('node:worker_threads');
    let before = 0;
    setInterval(() => {
      if (current[0] === before && before !== 0) {
        require('node:fs').writeSync(2, 'file ' + before + ' hangs\\n');
        process.kill(process.pid, 'SIGKILL');
      }
      before = current[0];
    }, 30_000);`;
  const worker = new Worker(code, { eval: true, workerData: current });
  worker.unref();
  return {
    next: (number: number) => {
      current[0] = number;
    },
    end: () => worker.terminate(),
  };
}

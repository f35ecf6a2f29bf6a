import { type FrameIndex, spansOf, timeOf } from './indexing';
import type { Silence } from './peaks';
import { primerFor } from './primer';
import type { Recording } from './splice';
import type { Segment } from './virtual-file';

/** A part of a recording that decodes by itself. A moment `t` of it is `t + offsetMs` of the recording. */
export type Chunk = {
  bytes: number;
  segments: Segment[];
  /** Of what is heard in it, primer included. */
  durationMs: number;
  offsetMs: number;
};

export type ChunkLimits = { maxBytes?: number; maxMs?: number };

/** Just below what transcription services take in one upload. */
const MAX_BYTES = 24_000_000;
const MAX_MS = 20 * 60_000;
/** How far from the even share a pause may be to be worth it. */
const REACH_MS = 30_000;
/** A primer is one frame. */
const PRIMER_BYTES = 1441;

/** Cuts a recording into as few parts as the limits allow, about equal, in the pauses nearest to the even cuts. */
export async function chunksOf(recording: Recording, silences: Silence[], limits: ChunkLimits = {}): Promise<Chunk[]> {
  const { index } = recording;
  if (index.frames === 0) return [];
  const bounds = boundsOf(index, silences, { maxBytes: MAX_BYTES, maxMs: MAX_MS, ...limits });
  return Promise.all(bounds.slice(1).map((to, i) => chunk(recording, bounds[i]!, to)));
}

function boundsOf(index: FrameIndex, silences: Silence[], { maxBytes, maxMs }: Required<ChunkLimits>): number[] {
  const total = bytesBetween(index, 0, index.frames);
  const fewest = Math.ceil(Math.max(total / (maxBytes - PRIMER_BYTES), timeOf(index, index.frames) / maxMs, 1));
  const frameMs = timeOf(index, 1);
  for (let count = fewest; count < index.frames; count++) {
    const bounds = evenBounds(index, count).map((frame) => pauseNear(index, silences, frame));
    const fits = bounds.every((to, i) => {
      if (i === 0) return true;
      const from = bounds[i - 1]!;
      const bytes = bytesBetween(index, from, to) + PRIMER_BYTES;
      return to > from && bytes <= maxBytes && (to - from) * frameMs <= maxMs;
    });
    if (fits || count > 2 * fewest + 2) return fits ? bounds : evenBounds(index, count);
  }
  return [0, index.frames];
}

/** Even in bytes, for those are what is short first. */
function evenBounds(index: FrameIndex, count: number): number[] {
  const start = index.offsets[0]!;
  const size = index.offsets[index.frames]! - start;
  return Array.from({ length: count + 1 }, (_, i) =>
    i === count ? index.frames : frameAtByte(index, start + (size * i) / count),
  );
}

function frameAtByte({ offsets, frames }: FrameIndex, position: number): number {
  let low = 0;
  let high = frames;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pauseNear(index: FrameIndex, silences: Silence[], frame: number): number {
  if (frame === 0 || frame === index.frames) return frame;
  const wanted = timeOf(index, frame);
  const middles = silences.map(({ startMs, endMs }) => (startMs + endMs) / 2);
  const near = middles.filter((ms) => Math.abs(ms - wanted) <= REACH_MS);
  if (near.length === 0) return frame;
  const best = near.reduce((best, ms) => (Math.abs(ms - wanted) < Math.abs(best - wanted) ? ms : best));
  return Math.min(index.frames - 1, Math.max(1, Math.round(best / timeOf(index, 1))));
}

function bytesBetween(index: FrameIndex, from: number, to: number): number {
  return index.offsets[to]! - index.offsets[from]!;
}

async function chunk({ source, index, key }: Recording, from: number, to: number): Promise<Chunk> {
  const primer = await primerFor(source, index, from);
  const head: Segment[] = primer ? [{ role: 'primer', bytes: primer.length, from: { memory: primer } }] : [];
  const frames = spansOf(index, from, to).map(
    ({ start, bytes }): Segment => ({ role: 'episode', bytes, from: { key, start } }),
  );
  const segments = [...head, ...frames];
  return {
    bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
    segments,
    durationMs: timeOf(index, to - from + head.length),
    offsetMs: timeOf(index, from - head.length),
  };
}

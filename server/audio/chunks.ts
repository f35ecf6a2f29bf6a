import { LONGEST_FRAME, timeOf } from './frame-header';
import { type FrameIndex, spansOf } from './indexing';
import type { Silence } from './peaks';
import { primerFor } from './primer';
import type { Recording } from './splice';
import type { Segment } from './virtual-file';

/** A part of a recording that decodes on its own. Its time `t` is `t + offsetMs` in the recording. */
export type Chunk = {
  bytes: number;
  segments: Segment[];
  /** Duration of its audio, including the primer. */
  durationMs: number;
  offsetMs: number;
};

export type ChunkLimits = { maxBytes?: number; maxMs?: number };

/** Just below the upload limits of transcription services. */
const MAX_BYTES = 24_000_000;
const MAX_MS = 20 * 60_000;
/** How far a cut may move from its even position to hit a pause. */
const MAX_SHIFT_MS = 30_000;

/**
 * Splits a recording into about as few chunks as the limits allow, of similar size, cut in the pauses nearest to the
 * even positions. Only a single frame can exceed the limits.
 */
export async function chunksOf(recording: Recording, silences: Silence[], limits: ChunkLimits = {}): Promise<Chunk[]> {
  const bounds = chunkBounds(recording.index, silences, limits);
  return Promise.all(bounds.slice(1).map((to, i) => cutChunk(recording, bounds[i]!, to)));
}

/** The frames at which the chunks begin, and finally the number of frames; empty without frames. */
export function chunkBounds(index: FrameIndex, silences: Silence[], limits: ChunkLimits = {}): number[] {
  if (index.frames === 0) return [];
  return boundsOf(index, silences, { maxBytes: MAX_BYTES, maxMs: MAX_MS, ...limits });
}

/** Cuts in pauses unless that needs more than about twice as many chunks. */
function boundsOf(index: FrameIndex, silences: Silence[], limits: Required<ChunkLimits>): number[] {
  const total = bytesBetween(index, 0, index.frames);
  const time = timeOf(index, index.frames);
  const fewest = Math.ceil(Math.max(total / (limits.maxBytes - LONGEST_FRAME), time / limits.maxMs, 1));
  const costs = costsOf(index, limits);
  for (let count = fewest; count <= 2 * fewest + 2 && count < index.frames; count++) {
    const bounds = evenBounds(costs, count).map((frame) => pauseNear(index, silences, frame));
    if (fitsLimits(index, bounds, limits)) return bounds;
  }
  for (let count = fewest; count < index.frames; count++) {
    const bounds = evenBounds(costs, count);
    if (fitsLimits(index, bounds, limits)) return bounds;
  }
  return Array.from({ length: index.frames + 1 }, (_, frame) => frame);
}

function fitsLimits(index: FrameIndex, bounds: number[], { maxBytes, maxMs }: Required<ChunkLimits>): boolean {
  return bounds.slice(1).every((to, i) => {
    const from = bounds[i]!;
    const bytes = bytesBetween(index, from, to) + LONGEST_FRAME;
    return to > from && bytes <= maxBytes && timeOf(index, to - from + 1) <= maxMs;
  });
}

/** Cumulative cost per frame: its share of a chunk's bytes or time, whichever is larger. */
function costsOf(index: FrameIndex, { maxBytes, maxMs }: Required<ChunkLimits>): Float64Array {
  const costs = new Float64Array(index.frames + 1);
  const time = timeOf(index, 1) / maxMs;
  for (let frame = 0; frame < index.frames; frame++) {
    const bytes = bytesBetween(index, frame, frame + 1) / (maxBytes - LONGEST_FRAME);
    costs[frame + 1] = costs[frame]! + Math.max(bytes, time);
  }
  return costs;
}

/** Boundaries of equal cost, so that a variable bit rate makes chunks neither too large nor too long. */
function evenBounds(costs: Float64Array, count: number): number[] {
  const frames = costs.length - 1;
  return Array.from({ length: count + 1 }, (_, i) =>
    i === count ? frames : frameAtCost(costs, (costs[frames]! * i) / count),
  );
}

function frameAtCost(costs: Float64Array, cost: number): number {
  let low = 0;
  let high = costs.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (costs[middle]! < cost) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pauseNear(index: FrameIndex, silences: Silence[], frame: number): number {
  if (frame === 0 || frame === index.frames) return frame;
  const targetMs = timeOf(index, frame);
  const middles = silences.map(({ startMs, endMs }) => (startMs + endMs) / 2);
  const near = middles.filter((ms) => Math.abs(ms - targetMs) <= MAX_SHIFT_MS);
  if (near.length === 0) return frame;
  const best = near.reduce((best, ms) => (Math.abs(ms - targetMs) < Math.abs(best - targetMs) ? ms : best));
  return Math.min(index.frames - 1, Math.max(1, Math.round(best / timeOf(index, 1))));
}

function bytesBetween(index: FrameIndex, from: number, to: number): number {
  return index.offsets[to]! - index.offsets[from]!;
}

/** The chunk from a frame until before another one. */
export async function cutChunk({ source, index, key }: Recording, from: number, to: number): Promise<Chunk> {
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

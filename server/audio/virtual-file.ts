/** A run of bytes of a virtual file: part of a stored object, or bytes in memory. */
export type Segment = {
  role: 'head' | 'episode' | 'clip' | 'primer';
  bytes: number;
  /** The insertion that a clip, or the primer after it, belongs to. */
  insertion?: number;
  from: { key: string; start: number } | { memory: Uint8Array };
};

/** Part of a segment: `offset` is relative to the segment's start. */
export type Slice = { segment: number; offset: number; bytes: number };

/** The start of each segment, and finally the end of the file. */
export function startsOf(segments: readonly { bytes: number }[]): number[] {
  const starts = [0];
  for (const { bytes } of segments) starts.push(starts.at(-1)! + bytes);
  return starts;
}

/** The parts of segments that contain the bytes `start` to `end` (both included), in order. */
export function slicesOf(starts: readonly number[], start: number, end: number): Slice[] {
  const slices: Slice[] = [];
  for (let segment = lastAtMost(starts, start), at = start; at <= end && segment < starts.length - 1; segment++) {
    const bytes = Math.min(end + 1, starts[segment + 1]!) - at;
    if (bytes > 0) slices.push({ segment, offset: at - starts[segment]!, bytes });
    at += bytes;
  }
  return slices;
}

/** The index of the last of some ascending numbers that is at most `limit`, or 0. */
export function lastAtMost(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle]! <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

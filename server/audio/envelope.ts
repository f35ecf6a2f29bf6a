import type { ByteSource } from './bytes';
import { sideInfoOffset } from './frame-header';
import { readFrames } from './frame-reader';
import type { FrameIndex } from './indexing';

/** Even a silent granule uses a few bits. */
const SILENT_BITS = 30;
/** The gain at which one quantization step is about full scale (ISO/IEC 11172-3, 2.4.3.4). */
const UNIT_GAIN = 210;
/** Four gain steps double the amplitude; without compression, attacks would dwarf everything else. */
const FLATTENED = 16;
const POINTS = 1800;

/**
 * A preview of the waveform in a fraction of a second, from the gain fields of each frame, without decoding. It is good
 * enough to show until `measure` is done.
 * @returns up to `points` bytes, 255 = loudest
 */
export async function draftEnvelope(source: ByteSource, index: FrameIndex, points = POINTS): Promise<Uint8Array> {
  const count = Math.min(points, index.frames);
  const loudest = new Float64Array(count);
  let frame = 0;
  for await (const { bytes, frames } of readFrames(source, index)) {
    for (let at = 0, end = frame + frames; frame < end; frame++) {
      const point = Math.floor((frame * count) / index.frames);
      loudest[point] = Math.max(loudest[point]!, levelOf(bytes, at, index));
      at += index.lengths[frame]!;
    }
  }
  const full = [...loudest].sort((a, b) => a - b)[Math.floor(count * 0.98)] || 1;
  return Uint8Array.from(loudest, (level) => Math.min(255, Math.round((255 * level) / full)));
}

/**
 * The apparent loudness of a frame: the compressed gains of its granules. Gain alone is more telling than gain times
 * size: at a constant bit rate, every granule is full.
 */
function levelOf(bytes: Uint8Array, at: number, { version, channels }: FrameIndex): number {
  const [granules, granuleBits, before] =
    version === 1 ? [2, 59, channels === 1 ? 18 : 20] : [1, 63, channels === 1 ? 9 : 10];
  const start = (at + sideInfoOffset(bytes, at)) * 8 + before;
  let level = 0;
  for (let granule = 0; granule < granules * channels; granule++) {
    const bit = start + granule * granuleBits;
    if (bitsAt(bytes, bit, 12) <= SILENT_BITS) continue;
    level += 2 ** ((bitsAt(bytes, bit + 21, 8) - UNIT_GAIN) / FLATTENED);
  }
  return level;
}

function bitsAt(bytes: Uint8Array, bit: number, count: number): number {
  const at = bit >> 3;
  const word = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
  return (word >> (24 - (bit & 7) - count)) & ((1 << count) - 1);
}

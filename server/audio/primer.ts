import { type ByteSource, readSlice } from './bytes';
import { bodyOffset, silentFrame } from './frame-header';
import type { FrameIndex } from './indexing';

/**
 * A silent frame whose body ends with the bytes that frame `frame` needs from before it, so that decoding can start
 * there. Without it, a decoder uses the bytes of the previous audio, which is an audible glitch with nearly every
 * encoder.
 * @returns null if the frame needs nothing
 */
export async function primerFor(source: ByteSource, index: FrameIndex, frame: number): Promise<Uint8Array | null> {
  if (frame >= index.frames || index.needs[frame] === 0) return null;
  const reservoir = await readReservoir(source, index, frame);
  const primer = silentFrame(index.header, reservoir.length);
  // a frame needs at most 511 bytes, and the highest bit rate of every format has more room
  if (primer === null) throw new Error('no bit rate has room for the reservoir');
  primer.set(reservoir, primer.length - reservoir.length);
  return primer;
}

/** The last body bytes before a frame, preceded by zeros if the file starts mid-stream. */
async function readReservoir(source: ByteSource, index: FrameIndex, frame: number): Promise<Uint8Array> {
  const need = index.needs[frame]!;
  const first = firstNeeded(index, frame);
  const start = index.offsets[first]!;
  const bytes = await readSlice(source, start, index.offsets[frame]! - start);
  const reservoir = new Uint8Array(need);
  let missing = need;
  for (let before = frame - 1; before >= first && missing > 0; before--) {
    const at = index.offsets[before]! - start;
    const body = bytes.subarray(at + bodyOffset(bytes, at), at + index.lengths[before]!);
    const part = body.subarray(Math.max(0, body.length - missing));
    missing -= part.length;
    reservoir.set(part, missing);
  }
  return reservoir;
}

/** The maximum size of header, CRC and side information. */
const OVERHEAD = 4 + 2 + 32;

function firstNeeded(index: FrameIndex, frame: number): number {
  let first = frame;
  for (let have = 0; first > 0 && have < index.needs[frame]!; ) {
    first -= 1;
    have += Math.max(0, index.lengths[first]! - OVERHEAD);
  }
  return first;
}

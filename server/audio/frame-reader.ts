import { type ByteSource, readFully } from './bytes';
import { type FrameIndex, spansOf } from './indexing';

/** Bytes per batch: few calls, little memory. */
const BATCH_BYTES = 256 * 1024;

/**
 * Reads the audio frames in batches of whole frames, without the junk between them. A batch is valid until the next
 * one.
 * `frames` is the number of frames in the batch.
 */
export async function* readFrames(
  source: ByteSource,
  index: FrameIndex,
  { from = 0, to = index.frames }: { from?: number; to?: number } = {},
): AsyncGenerator<{ bytes: Uint8Array; frames: number }, void> {
  const buffer = new Uint8Array(BATCH_BYTES);
  for (let first = from; first < to; ) {
    const last = batchEnd(index, first, to);
    let filled = 0;
    for (const { start, bytes } of spansOf(index, first, last)) {
      const count = await readFully(source, buffer.subarray(filled, filled + bytes), start);
      if (count < bytes) throw new Error('the file is shorter than its index states');
      filled += bytes;
    }
    yield { bytes: buffer.subarray(0, filled), frames: last - first };
    first = last;
  }
}

function batchEnd(index: FrameIndex, first: number, to: number): number {
  let bytes = 0;
  let frame = first;
  while (frame < to && bytes + index.lengths[frame]! <= BATCH_BYTES) {
    bytes += index.lengths[frame]!;
    frame += 1;
  }
  return frame;
}

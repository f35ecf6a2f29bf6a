import { readSlice } from './bytes';
import { framesUntil } from './frame-header';
import { frameAt, positionsIn, spansOf } from './indexing';
import { writeInfoFrame } from './info-frame';
import { primerFor } from './primer';
import type { Recording } from './splice';

/** Times in ms. The file may be up to one frame shorter than the passage, but never longer than `maxMs`. */
export type Passage = { startMs: number; endMs: number; maxMs: number };

/**
 * A passage of a recording as an MP3 of its own, cut at frames without decoding anything. Null if it would be empty.
 * Only for short passages: the file is in memory.
 */
export async function cutMp3({ source, index }: Recording, { startMs, endMs, maxMs }: Passage): Promise<Buffer | null> {
  const from = frameAt(index, Math.max(0, startMs));
  const primer = await primerFor(source, index, from);
  const room = Math.floor(framesUntil(index, maxMs) + 1e-6) - (primer ? 1 : 0);
  const to = Math.min(index.frames, Math.ceil(framesUntil(index, endMs) - 1e-4), from + room);
  if (to <= from) return null;
  const parts = await Promise.all(spansOf(index, from, to).map(({ start, bytes }) => readSlice(source, start, bytes)));
  const audio = Buffer.concat(primer ? [primer, ...parts] : parts);
  const frames = to - from + (primer ? 1 : 0);
  const positions = positionsIn(index, from, to);
  const facts = { constantBitrate: index.constantBitrate, frames, bytes: audio.length };
  const info = writeInfoFrame(index.header, facts, (share, infoBytes) => {
    const frame = Math.floor(share * frames) - (primer ? 1 : 0);
    return frame < 0 ? infoBytes : infoBytes + (primer?.length ?? 0) + positions.until(from + frame);
  });
  return Buffer.concat([info, audio]);
}

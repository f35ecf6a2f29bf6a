import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ByteSource } from './bytes';
import { checkMp3, type Mp3, type Mp3Fault } from './check-mp3';
import { frameKbps, framesUntil, HEADER_BYTES, reservoirNeed, type StreamFormat } from './frame-header';
import { lastAtMost, startsOf } from './virtual-file';

/** The position and needs of every audio frame, for seeking and cutting without reading the file again. */
export type FrameIndex = StreamFormat & {
  constantBitrate: boolean;
  /** In bits per second; the average of a VBR file. */
  bitrate: number;
  /** The four header bytes of the first frame. */
  header: Uint8Array;
  frames: number;
  /** The file position of each frame's start, and of the last one's end. */
  offsets: Float64Array;
  lengths: Uint16Array;
  /** Bytes that each frame needs from the bodies of previous frames. */
  needs: Uint16Array;
  /** Frames that have something other than audio before them. */
  gaps: number[];
};

export type Indexed = { ok: true; mp3: Mp3; index: FrameIndex };

/** Checks a file like `checkMp3` and records every frame in the same pass. */
export async function indexMp3(
  source: ByteSource,
  options: { minDurationMs?: number } = {},
): Promise<Indexed | Mp3Fault> {
  const list = frameList(source.size);
  let header = new Uint8Array();
  const mp3 = await checkMp3(source, {
    ...options,
    onFrame: (bytes, at, length, position) => {
      if (header.length === 0) header = bytes.slice(at, at + HEADER_BYTES);
      list.add(position, length, reservoirNeed(bytes, at));
    },
  });
  if (!mp3.ok) return mp3;
  const { version, sampleRate, channels, channelMode, samplesPerFrame, constantBitrate } = mp3;
  const format = { version, sampleRate, channels, channelMode, samplesPerFrame, constantBitrate };
  const bitrate = constantBitrate ? frameKbps(header, 0) * 1000 : mp3.bitrate;
  return { ok: true, mp3, index: { ...format, bitrate, header, ...list.done(mp3.audioStart) } };
}

/** Bytes of non-audio before a frame. */
type Gap = [frame: number, bytes: number];

/** A growing list; the initial size is estimated from the shortest usual frames. */
function frameList(fileBytes: number) {
  let pairs = new Uint16Array(2 * (Math.min(200_000, Math.ceil(fileBytes / 300)) + 16));
  let count = 0;
  let end = 0;
  const gaps: Gap[] = [];
  return {
    add(offset: number, length: number, need: number) {
      if (2 * count === pairs.length) {
        const wider = new Uint16Array(2 * pairs.length);
        wider.set(pairs);
        pairs = wider;
      }
      if (count > 0 && offset > end) gaps.push([count, offset - end]);
      pairs[2 * count] = length;
      pairs[2 * count + 1] = need;
      count += 1;
      end = offset + length;
    },
    done(start: number) {
      const [lengths, needs] = [new Uint16Array(count), new Uint16Array(count)];
      for (let frame = 0; frame < count; frame++) {
        lengths[frame] = pairs[2 * frame]!;
        needs[frame] = pairs[2 * frame + 1]!;
      }
      return withOffsets({ lengths, needs }, start, gaps);
    },
  };
}

/** Computes positions from the first one, the frame lengths and the gaps. */
function withOffsets({ lengths, needs }: Pick<FrameIndex, 'lengths' | 'needs'>, start: number, gaps: Gap[]) {
  const frames = lengths.length;
  const offsets = new Float64Array(frames + 1);
  for (const [frame, bytes] of gaps) offsets[frame] = bytes;
  offsets[0] = start;
  for (let frame = 0; frame < frames; frame++) offsets[frame + 1]! += offsets[frame]! + lengths[frame]!;
  return { frames, offsets, lengths, needs, gaps: gaps.map(([frame]) => frame) };
}

/** The frame playing at a time; the number of frames at or past the end. */
export function frameAt(index: FrameIndex, ms: number): number {
  return Math.min(index.frames, Math.floor(framesUntil(index, ms) + 1e-6));
}

/** The bytes of frames `from` (included) to `to` (excluded), without the non-audio between them. */
export function spansOf(index: FrameIndex, from: number, to: number): { start: number; bytes: number }[] {
  const { offsets, lengths } = index;
  if (to <= from) return [];
  const cuts = index.gaps.length > 0 ? index.gaps.filter((frame) => frame > from && frame < to) : [];
  return [from, ...cuts].map((first, i) => {
    const last = (cuts[i] ?? to) - 1;
    return { start: offsets[first]!, bytes: offsets[last]! + lengths[last]! - offsets[first]! };
  });
}

/** The total of `spansOf`, and where a frame starts in it. A rendition's table of contents calls it a hundred times. */
export function positionsIn(index: FrameIndex, from: number, to: number) {
  const spans = spansOf(index, from, to);
  const starts = startsOf(spans);
  const origins = spans.map(({ start }) => start);
  const until = (frame: number) => {
    const span = lastAtMost(origins, index.offsets[frame]!);
    return starts[span]! + index.offsets[frame]! - origins[span]!;
  };
  return { bytes: starts.at(-1)!, until };
}

const MARK = 'AVX1';

/** 100–200 KB per hour: the compressed frame fields; positions are derived from lengths and gaps. */
export function encodeIndex(index: FrameIndex): Uint8Array {
  const { offsets, lengths, needs, header, gaps: gapFrames, frames, ...facts } = index;
  const gaps = gapFrames.map((frame): Gap => [frame, offsets[frame]! - offsets[frame - 1]! - lengths[frame - 1]!]);
  const head = new TextEncoder().encode(
    JSON.stringify({ ...facts, header: [...header], frames, start: offsets[0], gaps }),
  );
  const columns = deflateRawSync(Buffer.concat([splitBytes(lengths), splitBytes(needs)]), { level: 6 });
  const mark = Buffer.from(`${MARK}0000`);
  mark.writeUInt32LE(head.length, 4);
  return Buffer.concat([mark, head, columns]);
}

/** Reads the output of `encodeIndex`. @throws for anything else */
export function decodeIndex(bytes: Uint8Array): FrameIndex {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.toString('latin1', 0, 4) !== MARK) throw new Error('not a frame index');
  const headEnd = 8 + buffer.readUInt32LE(4);
  const { header, frames, start, gaps, ...facts } = JSON.parse(buffer.toString('utf8', 8, headEnd));
  const columns = inflateRawSync(buffer.subarray(headEnd), { maxOutputLength: 4 * frames + 1 });
  const lengths = joinBytes(columns.subarray(0, 2 * frames));
  const needs = joinBytes(columns.subarray(2 * frames));
  return { ...facts, header: Uint8Array.from(header), ...withOffsets({ lengths, needs }, start, gaps) };
}

/** All low bytes first, then all high bytes, which compresses better. */
function splitBytes(values: Uint16Array): Uint8Array {
  const bytes = new Uint8Array(values.length * 2);
  values.forEach((value, i) => {
    bytes[i] = value & 255;
    bytes[values.length + i] = value >> 8;
  });
  return bytes;
}

function joinBytes(bytes: Uint8Array): Uint16Array {
  const count = bytes.length / 2;
  return Uint16Array.from({ length: count }, (_, i) => bytes[i]! | (bytes[count + i]! << 8));
}

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ByteSource } from './bytes';
import { checkMp3, type Mp3, type Mp3Fault } from './check-mp3';
import { frameKbps, framesUntil, HEADER_BYTES, reservoirNeed, type StreamFormat } from './frame-header';

/** Where every frame with audio stands and what it needs, for seeking and cutting without reading the file again. */
export type FrameIndex = StreamFormat & {
  constantBitrate: boolean;
  /** In bits per second; of a VBR file the average. */
  bitrate: number;
  /** The first frame's header, as four bytes. */
  header: Uint8Array;
  frames: number;
  /** Byte in the file at which each frame begins, and behind them where the last one ends. */
  offsets: Float64Array;
  lengths: Uint16Array;
  /** Bytes that each frame needs from the bodies of those before it. */
  needs: Uint16Array;
  /** Frames in front of which stands something that is no audio. */
  gaps: number[];
};

export type Indexed = { ok: true; mp3: Mp3; index: FrameIndex };

/** Checks a file as `checkMp3` does, and on the same walk notes every frame. */
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

/** What stands in front of a frame and is no audio, in bytes. */
type Gap = [frame: number, bytes: number];

/** A growing list; its first size is a guess at the shortest frames that are usual. */
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
      return placed({ lengths, needs }, start, gaps);
    },
  };
}

/** Where the frames stand follows from where the first one does, their lengths, and what is between them. */
function placed({ lengths, needs }: Pick<FrameIndex, 'lengths' | 'needs'>, start: number, gaps: Gap[]) {
  const frames = lengths.length;
  const offsets = new Float64Array(frames + 1);
  for (const [frame, bytes] of gaps) offsets[frame] = bytes;
  offsets[0] = start;
  for (let frame = 0; frame < frames; frame++) offsets[frame + 1]! += offsets[frame]! + lengths[frame]!;
  return { frames, offsets, lengths, needs, gaps: gaps.map(([frame]) => frame) };
}

/** The frame that sounds at a time; at or behind the end, the number of frames. */
export function frameAt(index: FrameIndex, ms: number): number {
  return Math.min(index.frames, Math.floor(framesUntil(index, ms) + 1e-6));
}

/** The bytes of the frames `from` up to but without `to`, leaving out what lies between frames and is no audio. */
export function spansOf(index: FrameIndex, from: number, to: number): { start: number; bytes: number }[] {
  const { offsets, lengths } = index;
  if (to <= from) return [];
  const cuts = index.gaps.length > 0 ? index.gaps.filter((frame) => frame > from && frame < to) : [];
  return [from, ...cuts].map((first, i) => {
    const last = (cuts[i] ?? to) - 1;
    return { start: offsets[first]!, bytes: offsets[last]! + lengths[last]! - offsets[first]! };
  });
}

const MARK = 'AVX1';

/** 100–200 KB for an hour: what stands in each frame, packed; offsets follow from lengths and gaps. */
export function encodeIndex(index: FrameIndex): Uint8Array {
  const { offsets, lengths, needs, header, gaps: gapFrames, frames, ...facts } = index;
  const gaps = gapFrames.map((frame): Gap => [frame, offsets[frame]! - offsets[frame - 1]! - lengths[frame - 1]!]);
  const head = new TextEncoder().encode(
    JSON.stringify({ ...facts, header: [...header], frames, start: offsets[0], gaps }),
  );
  const columns = deflateRawSync(Buffer.concat([column(lengths), column(needs)]), { level: 6 });
  const mark = Buffer.from(`${MARK}0000`);
  mark.writeUInt32LE(head.length, 4);
  return Buffer.concat([mark, head, columns]);
}

/** Reads what `encodeIndex` wrote. @throws when it is something else */
export function decodeIndex(bytes: Uint8Array): FrameIndex {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.toString('latin1', 0, 4) !== MARK) throw new Error('these bytes are no frame index');
  const headEnd = 8 + buffer.readUInt32LE(4);
  const { header, frames, start, gaps, ...facts } = JSON.parse(buffer.toString('utf8', 8, headEnd));
  const columns = inflateRawSync(buffer.subarray(headEnd), { maxOutputLength: 4 * frames + 1 });
  const lengths = uncolumn(columns.subarray(0, 2 * frames));
  const needs = uncolumn(columns.subarray(2 * frames));
  return { ...facts, header: Uint8Array.from(header), ...placed({ lengths, needs }, start, gaps) };
}

/** Low bytes first, then high bytes: neighbours alike pack better. */
function column(values: Uint16Array): Uint8Array {
  const bytes = new Uint8Array(values.length * 2);
  values.forEach((value, i) => {
    bytes[i] = value & 255;
    bytes[values.length + i] = value >> 8;
  });
  return bytes;
}

function uncolumn(bytes: Uint8Array): Uint16Array {
  const count = bytes.length / 2;
  return Uint16Array.from({ length: count }, (_, i) => bytes[i]! | (bytes[count + i]! << 8));
}

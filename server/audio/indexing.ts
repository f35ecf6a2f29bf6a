import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ByteSource } from './bytes';
import { checkMp3, type Mp3, type Mp3Fault } from './check-mp3';
import { frameKbps, reservoirNeed } from './frame-header';

/** Where every frame with audio stands and what it needs, for seeking and cutting without reading the file again. */
export type FrameIndex = {
  version: 1 | 2 | 2.5;
  sampleRate: number;
  channels: 1 | 2;
  samplesPerFrame: number;
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
  const mp3 = await checkMp3(source, {
    ...options,
    onFrame: (bytes, at, length, position) => {
      if (list.count === 0) list.header = bytes.slice(at, at + 4);
      list.add(position, length, reservoirNeed(bytes, at));
    },
  });
  if (!mp3.ok) return mp3;
  const { version, sampleRate, channels, constantBitrate } = mp3;
  const bitrate = constantBitrate ? frameKbps(list.header, 0) * 1000 : mp3.bitrate;
  const samplesPerFrame = version === 1 ? 1152 : 576;
  const format = { version, sampleRate, channels, samplesPerFrame, constantBitrate, bitrate, header: list.header };
  return { ok: true, mp3, index: { ...format, ...list.done(mp3.audioEnd) } };
}

/** Growing lists of numbers; the first size is a guess at the shortest frames that are usual. */
function frameList(bytes: number) {
  let room = Math.min(200_000, Math.ceil(bytes / 300) + 16);
  let offsets = new Float64Array(room + 1);
  let lengths = new Uint16Array(room);
  let needs = new Uint16Array(room);
  const grow = () => {
    room *= 2;
    const [wide, long, deep] = [new Float64Array(room + 1), new Uint16Array(room), new Uint16Array(room)];
    wide.set(offsets);
    long.set(lengths);
    deep.set(needs);
    [offsets, lengths, needs] = [wide, long, deep];
  };
  const list = {
    count: 0,
    header: new Uint8Array(4),
    add(offset: number, length: number, need: number) {
      if (list.count === room) grow();
      offsets[list.count] = offset;
      lengths[list.count] = length;
      needs[list.count] = need;
      list.count += 1;
    },
    done(end: number) {
      const frames = list.count;
      offsets[frames] = end;
      const columns = { offsets: offsets.slice(0, frames + 1), lengths: lengths.slice(0, frames) };
      return { frames, ...columns, needs: needs.slice(0, frames), gaps: gapsIn(columns) };
    },
  };
  return list;
}

/** The frame that sounds at a time; at or behind the end, the number of frames. */
export function frameAt(index: FrameIndex, ms: number): number {
  const frame = Math.floor((Math.max(0, ms) * index.sampleRate) / 1000 / index.samplesPerFrame + 1e-6);
  return Math.min(index.frames, frame);
}

/** Milliseconds, with fractions, at which a frame begins. */
export function timeOf(index: FrameIndex, frame: number): number {
  return (frame * index.samplesPerFrame * 1000) / index.sampleRate;
}

function gapsIn({ offsets, lengths }: Pick<FrameIndex, 'offsets' | 'lengths'>): number[] {
  const gaps: number[] = [];
  for (let frame = 1; frame < lengths.length; frame++) {
    if (offsets[frame]! > offsets[frame - 1]! + lengths[frame - 1]!) gaps.push(frame);
  }
  return gaps;
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

/** About 170–200 KB for an hour: what stands in each frame, packed; offsets follow from lengths and gaps. */
export function encodeIndex(index: FrameIndex): Uint8Array {
  const { offsets, lengths, needs, header, gaps: gapFrames, ...facts } = index;
  const gaps = gapFrames.map((frame) => [frame, offsets[frame]! - offsets[frame - 1]! - lengths[frame - 1]!]);
  const head = new TextEncoder().encode(
    JSON.stringify({ ...facts, header: [...header], start: offsets[0], end: offsets[index.frames], gaps }),
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
  const { start, end, gaps, header, ...facts } = JSON.parse(buffer.toString('utf8', 8, headEnd));
  const columns = inflateRawSync(buffer.subarray(headEnd), { maxOutputLength: 4 * facts.frames + 1 });
  const lengths = uncolumn(columns.subarray(0, 2 * facts.frames));
  const needs = uncolumn(columns.subarray(2 * facts.frames));
  const offsets = new Float64Array(facts.frames + 1);
  const gapOf = new Map<number, number>(gaps);
  let at = start;
  for (let frame = 0; frame < facts.frames; frame++) {
    if (gapOf.size > 0) at += gapOf.get(frame) ?? 0;
    offsets[frame] = at;
    at += lengths[frame]!;
  }
  offsets[facts.frames] = end;
  return { ...facts, header: Uint8Array.from(header), offsets, lengths, needs, gaps: [...gapOf.keys()] };
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

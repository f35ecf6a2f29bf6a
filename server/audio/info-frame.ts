import { says, uint32 } from './bytes';
import { bodyOffset, CRC_BYTES, HEADER_BYTES, sideInfoBytes, silentFrame } from './frame-header';

/** The first frame of many files holds no audio but figures about the rest; null = that figure is not there. */
export type InfoFrame = {
  kind: 'Xing' | 'Info' | 'VBRI';
  frames: number | null;
  bytes: number | null;
  /** The program that wrote it, such as `LAME3.100`. */
  encoder: string | null;
  /** Samples per channel that the encoder put before and behind the sound; players that know leave them out. */
  gapless: Gapless | null;
};

export type Gapless = { delay: number; padding: number };

const TOC_BYTES = 100;
/** From the encoder's name to the three bytes of delay and padding. */
const GAPLESS_AT = 21;
/** Fraunhofer's VBRI stands at the same place in every format. */
const VBRI_AT = HEADER_BYTES + 32;

/** Reads the figures of the frame at `at`, or answers null when the frame holds audio. */
export function readInfoFrame(bytes: Uint8Array, at: number, length: number): InfoFrame | null {
  const frame = bytes.subarray(at, at + length);
  const xing = xingOffset(frame);
  if (xing !== null) return readXing(frame, xing);
  if (says(frame, VBRI_AT, 'VBRI') && frame.length >= VBRI_AT + 18) {
    const figures = { bytes: uint32(frame, VBRI_AT + 10), frames: uint32(frame, VBRI_AT + 14) };
    return { kind: 'VBRI', ...figures, encoder: null, gapless: null };
  }
  return null;
}

/** LAME writes the tag as if there were no CRC even when its header announces one: both places count. */
function xingOffset(frame: Uint8Array): number | null {
  const plain = HEADER_BYTES + sideInfoBytes(frame, 0);
  const at = [plain, plain + CRC_BYTES].find((offset) => says(frame, offset, 'Xing') || says(frame, offset, 'Info'));
  return at !== undefined && frame.length >= at + 8 ? at : null;
}

function readXing(frame: Uint8Array, at: number): InfoFrame {
  const flags = uint32(frame, at + 4);
  let next = at + 8;
  const figure = (flag: number) => {
    if (!(flags & flag) || next + 4 > frame.length) return null;
    next += 4;
    return uint32(frame, next - 4);
  };
  const frames = figure(1);
  const bytes = figure(2);
  if (flags & 4) next += TOC_BYTES;
  figure(8);
  return { kind: says(frame, at, 'Xing') ? 'Xing' : 'Info', frames, bytes, ...readLame(frame, next) };
}

/** LAME's part, which FFmpeg writes too. */
function readLame(frame: Uint8Array, at: number): Pick<InfoFrame, 'encoder' | 'gapless'> {
  const name = /^(?:LAME|Lav[cf]|L3\.99)[ -~]*/.exec(String.fromCharCode(...frame.subarray(at, at + 9)))?.[0];
  if (name === undefined || at + GAPLESS_AT + 3 > frame.length) return { encoder: null, gapless: null };
  const [first = 0, second = 0, third = 0] = frame.subarray(at + GAPLESS_AT);
  const delay = (first << 4) | (second >> 4);
  const padding = ((second & 15) << 8) | third;
  return { encoder: name.trimEnd(), gapless: delay + padding > 0 ? { delay, padding } : null };
}

/**
 * A frame of silence with figures about a stream, for the stream's beginning. It says nothing of delay and padding: what a
 * rendition joins has none that a player could leave out.
 * @param like four header bytes of the stream
 * @param positionAt the byte, counted from this frame's first, at which a share (0–1) of the stream's time begins
 */
export function writeInfoFrame(
  like: Uint8Array,
  stream: { constantBitrate: boolean; frames: number; bytes: number },
  positionAt: (share: number, infoBytes: number) => number,
): Uint8Array {
  const frame = silentFrame(like, 16 + TOC_BYTES);
  if (frame === null) throw new Error('no bit rate has room for the figures');
  const view = new DataView(frame.buffer);
  const at = bodyOffset(frame, 0);
  const bytes = stream.bytes + frame.length;
  frame.set(new TextEncoder().encode(stream.constantBitrate ? 'Info' : 'Xing'), at);
  view.setUint32(at + 4, 1 | 2 | 4);
  view.setUint32(at + 8, stream.frames);
  view.setUint32(at + 12, bytes);
  for (let percent = 0; percent < TOC_BYTES; percent++) {
    // rounded, not cut off: a step is 1/256 of the file, and cutting would always land early
    frame[at + 16 + percent] = Math.min(255, Math.round((256 * positionAt(percent / 100, frame.length)) / bytes));
  }
  return frame;
}

import { says, uint32 } from './bytes';
import { type FrameFormat, frameFormat } from './frame-header';

/** The first frame of many files holds no audio but figures about the rest; null = that figure is not there. */
export type InfoFrame = { kind: 'Xing' | 'Info' | 'VBRI'; frames: number | null; bytes: number | null };

const HEADER = 4;
const CRC = 2;
/** Fraunhofer's VBRI stands at the same place in every format. */
const VBRI_AT = HEADER + 32;

/** Reads the figures of the frame at `at`, or answers null when the frame holds audio. */
export function readInfoFrame(bytes: Uint8Array, at: number, length: number): InfoFrame | null {
  const frame = bytes.subarray(at, at + length);
  const xing = xingOffset(frame, frameFormat(bytes, at));
  if (xing !== null) return readXing(frame, xing);
  if (says(frame, VBRI_AT, 'VBRI') && frame.length >= VBRI_AT + 18) {
    return { kind: 'VBRI', bytes: uint32(frame, VBRI_AT + 10), frames: uint32(frame, VBRI_AT + 14) };
  }
  return null;
}

/** LAME writes the tag as if there were no CRC even when its header announces one: both places count. */
function xingOffset(frame: Uint8Array, format: FrameFormat): number | null {
  const plain = HEADER + format.sideInfoBytes;
  const at = [plain, plain + CRC].find((offset) => says(frame, offset, 'Xing') || says(frame, offset, 'Info'));
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
  return { kind: says(frame, at, 'Xing') ? 'Xing' : 'Info', frames, bytes };
}

import { hasTextAt, uint32 } from './bytes';
import { bodyOffset, CRC_BYTES, HEADER_BYTES, sideInfoBytes, silentFrame } from './frame-header';

/** The first frame of many files contains numbers about the file instead of audio; null = the field is missing. */
export type InfoFrame = {
  kind: 'Xing' | 'Info' | 'VBRI';
  frames: number | null;
  bytes: number | null;
  /** The encoder, such as `LAME3.100`. */
  encoder: string | null;
  /** Samples per channel that the encoder added before and after the audio; capable players skip them. */
  gapless: Gapless | null;
};

export type Gapless = { delay: number; padding: number };

const TOC_BYTES = 100;
/** Offset from the encoder's name to the three bytes of delay and padding. */
const GAPLESS_AT = 21;
/** Fraunhofer's VBRI has the same offset in every format. */
const VBRI_AT = HEADER_BYTES + 32;

/** Reads the info frame at `at`; null if the frame contains audio. */
export function readInfoFrame(bytes: Uint8Array, at: number, length: number): InfoFrame | null {
  const frame = bytes.subarray(at, at + length);
  const xing = xingOffset(frame);
  if (xing !== null) return readXing(frame, xing);
  if (hasTextAt(frame, VBRI_AT, 'VBRI') && frame.length >= VBRI_AT + 18) {
    const fields = { bytes: uint32(frame, VBRI_AT + 10), frames: uint32(frame, VBRI_AT + 14) };
    return { kind: 'VBRI', ...fields, encoder: null, gapless: null };
  }
  return null;
}

/** LAME ignores the CRC when it places the tag, even if the header announces one: both positions are valid. */
function xingOffset(frame: Uint8Array): number | null {
  const plain = HEADER_BYTES + sideInfoBytes(frame, 0);
  const at = [plain, plain + CRC_BYTES].find(
    (offset) => hasTextAt(frame, offset, 'Xing') || hasTextAt(frame, offset, 'Info'),
  );
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
  return { kind: hasTextAt(frame, at, 'Xing') ? 'Xing' : 'Info', frames, bytes, ...readLame(frame, next) };
}

/** LAME's extension, which FFmpeg writes too. */
function readLame(frame: Uint8Array, at: number): Pick<InfoFrame, 'encoder' | 'gapless'> {
  const name = /^(?:LAME|Lav[cf]|L3\.99)[ -~]*/.exec(String.fromCharCode(...frame.subarray(at, at + 9)))?.[0];
  if (name === undefined || at + GAPLESS_AT + 3 > frame.length) return { encoder: null, gapless: null };
  const [first = 0, second = 0, third = 0] = frame.subarray(at + GAPLESS_AT);
  const delay = (first << 4) | (second >> 4);
  const padding = ((second & 15) << 8) | third;
  return { encoder: name.trimEnd(), gapless: delay + padding > 0 ? { delay, padding } : null };
}

/**
 * A silent info frame for the start of a stream. It has no delay and padding, because a rendition has none that a
 * player could skip.
 * @param like four header bytes of the stream
 * @param positionAt the byte, counted from the start of this frame, at which a share (0–1) of the stream's time starts
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
    // rounded, not truncated: a step is 1/256 of the file, and truncating would always seek too early
    frame[at + 16 + percent] = Math.min(255, Math.round((256 * positionAt(percent / 100, frame.length)) / bytes));
  }
  return frame;
}

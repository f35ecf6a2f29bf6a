import { type ByteSource, openWindow, slice, type Window } from './bytes';
import { container } from './container';
import { type FrameFormat, frameFormat, frameKbps } from './frame-header';
import { findStream, type Span, type Walk, walkFrames } from './frames';
import { headLength, tailStart } from './id3';
import { type InfoFrame, readInfoFrame } from './info-frame';

export type Mp3 = {
  ok: true;
  version: 1 | 2 | 2.5;
  sampleRate: number;
  channels: 1 | 2;
  /** Frames with audio; the Xing, Info or VBRI frame is not one. */
  frames: number;
  /** Per channel; exact. */
  samples: number;
  durationMs: number;
  /** Average, in bits per second. */
  bitrate: number;
  constantBitrate: boolean;
  infoFrame: InfoFrame | null;
  /** Bytes of ID3v2 at the head. */
  headBytes: number;
  /** Where the first frame with audio begins, and where the last one ends. */
  audioStart: number;
  audioEnd: number;
  tailBytes: number;
  junkBytes: number;
  warnings: Mp3Warning[];
};

export type Mp3Warning = 'variable_bitrate' | 'junk' | 'last_frame_cut' | 'frames_missing';

/**
 * `detail` is for the log, not for people: what the file is instead, or the figures behind the verdict.
 * `empty` no bytes · `not_mp3` no Layer III stream · `damaged` too much of it is something else ·
 * `truncated` it ends long before its own figures say · `too_short` below `minDurationMs`.
 */
export type Mp3Fault = {
  ok: false;
  reason: 'empty' | 'not_mp3' | 'damaged' | 'truncated' | 'too_short';
  detail: string;
};

export type Mp3Verdict = Mp3 | Mp3Fault;

/** Bytes that may stand between the ID3 tag and the first frame. */
const MAX_LEAD_JUNK = 64 * 1024;
const MAX_JUNK_SHARE = 0.05;
/** A file that holds less than this share of the frames that it announces was cut off on its way. */
const MIN_FRAMES_SHARE = 0.98;
/** Some writers announce one frame too many. */
const FRAMES_SLACK = 1;

/** Reads every frame header of the file and judges whether it is an MP3 that podcast apps can play. */
export async function checkMp3(source: ByteSource, options: { minDurationMs?: number } = {}): Promise<Mp3Verdict> {
  if (source.size === 0) return fault('empty', 'no bytes');
  const headBytes = await headLength(source);
  if (headBytes >= source.size) return fault('truncated', `ID3 tag of ${headBytes} bytes in ${source.size}`);
  const first = await slice(source, headBytes, 512);
  const other = container(first);
  if (other !== null) return fault('not_mp3', other);

  const window = openWindow(source);
  const end = await tailStart(source, headBytes);
  const start = await findStream(
    window,
    { start: headBytes, end },
    { limit: Math.min(end, headBytes + MAX_LEAD_JUNK) },
  );
  if (start === null) return fault('not_mp3', 'no frames');
  return judge(window, { start, end }, headBytes, options.minDurationMs ?? 0);
}

async function judge(window: Window, span: Span, headBytes: number, minDurationMs: number): Promise<Mp3Verdict> {
  const seen = await survey(window, span);
  const { walk, format, infoFrame } = seen;
  const junkBytes = walk.junkBytes + span.start - headBytes;
  if (walk.gaveUp) return fault('damaged', `over ${walk.junkBytes} bytes of junk`);
  if (format === null) return fault('too_short', 'no frame with audio');

  const frames = walk.frames - (infoFrame ? 1 : 0);
  const missing = missingFrames(infoFrame, frames, walk.frameBytes);
  if (missing.share > 1 - MIN_FRAMES_SHARE) return fault('truncated', `${frames} frames, ${missing.frames} missing`);
  const samples = frames * format.samplesPerFrame;
  const seconds = samples / format.sampleRate;
  if (seconds * 1000 < minDurationMs) return fault('too_short', `${seconds.toFixed(3)} s`);

  const { version, sampleRate, channels } = format;
  return {
    ok: true,
    version,
    sampleRate,
    channels,
    frames,
    samples,
    durationMs: Math.round(seconds * 1000),
    bitrate: Math.round((seen.audioBytes * 8) / seconds),
    constantBitrate: seen.constantBitrate,
    infoFrame,
    headBytes,
    audioStart: seen.audioStart,
    audioEnd: seen.audioEnd,
    tailBytes: window.source.size - span.end,
    junkBytes,
    warnings: warningsOf(seen, junkBytes, missing.frames),
  };
}

function warningsOf({ walk, constantBitrate }: Survey, junkBytes: number, missingFrames: number): Mp3Warning[] {
  const warnings: [Mp3Warning, boolean][] = [
    ['variable_bitrate', !constantBitrate],
    ['junk', junkBytes > 0],
    ['last_frame_cut', walk.cutBytes > 0],
    ['frames_missing', missingFrames > FRAMES_SLACK],
  ];
  return warnings.filter(([, applies]) => applies).map(([warning]) => warning);
}

type Survey = {
  walk: Walk;
  infoFrame: InfoFrame | null;
  /** Of the first frame with audio; null when there is none. */
  format: FrameFormat | null;
  constantBitrate: boolean;
  audioBytes: number;
  audioStart: number;
  audioEnd: number;
};

async function survey(window: Window, span: Span): Promise<Survey> {
  const seen: Omit<Survey, 'walk'> = {
    infoFrame: null,
    format: null,
    constantBitrate: true,
    audioBytes: 0,
    audioStart: span.start,
    audioEnd: span.start,
  };
  let kbps = 0;
  const maxJunk = (span.end - span.start) * MAX_JUNK_SHARE;
  const walk = await walkFrames(window, span, maxJunk, (bytes, at, length, position) => {
    if (position === span.start) seen.infoFrame = readInfoFrame(bytes, at, length);
    if (position === span.start && seen.infoFrame) return;
    if (seen.format === null) {
      seen.format = frameFormat(bytes, at);
      seen.audioStart = position;
      kbps = frameKbps(bytes, at);
    } else if (seen.constantBitrate && frameKbps(bytes, at) !== kbps) seen.constantBitrate = false;
    seen.audioBytes += length;
    seen.audioEnd = position + length;
  });
  return { ...seen, walk };
}

/** What the file's own figures say is not there: in frames, and as a share of the whole. */
function missingFrames(info: InfoFrame | null, frames: number, bytes: number): { frames: number; share: number } {
  if (info?.frames) {
    const missing = Math.max(0, info.frames - frames);
    return { frames: missing, share: missing > FRAMES_SLACK ? missing / info.frames : 0 };
  }
  if (info?.bytes && frames > 0) {
    const share = Math.max(0, (info.bytes - bytes) / info.bytes);
    return { frames: Math.round((share * frames) / (1 - share)), share };
  }
  return { frames: 0, share: 0 };
}

function fault(reason: Mp3Fault['reason'], detail: string): Mp3Fault {
  return { ok: false, reason, detail };
}

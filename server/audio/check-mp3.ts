import { type ByteSource, openWindow, readSlice, type Window } from './bytes';
import { detectOtherFormat } from './container';
import { frameKbps, type StreamFormat, streamFormat, timeOf } from './frame-header';
import { findLeadStream, type OnFrame, type Span, type Walk, walkFrames } from './frames';
import { headTags, type TagSpan, tailTags } from './id3';
import { type InfoFrame, readInfoFrame } from './info-frame';

/** The format is that of the first audio frame. */
export type Mp3 = StreamFormat & {
  ok: true;
  /** Audio frames; a Xing, Info or VBRI frame is not counted. */
  frames: number;
  /** Per channel, exact. */
  samples: number;
  durationMs: number;
  /** Average, in bits per second. */
  bitrate: number;
  constantBitrate: boolean;
  infoFrame: InfoFrame | null;
  /** Size of the leading ID3v2 tags. */
  headBytes: number;
  /** Start of the first audio frame and end of the last one. */
  audioStart: number;
  audioEnd: number;
  tailBytes: number;
  /** Tags at both ends, in file order. */
  tags: TagSpan[];
  junkBytes: number;
  warnings: Mp3Warning[];
};

export type Mp3Warning = (typeof MP3_WARNINGS)[number];
export const MP3_WARNINGS = [
  'variable_bitrate',
  'junk',
  'last_frame_cut',
  'frames_missing',
  'frames_unannounced',
  'large_head',
] as const;

/**
 * `detail` is for logs only: the actual format, or the numbers behind the result.
 * `empty` no bytes · `not_mp3` no Layer III stream · `free_format` frames don't state their length ·
 * `mixed_formats` joined from files of different formats · `damaged` too much of the file is not audio ·
 * `truncated` much shorter than its info frame states · `too_short` below `minDurationMs`.
 */
export type Mp3Fault = {
  ok: false;
  reason: Mp3Reason;
  detail: string;
  /** Set for a file in another format, if it was recognised. */
  format?: string;
  /** Set for a `truncated` file with audio: where it ends, and how long its info frame says it is. */
  ends?: { atMs: number; ofMs: number };
};

export type Mp3Reason = (typeof MP3_REASONS)[number];
export const MP3_REASONS = [
  'empty',
  'not_mp3',
  'free_format',
  'mixed_formats',
  'damaged',
  'truncated',
  'too_short',
] as const;

export type Mp3Verdict = Mp3 | Mp3Fault;

const MAX_JUNK_SHARE = 0.05;
/** A file with less than this share of the announced frames counts as truncated. */
const MIN_FRAMES_SHARE = 0.98;
/** Some encoders announce one frame too many. */
const FRAMES_SLACK = 1;

export type CheckOptions = {
  minDurationMs?: number;
  /** Called for every audio frame. */
  onFrame?: OnFrame;
};

/** Reads every frame header and decides whether podcast apps can play the file. */
export async function checkMp3(source: ByteSource, options: CheckOptions = {}): Promise<Mp3Verdict> {
  if (source.size === 0) return fault('empty', 'no bytes');
  const head = await headTags(source);
  const headBytes = head.at(-1)?.end ?? 0;
  if (headBytes === source.size) return fault('too_short', 'nothing but tags');
  if (headBytes > source.size) return fault('truncated', `tag of ${headBytes} bytes in ${source.size}`);
  const other = detectOtherFormat(await readSlice(source, headBytes, 512));
  if (other === 'free format') return fault('free_format', other);
  if (other !== null) return { ...fault('not_mp3', other), format: other };

  const tail = await tailTags(source, headBytes);
  const end = tail.at(-1)?.start ?? source.size;
  const window = openWindow(source);
  const start = await findLeadStream(window, { start: headBytes, end });
  if (start === null) return fault('not_mp3', 'no frames');
  const survey = await surveyFrames(window, { start, end }, options.onFrame);
  survey.walk.junkBytes += start - headBytes;
  const ends = { headBytes, tailBytes: source.size - end, tags: [...head, ...tail.reverse()] };
  return judge(survey, ends, options.minDurationMs ?? 0);
}

function judge({ walk, format, audioBytes, facts }: Survey, ends: Ends, minDurationMs: number): Mp3Verdict {
  if (walk.foreignAt !== null) return fault('mixed_formats', `another format from byte ${walk.foreignAt}`);
  if (walk.gaveUp) return fault('damaged', `${walk.junkBytes} bytes of junk in ${walk.gaps} gaps`);
  if (format === null) return fault('too_short', 'no frame with audio');
  const { frames, infoFrame } = facts;
  const missing = missingFrames(infoFrame, frames, walk.frameBytes);
  const ms = timeOf(format, frames);
  if (missing.share > 1 - MIN_FRAMES_SHARE) {
    const ends = { atMs: ms, ofMs: timeOf(format, frames + missing.frames) };
    return { ...fault('truncated', `${frames} frames, ${missing.frames} missing`), ends };
  }
  if (ms < minDurationMs) return fault('too_short', `${(ms / 1000).toFixed(3)} s`);
  return {
    ok: true,
    ...format,
    ...facts,
    ...ends,
    samples: frames * format.samplesPerFrame,
    durationMs: Math.round(ms),
    bitrate: Math.round((audioBytes * 8000) / ms),
    junkBytes: walk.junkBytes,
    warnings: warningsOf(walk, { ...facts, headBytes: ends.headBytes }, missing.frames),
  };
}

/** Players load the tags before the sound: 2 MB take 16 seconds at 1 Mbit/s. */
const LARGE_HEAD_BYTES = 2_000_000;

type WarnedFacts = Survey['facts'] & Pick<Ends, 'headBytes'>;

function warningsOf(walk: Walk, facts: WarnedFacts, missingFrames: number): Mp3Warning[] {
  const announced = facts.infoFrame?.frames || facts.frames;
  const applies: Record<Mp3Warning, boolean> = {
    variable_bitrate: !facts.constantBitrate,
    junk: walk.junkBytes > 0,
    last_frame_cut: walk.cutBytes > 0,
    frames_missing: missingFrames > FRAMES_SLACK,
    frames_unannounced: facts.frames > announced + FRAMES_SLACK,
    large_head: facts.headBytes > LARGE_HEAD_BYTES,
  };
  return MP3_WARNINGS.filter((warning) => applies[warning]);
}

type Ends = Pick<Mp3, 'headBytes' | 'tailBytes' | 'tags'>;

type Survey = {
  walk: Walk;
  /** Header of the first audio frame; null if there is none. */
  format: StreamFormat | null;
  audioBytes: number;
  facts: Pick<Mp3, 'frames' | 'infoFrame' | 'constantBitrate' | 'audioStart' | 'audioEnd'>;
};

const NO_FRAMES = { frames: 0, infoFrame: null, constantBitrate: true };

async function surveyFrames(window: Window, { start, end }: Span, onFrame?: OnFrame): Promise<Survey> {
  const facts: Survey['facts'] = { ...NO_FRAMES, audioStart: start, audioEnd: start };
  let format: StreamFormat | null = null;
  let kbps = 0;
  let audioBytes = 0;
  const walk = await walkFrames(
    window,
    { start, end, maxJunk: (end - start) * MAX_JUNK_SHARE },
    (bytes, at, length, position) => {
      if (position === start) {
        facts.infoFrame = readInfoFrame(bytes, at, length);
        if (facts.infoFrame) return;
      }
      if (facts.frames === 0) {
        format = streamFormat(bytes, at);
        facts.audioStart = position;
        kbps = frameKbps(bytes, at);
      } else if (facts.constantBitrate && frameKbps(bytes, at) !== kbps) facts.constantBitrate = false;
      facts.frames += 1;
      facts.audioEnd = position + length;
      audioBytes += length;
      onFrame?.(bytes, at, length, position);
    },
  );
  return { walk, format, audioBytes, facts };
}

/** Frames that the info frame announces but the file lacks: their number, and their share of the total. */
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

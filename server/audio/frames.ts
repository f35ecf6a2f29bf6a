import { loadWindow, type Window } from './bytes';
import { frameLength, HEADER_BYTES, LONGEST_FRAME, signature } from './frame-header';
import { leadingTag } from './id3';

/**
 * Maximum junk between the ID3 tag and the first frame: more than the largest cover, in case the tag states a wrong
 * size.
 */
const MAX_LEAD_JUNK = 16 * 1024 * 1024;
/** Consecutive headers that make a stream: fewer occur by chance in any binary file. */
const CHAIN_LENGTH = 3;
/**
 * Joined files have a gap for each part. Every gap of an episode is a range of its own for each listener, so a file
 * with tags between all of its frames would cost a thousand times as much as any other.
 */
const MAX_GAPS = 1000;
const LOOKAHEAD = CHAIN_LENGTH * LONGEST_FRAME + HEADER_BYTES;

/** Called for each frame, in order: its offset in `bytes`, its length, and its position in the file. */
export type OnFrame = (bytes: Uint8Array, at: number, length: number, position: number) => void;

export type Span = { start: number; end: number };

export type Walk = {
  frames: number;
  frameBytes: number;
  junkBytes: number;
  /** Bytes of an incomplete last frame. */
  cutBytes: number;
  /** Places between frames that contain something else. */
  gaps: number;
  /** Stopped early because there was more junk than `maxJunk`, or more gaps than `MAX_GAPS`. */
  gaveUp: boolean;
  /** Stopped early because a stream of another format starts here. */
  foreignAt: number | null;
};

type Pass = { end: number; maxJunk: number; expected: number; onFrame: OnFrame; walk: Walk };

/**
 * Visits every frame of one stream between `start`, where a frame must start, and `end`. Skips and counts everything
 * that is not a frame of the same version and sample rate. Uses one window of memory, whatever the size of the file.
 */
export async function walkFrames(
  window: Window,
  { start, end, maxJunk }: Span & { maxJunk: number },
  onFrame: OnFrame,
): Promise<Walk> {
  const walk: Walk = { frames: 0, frameBytes: 0, junkBytes: 0, cutBytes: 0, gaps: 0, gaveUp: false, foreignAt: null };
  await loadWindow(window, start, LONGEST_FRAME);
  const pass = { end, maxJunk, expected: signature(window.bytes, start - window.base), onFrame, walk };
  let isInGap = false;
  for (let position = start; position < end; ) {
    await loadWindow(window, position, LONGEST_FRAME);
    const framesEnd = takeFrames(window, position, pass);
    const isFrame = framesEnd > position;
    if (isFrame && isInGap) walk.gaps += 1;
    if (walk.gaps > MAX_GAPS) return { ...walk, gaveUp: true };
    position = isFrame ? framesEnd : await skipToNextFrame(window, position, pass);
    isInGap = !isFrame;
  }
  return walk;
}

/** Visits the consecutive whole frames in memory; returns where they end. */
function takeFrames(window: Window, from: number, { end, expected, onFrame, walk }: Pass): number {
  const { bytes, base } = window;
  const limit = Math.min(window.length, end - base);
  let at = from - base;
  while (at + HEADER_BYTES <= limit) {
    const length = frameLength(bytes, at);
    if (length === 0 || at + length > limit || signature(bytes, at) !== expected) break;
    onFrame(bytes, at, length, base + at);
    walk.frames += 1;
    walk.frameBytes += length;
    at += length;
  }
  return base + at;
}

/** The start of the next frame after non-audio bytes; the end of the span if there is none. */
async function skipToNextFrame(
  window: Window,
  position: number,
  { end, maxJunk, expected, walk }: Pass,
): Promise<number> {
  if (isChain(window, position - window.base, { length: 1, expected })) {
    walk.cutBytes = end - position;
    return end;
  }
  // joined files have tags in the middle: these are known bytes, not junk
  const [, tag] = leadingTag(window.bytes.subarray(0, window.length), position - window.base);
  if (tag > 0 && position + tag <= end) return position + tag;
  await loadWindow(window, position, LOOKAHEAD);
  if (isChain(window, position - window.base, {})) {
    walk.foreignAt = position;
    return end;
  }
  const next = (await findStream(window, { start: position + 1, end }, expected)) ?? end;
  walk.junkBytes += next - position;
  walk.gaveUp = walk.junkBytes > maxJunk;
  return walk.gaveUp ? end : next;
}

/**
 * The first position in `span` where a stream starts: three consistent headers in a row, or fewer if the last one ends
 * exactly at the end of the span. Null if no stream starts before `limit`.
 * @param expected a signature; fewer than three headers must match it
 */
async function findStream(
  window: Window,
  { start, end, limit = end }: Span & { limit?: number },
  expected: number | null = null,
): Promise<number | null> {
  for (let position = start; position + HEADER_BYTES <= limit; ) {
    await loadWindow(window, position, LOOKAHEAD);
    const loaded = window.base + window.length;
    const whole = loaded >= window.source.size;
    const to = Math.max(position + 1, Math.min(limit - 3, loaded - (whole ? 3 : LOOKAHEAD - 1)));
    for (let at = nextSync(window, position); at < to; at = nextSync(window, at + 1)) {
      const first = at - window.base;
      if (isChain(window, first, {}) || isChain(window, first, { end: end - window.base, expected })) return at;
    }
    position = to;
  }
  return null;
}

/** The first stream of a file between its tags; null if there is no stream within the searched part. */
export async function findLeadStream(window: Window, { start, end }: Span): Promise<number | null> {
  return findStream(window, { start, end, limit: Math.min(end, start + MAX_LEAD_JUNK) });
}

/** The next byte in memory that can start a header; infinity if there is none. */
function nextSync({ bytes, base, length }: Window, from: number): number {
  const at = bytes.indexOf(0xff, from - base);
  return at === -1 || at >= length ? Number.POSITIVE_INFINITY : base + at;
}

type Chain = { length?: number; end?: number; expected?: number | null };

/**
 * Whether headers with one signature (`expected`, if given) follow each other from `first`: `length` of them, or up to
 * `end`.
 */
function isChain(window: Window, first: number, { length = CHAIN_LENGTH, end, expected = null }: Chain): boolean {
  const mark = expected ?? signature(window.bytes, first);
  let at = first;
  for (let seen = 0; seen < length; seen++) {
    if (at === end && seen > 0) return true;
    if (at + HEADER_BYTES > window.length || signature(window.bytes, at) !== mark) return false;
    const bytes = frameLength(window.bytes, at);
    if (bytes === 0) return false;
    at += bytes;
  }
  return true;
}

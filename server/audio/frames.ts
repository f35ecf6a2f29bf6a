import { load, type Window } from './bytes';
import { frameLength, HEADER_BYTES, LONGEST_FRAME, signature } from './frame-header';
import { leadingTag } from './id3';

/** Headers in a row that make a stream: fewer appear by chance in any binary file. */
const CHAIN = 3;
const LOOKAHEAD = CHAIN * LONGEST_FRAME + HEADER_BYTES;

/** Called for each frame, in order: where it stands in `bytes`, how long it is, and its place in the file. */
export type OnFrame = (bytes: Uint8Array, at: number, length: number, position: number) => void;

export type Span = { start: number; end: number };

export type Walk = {
  frames: number;
  frameBytes: number;
  junkBytes: number;
  /** Bytes of a last frame that is not all there. */
  cutBytes: number;
  /** Ended early, because more junk than `maxJunk` had turned up. */
  gaveUp: boolean;
  /** Ended early, because a stream of another format begins here. */
  foreignAt: number | null;
};

type Pass = { end: number; maxJunk: number; wanted: number; onFrame: OnFrame; walk: Walk };

/**
 * Visits every frame of one stream between `start`, where a frame must stand, and `end`. What is no frame of the same version
 * and sample rate is stepped over and counted. Memory: one window, whatever the size of the file.
 */
export async function walkFrames(
  window: Window,
  { start, end, maxJunk }: Span & { maxJunk: number },
  onFrame: OnFrame,
): Promise<Walk> {
  const walk: Walk = { frames: 0, frameBytes: 0, junkBytes: 0, cutBytes: 0, gaveUp: false, foreignAt: null };
  await load(window, start, LONGEST_FRAME);
  const pass = { end, maxJunk, wanted: signature(window.bytes, start - window.base), onFrame, walk };
  for (let position = start; position < end; ) {
    await load(window, position, LONGEST_FRAME);
    const reached = takeFrames(window, position, pass);
    position = reached > position ? reached : await stepOver(window, position, pass);
  }
  return walk;
}

/** Takes the whole frames of the stream that are in memory, one behind the other; answers where that ends. */
function takeFrames(window: Window, from: number, { end, wanted, onFrame, walk }: Pass): number {
  const { bytes, base } = window;
  const limit = Math.min(window.length, end - base);
  let at = from - base;
  while (at + HEADER_BYTES <= limit) {
    const length = frameLength(bytes, at);
    if (length === 0 || at + length > limit || signature(bytes, at) !== wanted) break;
    onFrame(bytes, at, length, base + at);
    walk.frames += 1;
    walk.frameBytes += length;
    at += length;
  }
  return base + at;
}

/** Where the walk goes on behind what is no whole frame of the stream; at the end of the span when it does not. */
async function stepOver(window: Window, position: number, { end, maxJunk, wanted, walk }: Pass): Promise<number> {
  if (isChain(window, position - window.base, { length: 1, wanted })) {
    walk.cutBytes = end - position;
    return end;
  }
  // files glued together carry each other's tags in the middle: known bytes, no junk
  const [, tag] = leadingTag(window.bytes.subarray(0, window.length), position - window.base);
  if (tag > 0 && position + tag <= end) return position + tag;
  await load(window, position, LOOKAHEAD);
  if (isChain(window, position - window.base, {})) {
    walk.foreignAt = position;
    return end;
  }
  const next = (await findStream(window, { start: position + 1, end }, wanted)) ?? end;
  walk.junkBytes += next - position;
  walk.gaveUp = walk.junkBytes > maxJunk;
  return walk.gaveUp ? end : next;
}

/**
 * The first place in `span` at which a stream begins: three headers in a row that agree with each other, or fewer when the last
 * of them ends exactly where the span does. Null when there is none before `limit`.
 * @param wanted a signature: then fewer than three headers must have that
 */
export async function findStream(
  window: Window,
  { start, end, limit = end }: Span & { limit?: number },
  wanted: number | null = null,
): Promise<number | null> {
  for (let position = start; position + HEADER_BYTES <= limit; ) {
    await load(window, position, LOOKAHEAD);
    const loaded = window.base + window.length;
    const whole = loaded >= window.source.size;
    const to = Math.max(position + 1, Math.min(limit - 3, loaded - (whole ? 3 : LOOKAHEAD - 1)));
    for (let at = nextSync(window, position); at < to; at = nextSync(window, at + 1)) {
      const first = at - window.base;
      if (isChain(window, first, {}) || isChain(window, first, { end: end - window.base, wanted })) return at;
    }
    position = to;
  }
  return null;
}

/** The next byte in memory with which a header may begin; infinity when there is none. */
function nextSync({ bytes, base, length }: Window, from: number): number {
  const at = bytes.indexOf(0xff, from - base);
  return at === -1 || at >= length ? Number.POSITIVE_INFINITY : base + at;
}

type Chain = { length?: number; end?: number; wanted?: number | null };

/** Whether `length` headers with one signature (that of `wanted`, if any) follow each other from `first` on, or up to `end`. */
function isChain(window: Window, first: number, { length = CHAIN, end, wanted = null }: Chain): boolean {
  const mark = wanted ?? signature(window.bytes, first);
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

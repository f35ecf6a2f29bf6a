import { holds, load, type Window } from './bytes';
import { frameLength, LONGEST_FRAME, signature } from './frame-header';
import { id3v2Length } from './id3';

/** Headers in a row that make a stream: fewer appear by chance in any binary file. */
const CHAIN = 3;
const LOOKAHEAD = CHAIN * LONGEST_FRAME + 4;

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

/**
 * Visits every frame of one stream between `span.start`, where a frame must stand, and `span.end`. What is no frame of
 * the same version and sample rate is stepped over and counted. Memory: one window, whatever the size of the file.
 */
export async function walkFrames(window: Window, span: Span, maxJunk: number, onFrame: OnFrame): Promise<Walk> {
  const walk: Walk = { frames: 0, frameBytes: 0, junkBytes: 0, cutBytes: 0, gaveUp: false, foreignAt: null };
  await load(window, span.start, LONGEST_FRAME);
  const wanted = signature(window.bytes, span.start - window.base);
  let position = span.start;
  while (position < span.end) {
    if (!holds(window, position, LONGEST_FRAME)) await load(window, position, LONGEST_FRAME);
    const at = position - window.base;
    const length = frameLength(window.bytes, at);
    if (length === 0 || signature(window.bytes, at) !== wanted) {
      const tag = await skipTag(window, position, span.end);
      if (!tag && (await beginsStream(window, position))) {
        walk.foreignAt = position;
        break;
      }
      const next = tag ?? (await skipJunk(window, position, span.end, wanted));
      walk.junkBytes += next.junk;
      position = next.position;
      walk.gaveUp = walk.junkBytes > maxJunk;
      if (walk.gaveUp) break;
      continue;
    }
    if (position + length > span.end) {
      walk.cutBytes = span.end - position;
      break;
    }
    onFrame(window.bytes, at, length, position);
    walk.frames += 1;
    walk.frameBytes += length;
    position += length;
  }
  return walk;
}

/** Files glued together carry the second one's ID3 tag in the middle: known bytes, no junk. */
async function skipTag(window: Window, position: number, end: number) {
  await load(window, position, 10);
  const length = id3v2Length(window.bytes.subarray(0, window.length), position - window.base);
  return length > 0 && position + length < end ? { position: position + length, junk: 0 } : null;
}

async function beginsStream(window: Window, position: number): Promise<boolean> {
  await load(window, position, LOOKAHEAD);
  return isChain(window, position - window.base, Number.POSITIVE_INFINITY, null);
}

async function skipJunk(window: Window, position: number, end: number, wanted: number) {
  const next = (await findStream(window, { start: position + 1, end }, { wanted })) ?? end;
  return { position: next, junk: next - position };
}

/**
 * The first place in `span` at which a stream begins: three headers in a row that agree with each other (and with `wanted`,
 * a signature), or fewer when the last of them ends exactly where the span does. Null when there is none before `limit`.
 */
export async function findStream(
  window: Window,
  span: Span,
  { wanted = null, limit = span.end }: { wanted?: number | null; limit?: number } = {},
): Promise<number | null> {
  let position = span.start;
  while (position + 4 <= limit) {
    await load(window, position, LOOKAHEAD);
    const loaded = window.base + window.length;
    const whole = loaded >= window.source.size;
    const to = Math.max(position + 1, Math.min(limit - 3, loaded - (whole ? 3 : LOOKAHEAD - 1)));
    const found = scan(window, position, to, span.end, wanted);
    if (found !== null) return found;
    position = to;
  }
  return null;
}

function scan(window: Window, from: number, to: number, end: number, wanted: number | null): number | null {
  let at = window.bytes.indexOf(0xff, from - window.base);
  while (at !== -1 && at + window.base < to) {
    if (isChain(window, at, end - window.base, wanted)) return at + window.base;
    at = window.bytes.indexOf(0xff, at + 1);
  }
  return null;
}

function isChain(window: Window, first: number, end: number, wanted: number | null): boolean {
  const mark = wanted ?? signature(window.bytes, first);
  let at = first;
  for (let seen = 0; seen < CHAIN; seen++) {
    if (at === end && seen > 0) return true;
    if (at + 4 > window.length || signature(window.bytes, at) !== mark) return false;
    const length = frameLength(window.bytes, at);
    if (length === 0) return false;
    at += length;
  }
  return true;
}

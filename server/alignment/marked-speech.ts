/**
 * How the times of synthesised words are found with any speech synthesiser that lets a text change its volume: the same
 * words are spoken twice, once at one volume, and once at another volume for each word. The ratio of both sounds tells
 * which word a sample belongs to.
 */

/** In percent. */
const LEVELS = [100, 80, 60, 40, 20] as const;
const FULL = LEVELS[0];

/** The volumes of words in the two sounds, in percent. */
export const plainVolume = (): number => FULL;
export const markedVolume = (word: number): number => LEVELS[word % LEVELS.length]!;

/** The samples of a word, the last one excluded. */
export type SampleSpan = [from: number, to: number];

/** How many samples are compared together: less than the shortest sound. */
const WINDOW = 110;
/** The sum of absolute samples below which a window says nothing. */
const QUIET = 40 * WINDOW;

/** Reads the words' spans from both sounds. */
export function spansOfWords(plain: Int16Array, marked: Int16Array, words: number): SampleSpan[] {
  const spans = Array.from({ length: words }, (): SampleSpan => [0, 0]);
  let word = -1;
  let before: number | null = null;
  const total = Math.min(plain.length, marked.length);
  for (let at = 0; at + WINDOW <= total; at += WINDOW) {
    const level = levelAt(plain, marked, at);
    // a window with the end of one word and the beginning of the next may look like any level between
    const isSure = level !== null && level === before;
    before = level;
    if (!isSure) continue;
    const steps = (level - ((word + LEVELS.length) % LEVELS.length) + LEVELS.length) % LEVELS.length;
    if (steps > MOST_SKIPPED) continue;
    word += steps;
    const span = spans[word];
    if (!span) break;
    if (span[1] === 0) span[0] = at - WINDOW;
    span[1] = at + WINDOW;
  }
  return withJoinedWords(spans);
}

/** Synthesisers say some words as one ("of the"): those share the span of the first one. */
function withJoinedWords(spans: SampleSpan[]): SampleSpan[] {
  for (let i = 0; i < spans.length; ) {
    let next = i + 1;
    while (next < spans.length && spans[next]![1] === 0) next += 1;
    const [from, to] = spans[i]!;
    const length = (to - from) / (next - i);
    for (let k = i; k < next; k++)
      spans[k] = [Math.round(from + (k - i) * length), Math.round(from + (k + 1 - i) * length)];
    i = next;
  }
  return spans;
}

/** More words than these in a row are never left out; a level that is further away was misread. */
const MOST_SKIPPED = 2;

function levelAt(plain: Int16Array, marked: Int16Array, at: number): number | null {
  let [sum, part] = [0, 0];
  for (let i = at; i < at + WINDOW; i++) {
    sum += Math.abs(plain[i]!);
    part += Math.abs(marked[i]!);
  }
  if (sum < QUIET) return null;
  const percent = (FULL * part) / sum;
  let nearest = 0;
  for (let level = 1; level < LEVELS.length; level++)
    if (Math.abs(LEVELS[level]! - percent) < Math.abs(LEVELS[nearest]! - percent)) nearest = level;
  return Math.abs(LEVELS[nearest]! - percent) < SURE ? nearest : null;
}

/** How far a percentage may be from its level: synthesisers round. */
const SURE = 4;

import { type Cue, isTimed, type TimedCue, type WordTime } from './model';

/** The words of a text: what stands between spaces. */
export const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);

const UNTIDY = /^\s|\s$|\r|\s\n|\n\s/;

/** The lines without spaces around them. An empty line would end a passage in WebVTT and SubRip. */
export function withoutEmptyLines(text: string): string {
  // splitting half a million lines costs more than reading them
  if (!UNTIDY.test(text)) return text;
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** The cue with another text: words that did not change keep their times, the others share the time between them. */
export function withText(cue: Cue, text: string): Cue {
  const { words, ...rest } = cue;
  if (text === cue.text || !words || !isTimed(cue)) return text === cue.text ? cue : { ...rest, text };
  const [old, next] = [wordsOf(cue.text), wordsOf(text)];
  if (words.length !== old.length) return { ...rest, text };
  const shorter = Math.min(old.length, next.length);
  let head = 0;
  while (head < shorter && old[head] === next[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === next.at(-1 - tail)) tail++;
  const fromMs = words[head - 1]?.[1] ?? cue.startMs;
  const toMs = words[old.length - tail]?.[0] ?? cue.endMs;
  const changed = shared(next.slice(head, next.length - tail), fromMs, toMs);
  return { ...rest, text, words: [...words.slice(0, head), ...changed, ...words.slice(old.length - tail)] };
}

/** Times of words that share a span in proportion to their length. */
export function shared(words: string[], fromMs: number, toMs: number): WordTime[] {
  const characters = words.reduce((sum, word) => sum + word.length, 0);
  const at = (count: number) => fromMs + Math.round(((toMs - fromMs) * count) / characters);
  let before = 0;
  return words.map((word) => {
    const startMs = at(before);
    before += word.length;
    return [startMs, at(before)];
  });
}

/** When each word of a timed cue is said: as it was timed, otherwise in proportion to its length. */
export function wordTimes(cue: TimedCue): WordTime[] {
  const words = wordsOf(cue.text);
  return cue.words?.length === words.length ? cue.words : shared(words, cue.startMs, cue.endMs);
}

import { type Cue, isTimed } from './model';
import { wordsOf, wordTimes } from './words';

/** `startMs`: null in a transcript without times. `at`: the number of its first word. */
export type FoundQuote = { at: number; startMs: number | null; quote: string };

type Said = { written: string; startMs: number | null };

/** Words that one search compares, so that a text of one repeated word costs no more than another. */
const MOST_COMPARED = 50_000;

/**
 * Finds quotes in a transcript: the same words in the same order, whatever their capitals and punctuation.
 * @returns the place of a quote that is nearest to a time in ms, at most `within` ms away; without a time, the first one
 */
export function quoteFinder(
  cues: readonly Cue[],
  within: number,
): (quote: string, atMs: number | null) => FoundQuote | null {
  const said = cues.flatMap(saidIn);
  const letters = said.map(({ written }) => lettersOf(written));
  const places = new Map<string, number[]>();
  for (const [at, word] of letters.entries()) {
    const known = places.get(word);
    if (known) known.push(at);
    else places.set(word, [at]);
  }
  return (quote, atMs) => {
    const wanted = wordsOf(quote).map(lettersOf).filter(Boolean);
    let nearest: { at: number; away: number } | null = null;
    let compared = 0;
    for (const at of places.get(wanted[0] ?? '') ?? []) {
      const { startMs } = said[at]!;
      const away = atMs === null || startMs === null ? 0 : Math.abs(startMs - atMs);
      if (away > within || (nearest !== null && away >= nearest.away)) continue;
      let same = 0;
      while (same < wanted.length && letters[at + same] === wanted[same]) same++;
      if (same === wanted.length) nearest = { at, away };
      compared += same + 1;
      if (compared > MOST_COMPARED) break;
    }
    if (nearest === null) return null;
    const words = said.slice(nearest.at, nearest.at + wanted.length).map(({ written }) => written);
    return { at: nearest.at, startMs: said[nearest.at]!.startMs, quote: words.join(' ') };
  };
}

/** The words that have letters or digits, so a dash between two words does not count. */
function saidIn(cue: Cue): Said[] {
  const times = isTimed(cue) ? wordTimes(cue) : null;
  return wordsOf(cue.text)
    .map((written, index) => ({ written, startMs: times?.[index]?.[0] ?? null }))
    .filter(({ written }) => lettersOf(written) !== '');
}

const lettersOf = (word: string): string =>
  word
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');

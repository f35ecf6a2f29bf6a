import { TRANSCRIPT_LIMITS } from '../limits/transcripts';
import type { Heard, HeardPassage, HeardWord } from './heard';
import type { Cue, WordTime } from './model';
import { shared, wordsOf } from './words';

/** Where a piece lies in its recording: it speaks for `fromMs` to `toMs`, and its own times begin at `offsetMs`. */
export type PieceTimes = { offsetMs: number; fromMs: number; toMs: number };

/**
 * The cues of a piece, in the recording's time. Engines tell times that overlap, run backwards or leave the piece: they are
 * moved so that each word begins after the one before it and ends in the piece.
 */
export function cuesOfPiece({ passages }: Pick<Heard, 'passages'>, piece: PieceTimes): Cue[] {
  let at = piece.fromMs;
  const inPiece = (ms: number) => Math.round(Math.min(piece.toMs, Math.max(at, piece.offsetMs + ms)));
  const ordered = passages.filter(isFinitePassage).toSorted((a, b) => a.startMs - b.startMs);
  return ordered.flatMap((passage): Cue[] => {
    const text = cleaned(passage.text);
    if (text === '') return [];
    const startMs = inPiece(passage.startMs);
    at = startMs;
    const endMs = Math.max(startMs, inPiece(passage.endMs));
    const words = timesOfWords(wordsOf(text), passage.words, { startMs, endMs, offsetMs: piece.offsetMs });
    at = endMs;
    const confidence = meanConfidence(passage.words);
    const speaker = passage.speaker ? cleaned(passage.speaker).slice(0, TRANSCRIPT_LIMITS.speakerLength) : null;
    return [{ startMs, endMs, speaker, text, words, ...(confidence !== null && { confidence }) }];
  });
}

const isFinitePassage = ({ startMs, endMs }: HeardPassage) => Number.isFinite(startMs) && Number.isFinite(endMs);

/** Without control characters, on one line. */
const cleaned = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, TRANSCRIPT_LIMITS.cueLength)
    .toWellFormed();

type Span = { startMs: number; endMs: number; offsetMs: number };

/** A time for each word of a text: of the heard word that has the same letters, otherwise between its neighbours. */
function timesOfWords(words: string[], heard: HeardWord[], span: Span): WordTime[] {
  const found = matched(words, heard);
  const times: (WordTime | null)[] = words.map(() => null);
  let at = span.startMs;
  for (const [index, word] of found.entries()) {
    if (!word) continue;
    const startMs = Math.round(Math.min(span.endMs, Math.max(at, span.offsetMs + word.startMs)));
    const endMs = Math.round(Math.min(span.endMs, Math.max(startMs, span.offsetMs + word.endMs)));
    times[index] = [startMs, endMs];
    at = endMs;
  }
  return filled(words, times, span);
}

/** How far the next heard word is looked for, if a word of the text was not heard as one. */
const LOOKAHEAD = 8;

function matched(words: string[], heard: HeardWord[]): (HeardWord | null)[] {
  const usable = heard.filter(({ startMs, endMs }) => Number.isFinite(startMs) && Number.isFinite(endMs));
  // once, because each word of the text is compared with several, and a wrong engine sends megabytes as one word
  const letters = usable.map(({ text }) => lettersOf(text));
  let next = 0;
  return words.map((word) => {
    const wanted = lettersOf(word);
    for (let at = next; at < Math.min(usable.length, next + LOOKAHEAD); at++) {
      if (letters[at] !== wanted) continue;
      next = at + 1;
      return usable[at]!;
    }
    return null;
  });
}

const lettersOf = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '') || word.trim();

/** Words without a time share the time between their neighbours. Reads each word once. */
function filled(words: string[], times: (WordTime | null)[], { startMs, endMs }: Span): WordTime[] {
  const all: WordTime[] = [];
  // the end of the passage closes the last words
  for (const [index, known] of [...times, null].entries()) {
    if (known === null && index < words.length) continue;
    all.push(...shared(words.slice(all.length, index), all.at(-1)?.[1] ?? startMs, known?.[0] ?? endMs));
    if (known) all.push(known);
  }
  return all;
}

function meanConfidence(words: HeardWord[]): number | null {
  const known = words.flatMap(({ confidence }) => (isShare(confidence) ? [confidence] : []));
  if (known.length === 0) return null;
  return Math.round((100 * known.reduce((sum, share) => sum + share, 0)) / known.length) / 100;
}

const isShare = (value: number | undefined): value is number => value !== undefined && value >= 0 && value <= 1;

/** The language in which most is said; null if no engine has named one. */
export function mainLanguage(heard: readonly Heard[]): string | null {
  const lengths = new Map<string, number>();
  for (const { language, passages } of heard) {
    const length = passages.reduce((sum, { text }) => sum + text.length, 0);
    if (language && length > 0) lengths.set(language, (lengths.get(language) ?? 0) + length);
  }
  return [...lengths].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

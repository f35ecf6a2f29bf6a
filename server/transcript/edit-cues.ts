import { TRANSCRIPT_EDITING_LIMITS, TRANSCRIPT_LIMITS } from '../limits/transcripts';
import { type Cue, isTimed, type WordTime } from './model';
import { shared, withText, wordsOf, wordTimes } from './words';

/** Passages that replace `remove` others from a position on; positions are those before all changes of a list. */
export type CueChange = { at: number; remove: number; cues: Cue[] };

/** The passages after the changes, which are in order and do not overlap; null if they do, or lie outside the list. */
export function applyChanges(cues: Cue[], changes: CueChange[]): Cue[] | null {
  const result: Cue[] = [];
  let next = 0;
  for (const { at, remove, cues: added } of changes) {
    if (at < next || at + remove > cues.length) return null;
    for (let index = next; index < at; index++) result.push(cues[index]!);
    result.push(...added);
    next = at + remove;
  }
  for (let index = next; index < cues.length; index++) result.push(cues[index]!);
  return result;
}

/** Whether somebody should look at a passage, because its times or words hardly match the sound. */
export const isUnsure = ({ confidence }: Cue): boolean =>
  confidence !== undefined && confidence < TRANSCRIPT_EDITING_LIMITS.unsureBelow;

/** Whether passages with times are in their order, and none ends before it begins. */
export function isInOrder(cues: Cue[]): boolean {
  let before = 0;
  for (const { startMs, endMs } of cues) {
    if ((startMs === null) !== (endMs === null)) return false;
    if (startMs === null || endMs === null) continue;
    if (startMs < before || endMs < startMs) return false;
    before = startMs;
  }
  return true;
}

/**
 * The two parts of a passage, split at a character of its text. Each word keeps its time; a word that is split shares it
 * in proportion to its letters. Null if a part would have no words.
 */
export function splitCue(cue: Cue, offset: number): [Cue, Cue] | null {
  const [before, after] = [cue.text.slice(0, offset).trimEnd(), cue.text.slice(offset).trimStart()];
  if (before === '' || after === '') return null;
  const { words, ...rest } = cue;
  if (!isTimed(cue)) return [before, after].map((text) => ({ ...rest, text })) as [Cue, Cue];
  const count = wordsOf(before).length;
  const times = wordTimes(cue);
  const isInWord = count + wordsOf(after).length > times.length;
  const parts = isInWord ? withSplitWord(times, count, [before, after]) : times;
  const [first, second] = [parts.slice(0, count), parts.slice(count)];
  return [
    { ...rest, text: before, endMs: first.at(-1)![1], ...(words && { words: first }) },
    { ...rest, text: after, startMs: second[0]![0], ...(words && { words: second }) },
  ];
}

function withSplitWord(times: WordTime[], count: number, [before, after]: [string, string]): WordTime[] {
  const [startMs, endMs] = times[count - 1]!;
  const halves = shared([wordsOf(before).at(-1)!, wordsOf(after)[0]!], startMs, endMs);
  return [...times.slice(0, count - 1), ...halves, ...times.slice(count)];
}

/** Two passages as one, said by the first one's speaker. Null if it would be too long. */
export function joinCues(first: Cue, second: Cue): Cue | null {
  const text = `${first.text} ${second.text}`;
  if (text.length > TRANSCRIPT_LIMITS.cueLength) return null;
  const sure = [first, second].flatMap(({ confidence }) => confidence ?? []);
  const joined: Cue = {
    ...{ text, speaker: first.speaker ?? second.speaker },
    startMs: first.startMs ?? second.startMs,
    endMs: second.endMs ?? first.endMs,
    ...(sure.length > 0 && { confidence: Math.min(...sure) }),
  };
  if (!isTimed(first) || !isTimed(second)) return joined;
  const endMs = Math.max(first.endMs, second.endMs);
  if (!first.words && !second.words) return { ...joined, endMs };
  return { ...joined, endMs, words: [...wordTimes(first), ...wordTimes(second)] };
}

/** A passage whose text a person has written: there is nothing to look at any more. */
export function correctedCue(cue: Cue, text: string): Cue {
  const { confidence, ...corrected } = withText(cue, text);
  return corrected;
}

export type Search = { find: string; matchesCase: boolean; wholeWords: boolean };

/** The places of the words in a text, read literally. */
export function placesOf(text: string, search: Search): { from: number; to: number }[] {
  if (search.find === '') return [];
  return [...text.matchAll(patternOf(search))].map(({ index, 0: found }) => ({
    from: index,
    to: index + found.length,
  }));
}

/** The text with each of these places replaced. */
export const replaced = (text: string, search: Search, replacement: string): string =>
  search.find === '' ? text : text.replace(patternOf(search), () => replacement);

function patternOf({ find, matchesCase, wholeWords }: Search): RegExp {
  const literal = find.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const [from, to] = wholeWords ? ['(?<![\\p{L}\\p{M}\\p{N}])', '(?![\\p{L}\\p{M}\\p{N}])'] : ['', ''];
  return new RegExp(`${from}${literal}${to}`, matchesCase ? 'gu' : 'giu');
}

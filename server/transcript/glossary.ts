import { GLOSSARY_LIMITS } from '../limits/transcripts';
import { type Cue, isTimed, type WordTime } from './model';
import { shared, wordsOf } from './words';

/** A right spelling, and what engines write instead. */
export type GlossaryEntry = { spelling: string; heard: string[] };

type Form = {
  /** Of the form as it is written, at one place. Made at its first use: most forms occur in few transcripts. */
  pattern(): RegExp;
  /** Characters before its first letter, such as the point of `.NET`. */
  lead: number;
  length: number;
  spelling: string;
};
/** The forms to replace, by their first word in lower case. */
export type Glossary = ReadonlyMap<string, readonly Form[]>;
type Place = { from: number; to: number; by: string };

/** The entry in a line such as `Altavoz = alta voz, alta boz`; null if the line has no fitting one. */
export function parseEntry(line: string): GlossaryEntry | null {
  const [before = '', ...after] = line.split('=');
  const spelling = before.trim();
  const heard = after
    .join('=')
    .split(',')
    .map((form) => form.trim())
    .filter((form) => form !== '');
  const isFit = (form: string) => form.length <= GLOSSARY_LIMITS.formLength && /[\p{L}\p{N}]/u.test(form);
  return heard.length <= GLOSSARY_LIMITS.forms && [spelling, ...heard].every(isFit) ? { spelling, heard } : null;
}

/** The first line without a fitting entry; null if all fit. */
export const findUnfitLine = (lines: readonly string[]): string | null =>
  lines.find((line) => parseEntry(line) === null) ?? null;

/** The spellings of a glossary: words that engines should expect. */
export const spellingsOf = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => parseEntry(line)?.spelling ?? []);

/**
 * The lines of a glossary, for `withGlossary`. If two lines list the same form, the first one counts; of many forms that begin
 * with one word, the first ones.
 */
export function glossaryOf(lines: readonly string[]): Glossary {
  const forms = new Map<string, Form[]>();
  for (const { spelling, heard } of lines.flatMap((line) => parseEntry(line) ?? []))
    for (const written of heard) {
      const { index: lead, 0: first } = /[\p{L}\p{M}\p{N}]+/u.exec(written)!;
      const form = { pattern: onFirstUse(written), lead, length: written.length, spelling };
      const known = forms.get(first.toLowerCase());
      if (known && known.length < GLOSSARY_LIMITS.sameStart) known.push(form);
      else if (!known) forms.set(first.toLowerCase(), [form]);
    }
  for (const list of forms.values()) list.sort((one, other) => other.length - one.length);
  return forms;
}

function onFirstUse(written: string): () => RegExp {
  let made: RegExp | null = null;
  return () => {
    made ??= patternOf(written);
    return made;
  };
}

/** Whole words only. Lower-case letters match capitals as well; a form with a capital is matched as it is written. */
function patternOf(written: string): RegExp {
  const literal = written.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');
  const flags = /\p{Lu}/u.test(written) ? 'uy' : 'iuy';
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])${literal}(?![\\p{L}\\p{M}\\p{N}])`, flags);
}

/**
 * The passage with the right spellings. Words keep their times; if their number changes, those of one place share its
 * time. A passage without such places is returned as it is.
 */
export function withGlossary(cue: Cue, glossary: Glossary): Cue {
  const places = placesIn(cue.text, glossary);
  if (places.length === 0) return cue;
  const { words, ...rest } = cue;
  const isFitting = words && isTimed(cue) && words.length === wordsOf(cue.text).length;
  if (!isFitting) return { ...rest, text: replaced(cue.text, places) };
  return { ...rest, ...withTimes(cue.text, words, places) };
}

/** In order, without overlaps; the longest form at a place counts. */
function placesIn(text: string, glossary: Glossary): Place[] {
  const places: Place[] = [];
  let end = 0;
  for (const { index, 0: word } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    for (const { pattern, lead, spelling } of glossary.get(word.toLowerCase()) ?? []) {
      const from = index - lead;
      if (from < end) continue;
      const sought = pattern();
      sought.lastIndex = from;
      const found = sought.exec(text)?.[0];
      if (found === undefined) continue;
      const by = cased(spelling, found);
      if (by !== found) places.push({ from, to: from + found.length, by });
      end = from + found.length;
      break;
    }
  }
  return places;
}

/** A spelling without capitals begins with one where the replaced words did, as at the start of a sentence. */
function cased(spelling: string, found: string): string {
  if (/\p{Lu}/u.test(spelling) || !/^\P{L}*\p{Lu}/u.test(found)) return spelling;
  return spelling.replace(/\p{L}/u, (letter) => letter.toUpperCase());
}

function replaced(text: string, places: readonly Place[], offset = 0): string {
  let result = '';
  let at = 0;
  for (const { from, to, by } of places) {
    result += text.slice(at, from - offset) + by;
    at = to - offset;
  }
  return result + text.slice(at);
}

function withTimes(text: string, times: WordTime[], places: readonly Place[]): { text: string; words: WordTime[] } {
  const spoken = [...text.matchAll(/\S+/g)].map(({ index, 0: word }) => ({ from: index, to: index + word.length }));
  const words: WordTime[] = [];
  let next = 0;
  for (let first = 0; first < spoken.length; first++) {
    const begun = next;
    let last = first;
    // places may share a word, and a place may have several
    while (next < places.length && places[next]!.from < spoken[last]!.to) {
      while (spoken[last]!.to < places[next]!.to) last++;
      next++;
    }
    const old = times.slice(first, last + 1);
    if (next === begun) {
      words.push(...old);
      continue;
    }
    const { from } = spoken[first]!;
    const written = wordsOf(replaced(text.slice(from, spoken[last]!.to), places.slice(begun, next), from));
    words.push(...(written.length === old.length ? old : shared(written, old[0]![0], old.at(-1)![1])));
    first = last;
  }
  return { text: replaced(text, places), words };
}

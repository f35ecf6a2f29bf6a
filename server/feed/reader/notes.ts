import { FEED_LIMITS } from '../../limits/feeds';
import { firstNonEmpty } from '../markup/elements';
import { decodeEntities } from '../markup/entities';
import type { Element } from '../markup/tree';
import { contentOf, type Reader, readHtml } from './texts';

/** Texts of about the same length have the same content, and the order of their tags decides. */
const ABOUT_AS_FULL = 0.9;
/** HTML and plain text with the same content differ in a few words, such as written addresses. */
const MAX_DIFFERENCE = 0.05;
/** A one-line teaser. If the feed has full notes, dropping the teaser is not a loss. */
const TEASER = 'itunes:subtitle';

/**
 * Reads the fullest text in tags of these names, which come in order of preference. Publishers put a teaser or a
 * tracking pixel into one tag and the notes into another. Words of the other texts that the chosen one lacks are
 * reported as lost.
 */
export function readNotes(reader: Reader, parent: Element, { names, item }: { names: string[]; item: number }): string {
  if (reader.isOwnFeed) return readHtml(reader, firstNonEmpty(parent, ...names), item);
  const elements = textsOf(parent, names);
  if (elements.length < 2) return readHtml(reader, elements[0], item);
  const texts = elements.map((element) => weigh(reader, element));
  const chosen = fullest(texts);
  const dropped = texts.filter(({ element }) => element.name !== TEASER);
  if (dropped.some(({ words, length }) => lengthOf(missingWords(words, chosen.words)) > length * MAX_DIFFERENCE))
    reader.log.lost('description_dropped', item);
  return readHtml(reader, chosen.element, item);
}

/** The different texts in tags of these names. */
function textsOf(parent: Element, names: string[]): Element[] {
  const elements = names.flatMap((name) => firstNonEmpty(parent, name) ?? []);
  return elements.filter(({ text }, at) => text === '' || elements.findIndex((one) => one.text === text) === at);
}

type Weighed = { element: Element; words: string[]; length: number };

function weigh(reader: Reader, element: Element): Weighed {
  const words = wordsOf(writtenIn(reader, element));
  return { element, words, length: lengthOf(words) };
}

const writtenIn = (reader: Reader, element: Element): string =>
  element.children.length > 0 ? contentOf(reader, element) : element.text;

function fullest(texts: Weighed[]): Weighed {
  const longest = Math.max(...texts.map(({ length }) => length));
  return texts.find(({ length }) => length >= longest * ABOUT_AS_FULL)!;
}

/** A text in so many items is about the show, or about its sponsors. */
const REPEATED = 3;

/** The texts of all items: how often each occurs, and the items with several of them. */
export type ItemTexts = {
  counts: Map<string, number>;
  choices: { texts: Element[]; episode: { description: string }; item: number }[];
};
type Noted = { parent: Element; names: string[]; episode: { description: string }; item: number };

export function noteTexts(reader: Reader, { counts, choices }: ItemTexts, { parent, names, ...noted }: Noted): void {
  if (reader.isOwnFeed) return;
  const texts = textsOf(parent, names);
  for (const text of texts.map((element) => writtenIn(reader, element))) counts.set(text, (counts.get(text) ?? 0) + 1);
  if (texts.length > 1) choices.push({ texts, ...noted });
}

/** Gives episodes whose fullest text is repeated in other items their own fullest one, if they have another. */
export function replaceRepeatedNotes(reader: Reader, { counts, choices }: ItemTexts): void {
  const isRepeated = (element: Element) => (counts.get(writtenIn(reader, element)) ?? 0) >= REPEATED;
  for (const { texts, episode, item } of choices) {
    if (!texts.some(isRepeated)) continue;
    const weighed = texts.map((element) => weigh(reader, element));
    const own = weighed.filter(({ element, length }) => length > 0 && !isRepeated(element));
    if (own.length > 0 && isRepeated(fullest(weighed).element))
      episode.description = readHtml(reader, fullest(own).element, item);
  }
}

/** Markup, even if escaped twice, and addresses. */
const NO_WORDS = /<[^<>]*>|&lt;[^&<>]{0,500}&gt;|https?:\/\/[^\s<>"']+/gi;
/** Characters of scripts without spaces are words of their own. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;

function wordsOf(html: string): string[] {
  const text = html.slice(0, FEED_LIMITS.notesBytes).replace(NO_WORDS, ' ');
  return decodeEntities(text).toLowerCase().match(WORD) ?? [];
}

function missingWords(words: string[], present: string[]): string[] {
  if (words === present) return [];
  const known = new Set(present);
  return words.filter((word) => !known.has(word));
}

const lengthOf = (words: string[]) => words.reduce((sum, word) => sum + word.length, 0);

import { FEED_LIMITS } from '../../limits/feeds';
import { decodeEntities } from '../markup/entities';
import type { Element } from '../markup/tree';
import { contentOf, firstNonEmpty, type Reader, readHtml } from './texts';

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
  const elements = names.flatMap((name) => firstNonEmpty(parent, name) ?? []);
  const different = elements.filter(
    ({ text }, at) => text === '' || elements.findIndex((one) => one.text === text) === at,
  );
  if (different.length < 2 || reader.isOwnFeed) return readHtml(reader, elements[0], item);
  const texts = different.map((element) => {
    const words = wordsOf(element.children.length > 0 ? contentOf(reader, element) : element.text);
    return { element, words, length: lengthOf(words) };
  });
  const longest = Math.max(...texts.map(({ length }) => length));
  const chosen = texts.find(({ length }) => length >= longest * ABOUT_AS_FULL)!;
  const dropped = texts.filter(({ element }) => element.name !== TEASER);
  if (dropped.some(({ words, length }) => lengthOf(missingWords(words, chosen.words)) > length * MAX_DIFFERENCE))
    reader.log.lost('description_dropped', item);
  return readHtml(reader, chosen.element, item);
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

import { and, ilike, or, type SQL, sql } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { hasOtherLetters, patternOf, plainText, startsPlain, startsWith } from '~/db/search';
import { CONTACT_LIMITS } from '../../limits/audience';

/** Of letters and digits, whose successors are characters. */
const SHORT = /^[\p{L}\p{N}]{1,2}$/u;
const ASCII = /^\p{ASCII}*$/u;

/**
 * Short searches find beginnings of addresses and names; all others find parts (docs/decisions/0346). Several words are
 * found in any order. Accents make no difference.
 */
export function hasText(search: string): SQL | undefined {
  if (SHORT.test(search)) return beginsWith(search.toLowerCase());
  const words = wordsOf(search);
  const isEachFound = and(...words.map(hasWord));
  // a short word can be the end of another one only where the search has both
  return words.some((word) => SHORT.test(word)) ? or(contains(search), isEachFound) : isEachFound;
}

/** The last one may have spaces: more conditions would cost more than they find. */
function wordsOf(search: string): string[] {
  const words = search.split(/\s+/).filter(Boolean);
  const { searchWords } = CONTACT_LIMITS;
  const rest = words.slice(searchWords - 1).join(' ');
  return words.length > searchWords ? [...words.slice(0, searchWords - 1), rest] : words;
}

/** One or two letters begin a word, because their index would find them in most names. */
function hasWord(word: string): SQL | undefined {
  if (!SHORT.test(word)) return contains(word);
  return or(...[`${word}%`, `% ${word}%`].map(isNamedLike), ilike(contacts.email, `${word}%`));
}

function contains(text: string): SQL | undefined {
  const pattern = patternOf(text)!;
  return or(isNamedLike(pattern), ilike(contacts.email, pattern), isPlainAddress(text));
}

/** Addresses have no accents as a rule, but a name that is typed with them is a part of many. */
const isPlainAddress = (text: string): SQL | undefined =>
  ASCII.test(text) ? undefined : sql`${contacts.email} like ${plainText(patternOf(text)!)}`;

/** Names with other letters than ASCII have an index of their own. */
const isNamedLike = (pattern: string): SQL | undefined =>
  or(
    sql`${contacts.name} ilike ${plainText(pattern)}`,
    and(hasOtherLetters(contacts.name), sql`${plainText(contacts.name)} like ${plainText(pattern)}`),
  );

function beginsWith(start: string): SQL | undefined {
  const isNamed = and(sql`${contacts.name} <> ''`, startsPlain(sql`lower(${contacts.name})`, start));
  const isPlainNamed = and(hasOtherLetters(contacts.name), startsPlain(plainText(contacts.name), start));
  const isPlainAddress = ASCII.test(start) ? undefined : startsPlain(contacts.email, start);
  return or(startsWith(contacts.email, start), isPlainAddress, isNamed, isPlainNamed);
}

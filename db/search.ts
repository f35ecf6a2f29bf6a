import { type Column, ilike, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** A pattern of text that contains the words literally: `%` and `_` are escaped. Undefined if there are no words. */
export function patternOf(words: string | undefined): string | undefined {
  return words ? `%${words.replace(/[\\%_]/g, '\\$&')}%` : undefined;
}

export function matchesPattern(column: Column, pattern: string | Placeholder | undefined): SQL | undefined {
  return pattern === undefined ? undefined : ilike(column, pattern);
}

/**
 * Whether a text contains the words, ignoring accents, case and punctuation. `text` must be a result of `search_text`
 * (docs/decisions/0167). It reads every text, so use it for few rows: for one product, not for all.
 */
export function containsWords(text: SQL, words: string | Placeholder | undefined): SQL | undefined {
  return words === undefined ? undefined : sql`strpos(${text}, nullif(search_text(${words}), '')) > 0`;
}

/**
 * Whether a text, which may be an expression of an index with `text_pattern_ops`, begins with some letters. As a range: a
 * prepared statement does not know that a pattern has a fixed beginning.
 */
export function startsWith(text: Column | SQL, start: string): SQL {
  const letters = [...start];
  const end = letters.slice(0, -1).join('') + String.fromCodePoint(letters.at(-1)!.codePointAt(0)! + 1);
  return sql`(${text} ~>=~ ${start} and ${text} ~<~ ${end})`;
}

/** A text in lower case and without accents; indexes can have it. */
export const plainText = (text: Column | SQL | string): SQL => sql`plain_text(${text})`;

/** Whether a text, which may be an expression of an index, begins with the plain letters of another one. */
export const startsPlain = (text: Column | SQL, start: string): SQL =>
  sql`(${text} ~>=~ ${plainText(start)} and ${text} ~<~ (${plainText(start)} || chr(1114111)))`;

/** Whether a text has other letters than ASCII, so that it may differ from its plain letters in more than its case. */
export const hasOtherLetters = (text: Column | SQL): SQL => sql`octet_length(${text}) <> char_length(${text})`;

/**
 * The SHA-256 of a text, which indexes can have. A cast to bytes reads backslashes as the beginning of an escape; `convert_to`
 * depends on a table of conversions, so no index has it.
 */
export const sha256Of = (text: Column | SQL): SQL => sql`sha256(replace(${text}, '\\', '\\\\')::bytea)`;

/** As the index of consents has the day on which a person last read: those who never did come first. */
export const lastSeen = (day: SQLWrapper): SQL => sql`coalesce(${day}, '-infinity'::date)`;

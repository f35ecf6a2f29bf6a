import { type Column, ilike, type Placeholder, type SQL } from 'drizzle-orm';

/** A pattern of text that contains the words literally: `%` and `_` are escaped. Undefined if there are no words. */
export function patternOf(words: string | undefined): string | undefined {
  return words ? `%${words.replace(/[\\%_]/g, '\\$&')}%` : undefined;
}

export function matches(column: Column, pattern: string | Placeholder | undefined): SQL | undefined {
  return pattern === undefined ? undefined : ilike(column, pattern);
}

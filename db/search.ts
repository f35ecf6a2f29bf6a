import { type Column, ilike, type SQL } from 'drizzle-orm';

/** Matches text that contains the words literally: `%` and `_` are escaped. Undefined if there are no words. */
export function contains(column: Column, words: string | undefined): SQL | undefined {
  return words ? ilike(column, `%${words.replace(/[\\%_]/g, '\\$&')}%`) : undefined;
}

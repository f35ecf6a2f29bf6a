import { type Column, ilike, type SQL } from 'drizzle-orm';

/** Rows whose text contains the words as typed: no character of theirs is a wildcard. Nothing to filter by: undefined. */
export function contains(column: Column, words: string | undefined): SQL | undefined {
  return words ? ilike(column, `%${words.replace(/[\\%_]/g, '\\$&')}%`) : undefined;
}

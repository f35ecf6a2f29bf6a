/**
 * The product's languages, in the order in which they are offered. Pure: the browser, the server and the jobs share it.
 */
export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Used where a request or a user names no language of ours. Its locale files are complete by definition. */
export const DEFAULT_LANGUAGE: Language = 'en';

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.includes(value as Language);
}

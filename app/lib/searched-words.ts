import { cut } from '~/server/base/cut-text';
import { PAGE_LIMITS } from '~/server/limits/paging';

/**
 * The words that a page searches, from its URL; '' without any. Longer ones are cut as the field cuts them, so that a
 * long search finds something and stays in the field.
 */
export const searchedWords = (query: URLSearchParams, name = 'search'): string =>
  cut(query.get(name) ?? '', PAGE_LIMITS.searchLength);

import { searchedWords } from '~/app/lib/searched-words';
import { momentFragment } from '~/server/base/public-paths';
import type { FoundPassages } from '~/server/domain/episodes/search-transcripts';
import type { PublicUrls } from './page-data.server';

export type ListedPassages = ReturnType<typeof toPassages>;

type Found = FoundPassages['items'][number];
/** `isMixed`: the passages are of several shows, so each names its own. */
type Options = { urlsOf(found: Found): PublicUrls; isMixed?: boolean };

/** Each leads to the second at which its words are said. */
export function toPassages({ items, next }: FoundPassages, { urlsOf, isMixed = false }: Options) {
  const toPassage = (found: Found) => {
    const { episode, product, startMs, text } = found;
    const seconds = startMs === null ? null : Math.floor(startMs / 1000);
    const url = urlsOf(found).episode(product.slug, episode.slug);
    return {
      name: episode.name,
      show: isMixed ? product.name : null,
      language: product.language,
      seconds,
      text,
      url: seconds === null ? url : url + momentFragment(episode.id, seconds),
    };
  };
  return { items: items.map(toPassage), next };
}

/** A positive number from the query, or undefined. */
export function numberIn(query: URLSearchParams, name: string): number | undefined {
  const number = Number(query.get(name));
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

/** The words of `?q=`; undefined without any. */
export const wordsIn = (query: URLSearchParams): string | undefined => searchedWords(query, 'q') || undefined;

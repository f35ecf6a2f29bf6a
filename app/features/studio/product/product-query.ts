import { searchedWords } from '~/app/lib/searched-words';
import { KIND_NAMES, KINDS, type KindName, kindOfPath } from '~/server/domain/products/kinds';

export const PRODUCT_ORDERINGS = ['-created_at', 'created_at', 'name', '-name'] as const;
export type ProductQuery = {
  search: string;
  kind: KindName | undefined;
  ordering: (typeof PRODUCT_ORDERINGS)[number];
  page: number;
};

/** The kinds as the URL names them: `podcasts`, `audio-series`. */
export const KIND_PATHS = KIND_NAMES.map((name) => ({ name, path: KINDS[name].path }));

/** Reads the list's query from the URL. Invalid values are ignored. */
export function productQuery(params: URLSearchParams): ProductQuery {
  const page = Number(params.get('page'));
  return {
    search: searchedWords(params),
    kind: kindOfPath(params.get('kind') ?? '') ?? undefined,
    ordering: PRODUCT_ORDERINGS.find((ordering) => ordering === params.get('ordering')) ?? PRODUCT_ORDERINGS[0],
    page: Number.isSafeInteger(page) && page > 0 && page <= 100_000 ? page : 1,
  };
}

/** Whether the query hides some shows. */
export const isFiltered = ({ search, kind }: ProductQuery): boolean => search !== '' || kind !== undefined;

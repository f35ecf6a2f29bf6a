import { searchedWords } from '~/app/lib/searched-words';
import { RHYTHMS } from '~/server/domain/donations/rules';

export type DonorQuery = { search: string; every: (typeof RHYTHMS)[number] | undefined; page: number };

/** Reads the list's query from the URL. Invalid values are ignored. */
export function donorQuery(params: URLSearchParams): DonorQuery {
  const page = Number(params.get('page'));
  return {
    search: searchedWords(params),
    every: RHYTHMS.find((rhythm) => rhythm === params.get('every')),
    page: Number.isSafeInteger(page) && page > 0 && page <= 100_000 ? page : 1,
  };
}

/** Whether the query hides some donations. */
export const isFiltered = ({ search, every }: DonorQuery): boolean => search !== '' || every !== undefined;

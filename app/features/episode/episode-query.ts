import { EPISODE_STATUSES } from '~/server/domain/episodes/schema';

export const ORDERINGS = ['-release_date', 'release_date', 'name', '-name'] as const;
export type EpisodeQuery = {
  search: string;
  status: (typeof EPISODE_STATUSES)[number] | undefined;
  ordering: (typeof ORDERINGS)[number];
  page: number;
};

/** Reads the list's query from the URL. Invalid values are ignored. */
export function episodeQuery(params: URLSearchParams): EpisodeQuery {
  const page = Number(params.get('page'));
  return {
    search: (params.get('search') ?? '').trim().slice(0, 100),
    status: EPISODE_STATUSES.find((status) => status === params.get('status')),
    ordering: ORDERINGS.find((ordering) => ordering === params.get('ordering')) ?? ORDERINGS[0],
    page: Number.isSafeInteger(page) && page > 0 && page <= 100_000 ? page : 1,
  };
}

/** Whether the query hides some episodes. */
export function isFiltered({ search, status }: EpisodeQuery): boolean {
  return search !== '' || status !== undefined;
}

import { EPISODE_STATUSES } from '~/server/domain/episodes/schema';

export const ORDERINGS = ['-release_date', 'release_date', 'name', '-name'] as const;
export type EpisodeQuery = {
  search: string;
  status: (typeof EPISODE_STATUSES)[number] | undefined;
  ordering: (typeof ORDERINGS)[number];
  page: number;
};

/** What an address asks of a list of episodes; whatever makes no sense is left out. */
export function episodeQuery(params: URLSearchParams): EpisodeQuery {
  const page = Number(params.get('page'));
  return {
    search: (params.get('search') ?? '').trim().slice(0, 100),
    status: EPISODE_STATUSES.find((status) => status === params.get('status')),
    ordering: ORDERINGS.find((ordering) => ordering === params.get('ordering')) ?? ORDERINGS[0],
    page: Number.isSafeInteger(page) && page > 0 && page <= 100_000 ? page : 1,
  };
}

/** Whether a list shows less than there is. */
export function isFiltered({ search, status }: EpisodeQuery): boolean {
  return search !== '' || status !== undefined;
}

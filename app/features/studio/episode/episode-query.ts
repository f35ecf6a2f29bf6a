import { searchedWords } from '~/app/lib/searched-words';
import { EPISODE_STATUSES, EPISODE_TYPES } from '~/db/values/episodes';
import { KINDS, type KindName } from '~/server/domain/products/kinds';

export const ORDERINGS = ['-release_date', 'release_date', 'name', '-name', '-number', 'number'] as const;
/** The filters of the list. 'Deleted' is one of them, but not a status of episodes. */
export const STATUS_FILTERS = [...EPISODE_STATUSES, 'draft', 'deleted'] as const;
const SHOWN_STATUSES = [...EPISODE_STATUSES, 'draft'] as const;
const DEFAULTS = { newest_first: '-release_date', oldest_first: 'release_date' } as const;
export type EpisodeQuery = {
  search: string;
  status: (typeof SHOWN_STATUSES)[number] | undefined;
  type: (typeof EPISODE_TYPES)[number] | undefined;
  ordering: (typeof ORDERINGS)[number];
  page: number;
};

/** Reads the list's query from the URL. Invalid values are ignored. By default, episodes are in the order of listening. */
export function episodeQuery(params: URLSearchParams, kind: KindName): EpisodeQuery {
  const page = Number(params.get('page'));
  return {
    search: searchedWords(params),
    status: SHOWN_STATUSES.find((status) => status === params.get('status')),
    type: EPISODE_TYPES.find((type) => type === params.get('type')),
    ordering: ORDERINGS.find((ordering) => ordering === params.get('ordering')) ?? DEFAULTS[KINDS[kind].playOrder],
    page: Number.isSafeInteger(page) && page > 0 && page <= 100_000 ? page : 1,
  };
}

/**
 * The query for the API. A badge says 'On hold' only if the episode was given a release time; the others are drafts.
 */
export function listInput({ status, ...query }: EpisodeQuery) {
  return { ...query, status: status === 'on_hold' ? ('unpublished' as const) : status };
}

export function showsDeleted(params: URLSearchParams): boolean {
  return params.get('status') === 'deleted';
}

/** Whether the query hides some episodes. */
export function isFiltered({ search, status, type }: EpisodeQuery): boolean {
  return search !== '' || status !== undefined || type !== undefined;
}

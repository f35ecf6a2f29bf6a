import { searchedWords } from '~/app/lib/searched-words';
import { CONTACT_ORDERS, type ContactOrder } from '~/db/values/contacts';
import { type ContactFilter, contactFilter } from '~/server/domain/audience/schema';

const FILTERS = Object.keys(contactFilter.shape) as (keyof ContactFilter)[];

/** The query of the list in the URL. Invalid values are ignored. */
export type ContactQuery = { filter: ContactFilter; sort: ContactOrder; after?: string; before?: string };

export function contactQuery(params: URLSearchParams): ContactQuery {
  const given = FILTERS.flatMap((name) => {
    const value = name === 'search' ? searchedWords(params) : params.get(name)?.trim();
    const read = value ? contactFilter.safeParse({ [name]: value }) : null;
    return read?.success ? [read.data] : [];
  });
  const [after, before] = [params.get('after'), params.get('before')];
  return {
    filter: Object.assign({}, ...given) as ContactFilter,
    sort: CONTACT_ORDERS.find((order) => order === params.get('sort')) ?? 'newest',
    ...(after && { after }),
    ...(before && { before }),
  };
}

/** The address of the list with a filter; without a place, at its start. */
export function queryOf(
  { filter, sort }: Pick<ContactQuery, 'filter' | 'sort'>,
  place: Record<string, string> = {},
): string {
  const ordered = sort === 'newest' ? {} : { sort };
  // always in the same order: a segment is the current one if its address is that of the page
  const filters = FILTERS.flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]] as const]));
  const entries = [...filters, ...Object.entries({ ...ordered, ...place })];
  return `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}

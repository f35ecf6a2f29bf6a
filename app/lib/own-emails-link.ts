import { UNSUBSCRIBE_PATH } from '~/server/base/public-paths';
import { prefixOf } from './site-paths';

/** The link of a creator's email: of one about new episodes, or of any other. */
export function contactLinkOf({ searchParams }: URL): { token: string; of: 'list' | 'show' } {
  const list = searchParams.get('list');
  return list === null ? { token: searchParams.get('token') ?? '', of: 'show' } : { token: list, of: 'list' };
}

/** The file with what the creator holds about the person. */
export function ownDataHref({ pathname, searchParams }: URL): string {
  const query = new URLSearchParams(searchParams);
  for (const name of [...query.keys()]) if (name !== 'list' && name !== 'token') query.delete(name);
  return `${prefixOf(pathname)}${UNSUBSCRIBE_PATH}/data.json?${query}`;
}

import { type Packed, pack } from '~/app/lib/packed';
import type { EpisodesAround } from '~/server/domain/listening/other-episodes';
import { KINDS, type KindName } from '~/server/domain/products/kinds';
import type { ListRow } from './list-row.server';

export type Neighbour = { name: string; slug: string };
export type Around = { previous: Neighbour | null; next: Neighbour | null; list: Packed<ListRow[]> | null };

type Episode = EpisodesAround['next'][number];

/**
 * Links to the episodes released before and after, and a list in play order that starts with the nearest one before
 * this episode. A podcast plays its newest episode first, so what plays next is older.
 */
export function toAround(
  { previous, next }: EpisodesAround,
  kind: KindName,
  toListed: (episode: Episode) => ListRow,
): Around {
  const list = [...previous.slice(0, 1), ...next];
  const [earlier, later] = KINDS[kind].playOrder === 'newest_first' ? [next, previous] : [previous, next];
  return {
    previous: toNeighbour(earlier[0]),
    next: toNeighbour(later[0]),
    list: list.length > 0 ? pack(list.map(toListed)) : null,
  };
}

const toNeighbour = (episode: Episode | undefined): Neighbour | null =>
  episode ? { name: episode.name, slug: episode.slug } : null;

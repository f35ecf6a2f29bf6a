import { type Packed, pack } from '~/app/lib/packed';
import type { EpisodesAround } from '~/server/domain/listening/other-episodes';
import type { ListRow } from './list-row.server';

export type Neighbour = { name: string; slug: string };
export type Around = { previous: Neighbour | null; next: Neighbour | null; list: Packed<ListRow[]> | null };

type Episode = EpisodesAround['next'][number];

/** Links to the previous and the next episode, and a list that starts with the nearest previous one. */
export function toAround({ previous, next }: EpisodesAround, toListed: (episode: Episode) => ListRow): Around {
  const list = [...previous.slice(0, 1), ...next];
  return {
    previous: toNeighbour(previous[0]),
    next: toNeighbour(next[0]),
    list: list.length > 0 ? pack(list.map(toListed)) : null,
  };
}

const toNeighbour = (episode: Episode | undefined): Neighbour | null =>
  episode ? { name: episode.name, slug: episode.slug } : null;

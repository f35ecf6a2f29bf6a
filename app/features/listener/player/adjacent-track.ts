import { queryProcedure } from '~/app/lib/procedures';
import { isPromo, type Skip, type Track } from './state';

/**
 * Rewrites an adjacent episode's URLs for the listener's host and language. Both episodes belong to one product, so
 * their page URLs differ only in the last segment.
 */
export function toAdjacentTrack(current: Track, opened: Track, here: string): Track {
  return {
    ...opened,
    url: pathOnly(opened.url, here),
    episodeRedirectUrl: replaceLastSegment(current.episodeRedirectUrl, opened.episodeRedirectUrl),
    creatorDomainUrl: current.creatorDomainUrl,
  };
}

/** An episode's audio has the same path on every host. */
export function pathOnly(address: string, here: string): string {
  return new URL(address, here).pathname;
}

function replaceLastSegment(address: string, other: string): string {
  return address.slice(0, address.lastIndexOf('/') + 1) + other.slice(other.lastIndexOf('/') + 1);
}

/** An episode in the player's format. @throws if the listener may not play it */
export const openTrack = (id: number) => queryProcedure<Track>('listening.open', { id });

/** The previous or next episode of the show that the listener may play; null at either end. @throws as queryProcedure */
export async function findAdjacent(track: Track, to: Skip): Promise<Track | null> {
  const { id } = track;
  if (isPromo(id)) return null;
  const adjacent = await queryProcedure<Record<Skip, number | null>>('listening.adjacent', { id });
  const found = adjacent[to];
  return found === null ? null : openAdjacent(track, found);
}

/** Another episode of the same show. @throws if the listener may not play it */
export async function openAdjacent(current: Track, id: number): Promise<Track> {
  return toAdjacentTrack(current, await openTrack(id), location.href);
}

/** The fields of an episode that `listening.others` returns. */
type OtherEpisode = { id: number; name: string };

/** The next episodes of the show, in play order. @throws as queryProcedure */
export async function listUpcoming(id: number): Promise<OtherEpisode[]> {
  if (isPromo(id)) return [];
  const input = { id, direction: 'next', pageSize: 10 };
  return (await queryProcedure<{ items: OtherEpisode[] }>('listening.others', input)).items;
}

import { queryProcedure } from '~/app/lib/procedures';
import type { Skip, Track } from './state';

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

/** Null at either end. */
export async function adjacentId(id: number, to: Skip): Promise<number | null> {
  return (await queryProcedure<Record<Skip, number | null>>('listening.adjacent', { id }))[to];
}

/** An episode in the player's format. @throws if the listener may not play it */
export const openTrack = (id: number) => queryProcedure<Track>('listening.open', { id });

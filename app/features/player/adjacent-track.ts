import type { Track } from './state';

/**
 * A neighbour as the server opened it, put where the listener is: on this host, and in the language of the page that the
 * episode before it came from. Both belong to one product, so only the last part of its address differs.
 */
export function toAdjacentTrack(current: Track, opened: Track, here: string): Track {
  return {
    ...opened,
    url: pathOnly(opened.url, here),
    episodeRedirectUrl: replaceLastSegment(current.episodeRedirectUrl, opened.episodeRedirectUrl),
    creatorDomainUrl: current.creatorDomainUrl,
  };
}

/** The bytes of an episode have one path on every host. */
function pathOnly(address: string, here: string): string {
  return new URL(address, here).pathname;
}

function replaceLastSegment(address: string, other: string): string {
  return address.slice(0, address.lastIndexOf('/') + 1) + other.slice(other.lastIndexOf('/') + 1);
}

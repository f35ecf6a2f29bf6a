/**
 * `linking`: Spotify has not answered yet. `unlinked`: by the person, or by Spotify; Spotify gets no more updates.
 */
export type SpotifyLinkState = 'linking' | 'linked' | 'unlinked';

/**
 * What we know of a show at Spotify, in our words. `by_hand`: its creator submits the feed, and Spotify tells us nothing.
 * `requested` and `leaving`: a job has still to tell Spotify. `unknown`: Spotify's answer is not in our table.
 */
export const SPOTIFY_SHOW_STATES = [
  'by_hand',
  'requested',
  'submitted',
  'live',
  'rejected',
  'unknown',
  'leaving',
  'removed',
] as const;
export type SpotifyShowState = (typeof SPOTIFY_SHOW_STATES)[number];

/** Two hosts of Spotify, which fail separately: Open Access with its tokens, and deliveries of feeds. */
export type SpotifyService = 'open_access' | 'delivery';

import { z } from 'zod';
import { type SpotifyCall, SpotifyRejected } from '../../base/errors';
import { storable } from '../../base/normalized';
import type { SpotifyDelivery } from './port';
import { readAnswer, send, type Wire } from './wire';

export const DELIVERY_HOST = 'https://podcast-delivery.spotify.com/podcastapi/v1';

const URI = z.string().regex(/^spotify:show:\w{1,100}$/);
const submitted = z.object({ spotifyUri: URI });
const LONGEST = 500;
const MAX_PROBLEMS = 20;
const words = z.coerce.string().transform((text) => storable(text.slice(0, LONGEST)));
const state = z.object({
  statusCode: words,
  statusDescription: words.nullish(),
  validationErrors: z.array(z.unknown()).nullish(),
});

/**
 * The API by which hosts deliver feeds. Spotify gives its documentation to partners only; the calls are those that open
 * clients make. A show is known by its URI (`spotify:show:…`).
 */
export function spotifyDelivery(token: string, host: string, wire: Wire): SpotifyDelivery {
  const call = (name: SpotifyCall, method: string, uri?: string, body?: object) => {
    const path = uri === undefined ? '' : `/${encodeURIComponent(uri)}`;
    const url = `${host}/rss-feeds${path}?${new URLSearchParams({ token })}`;
    const headers = { 'content-type': 'application/json' };
    return send(wire, name, { url, method, headers, ...(body && { body: JSON.stringify(body) }) });
  };
  return {
    async submit({ name, url }) {
      const answer = await call('submit', 'POST', undefined, { name, url }).catch(knownShow);
      return readAnswer('submit', submitted, answer).spotifyUri;
    },
    async status(uri) {
      const answer = readAnswer('status', state, await call('status', 'GET', uri));
      const problems = (answer.validationErrors ?? []).slice(0, MAX_PROBLEMS).map(toText);
      return { uri, status: answer.statusCode, text: answer.statusDescription ?? '', problems };
    },
    async remove(uri) {
      await call('remove', 'DELETE', uri);
    },
  };
}

/** Spotify has the feed already, for example because its first answer did not arrive. */
function knownShow(error: unknown): unknown {
  const uri =
    error instanceof SpotifyRejected && error.status === 409 ? /spotify:show:\w+/.exec(error.body)?.[0] : null;
  if (!uri) throw error;
  return { spotifyUri: uri };
}

const toText = (problem: unknown): string =>
  storable((typeof problem === 'string' ? problem : JSON.stringify(problem)).slice(0, LONGEST));

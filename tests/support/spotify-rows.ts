import { spotifyShows } from '~/db/schema/spotify';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';

type Stage = { runtime: Runtime; showId: number };

/** The rows of the authorization matrix about Spotify. */
export function spotifyRows({ runtime: { db, now }, showId: productId }: Stage) {
  const there = async () => {
    const values = { tokenHash: 'hash', sealedToken: 'sealed', activatedAt: now() };
    await db
      .insert(spotifyShows)
      .values({ productId, state: 'rejected', ...values })
      .onConflictDoUpdate({ target: spotifyShows.productId, set: { state: 'rejected' } });
    return { productId };
  };
  return {
    'spotify.ofShow': [['users', () => ({ productId })]],
    // no link was started
    'spotify.finish': [['users', () => ({ state: 'unknown', code: 'unknown' })]],
    // the owner has linked no account
    'spotify.publish': [['refusedOwner', () => ({ productId })]],
    'spotify.withdraw': [['ownerAlone', there]],
    // Spotify has not got the show
    'spotify.check': [['refusedOwner', there]],
  } satisfies Record<string, [rule: Rule, input?: () => Input | Promise<Input>][]>;
}

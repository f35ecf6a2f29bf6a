import { randomBytes } from 'node:crypto';
import type postgres from 'postgres';
import { DELIVERY_HOST, spotifyDelivery } from '../adapters/spotify/delivery';
import { openAccess, SPOTIFY_HOSTS } from '../adapters/spotify/open-access';
import type { SpotifyPort } from '../adapters/spotify/port';
import type { Wire } from '../adapters/spotify/wire';
import { SPOTIFY_CALLBACK_PATH } from '../base/account-paths';
import type { Urls } from '../base/urls';
import type { SpotifySettings } from '../env/spotify';
import { type Lazy, openOnce } from '../flow/open-once';
import type { SpotifySandbox } from '../sandbox/spotify/sandbox';

/** Path of the sandbox on the app's host. */
export const SPOTIFY_SANDBOX_PATH = '/_sandbox/spotify';

export type SelectedSpotify = {
  spotify: SpotifyPort;
  /** Loaded at its first use. Null in production, and with a contract. */
  sandbox: Lazy<SpotifySandbox> | null;
};

type Environment = { urls: Urls; client: postgres.Sql };

/** Spotify itself with a contract, the sandbox without one, and neither in production without one. */
export function selectSpotify(settings: SpotifySettings, environment: Environment): SelectedSpotify {
  if (settings === null) return { spotify: { openAccess: null, delivery: null }, sandbox: null };
  if (settings === 'sandbox') return sandboxSpotify(environment);
  const { deliveryToken } = settings;
  const spotify = {
    openAccess: openAccess(settings, SPOTIFY_HOSTS, { fetch }),
    delivery: deliveryToken === null ? null : spotifyDelivery(deliveryToken, DELIVERY_HOST, { fetch }),
  };
  return { spotify, sandbox: null };
}

/** The same clients, whose requests do not leave the process. */
function sandboxSpotify({ urls, client: database }: Environment): SelectedSpotify {
  const baseUrl = urls.app(SPOTIFY_SANDBOX_PATH);
  const secret = () => randomBytes(24).toString('base64url');
  const client = {
    ...{ clientId: 'sandbox-spotify', partnerId: 'sandbox-partner', clientSecret: secret(), deliveryToken: secret() },
    redirectUri: urls.app(SPOTIFY_CALLBACK_PATH),
  };
  const sandbox = openOnce(async () => {
    const [{ openSpotifySandbox }, { openStore }] = await Promise.all([
      import('../sandbox/spotify/sandbox'),
      import('../sandbox/spotify/store'),
    ]);
    return openSpotifySandbox({ baseUrl, client, store: await openStore(database) });
  });
  const wire: Wire = { fetch: async (input, init) => (await sandbox.get()).fetch(input, init) };
  const hosts = { accounts: baseUrl, api: `${baseUrl}/v1`, openAccess: `${baseUrl}/api/v1` };
  const spotify = {
    openAccess: openAccess({ ...client, isTest: true }, hosts, wire),
    delivery: spotifyDelivery(client.deliveryToken, `${baseUrl}/podcastapi/v1`, wire),
  };
  return { spotify, sandbox };
}

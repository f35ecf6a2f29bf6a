import { randomBytes } from 'node:crypto';
import { facebook } from '../adapters/identity/facebook';
import { google } from '../adapters/identity/google';
import type { IdentityPort, ProviderName } from '../adapters/identity/port';
import type { Wire } from '../adapters/identity/protocol';
import { identityProviders } from '../adapters/identity/providers';
import { identityCallbackPath } from '../base/public-paths';
import type { Urls } from '../base/urls';
import type { IdentitySettings } from '../env/identity';
import { type Lazy, openOnce } from '../flow/open-once';
import type { SandboxClient } from '../sandbox/identity/context';
import type { IdentitySandbox } from '../sandbox/identity/sandbox';

/** Path of the sandbox on the app's host. */
export const IDENTITY_SANDBOX_PATH = '/_sandbox/identity';

export type SelectedIdentity = {
  identity: IdentityPort;
  /** Loaded at its first use. Null in production, and if every provider is real. */
  sandbox: Lazy<IdentitySandbox> | null;
};

/** Selects Google and Facebook, or the sandbox in their place. */
export function selectIdentity(settings: IdentitySettings, urls: Urls): SelectedIdentity {
  const local = Object.values(settings).includes('sandbox') ? sandboxProviders(urls) : null;
  const select = <Real>(chosen: Real | 'sandbox' | null, name: ProviderName, connect: (real: Real) => Provider) =>
    chosen === 'sandbox' ? local?.providers[name] : chosen ? connect(chosen as Real) : undefined;
  return {
    identity: identityProviders({
      google: select(settings.google, 'google', (real) => google(real, {})),
      facebook: select(settings.facebook, 'facebook', (real) => facebook(real, {})),
    }),
    sandbox: local?.sandbox ?? null,
  };
}
type Provider = ReturnType<typeof google>;

/** The same clients, whose requests do not leave the process. */
function sandboxProviders(urls: Urls) {
  const baseUrl = urls.app(IDENTITY_SANDBOX_PATH);
  const client = (name: ProviderName): SandboxClient => ({
    clientId: `sandbox-${name}`,
    clientSecret: randomBytes(24).toString('base64url'),
    redirectUri: urls.app(identityCallbackPath(name)),
  });
  const clients = { google: client('google'), facebook: client('facebook') };
  const sandbox = openOnce(async () => {
    const { openIdentitySandbox } = await import('../sandbox/identity/sandbox');
    return openIdentitySandbox({ baseUrl, clients });
  });
  const wire: Wire = { fetch: async (input, init) => (await sandbox.get()).app.fetch(new Request(input, init)) };
  const base = `${baseUrl}/facebook`;
  const endpoints = { authorizeUrl: `${base}/dialog/oauth`, tokenUrl: `${base}/oauth/access_token`, graphUrl: base };
  const providers = {
    google: google({ ...clients.google, issuer: `${baseUrl}/google` }, wire),
    facebook: facebook({ ...clients.facebook, ...endpoints }, wire),
  };
  return { sandbox, providers };
}

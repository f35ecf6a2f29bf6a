import { rejected } from './errors';
import type { IdentityPort, Provider, ProviderName } from './port';

/** The port over the providers that are set up. */
export function identityProviders(providers: Partial<Record<ProviderName, Provider>>): IdentityPort {
  const find = (name: ProviderName): Provider => {
    const provider = providers[name];
    if (!provider) throw rejected();
    return provider;
  };
  return {
    providers: (['google', 'facebook'] as const).filter((name) => providers[name] !== undefined),
    authorizationUrl: async (name, attempt) => (await find(name).authorizationUrl(attempt)).href,
    identify: async (name, answer, attempt) => ({ provider: name, ...(await find(name).identify(answer, attempt)) }),
  };
}

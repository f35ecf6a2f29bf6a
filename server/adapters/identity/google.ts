import type { AuthorizationServer } from 'oauth4webapi';
import { HOURS } from '../../base/time';
import type { GoogleSettings } from '../../env/identity';
import type { Provider } from './port';
import { authorizationQuery, callProvider, exchangeCode, type Protocol, requestOptions, type Wire } from './protocol';

/** Google changes its endpoints rarely, and announces it. */
const DISCOVERY_LIFETIME = HOURS(1);

/** Google: OpenID Connect with discovery. The signed id token says who the person is. */
export function google({ clientId, clientSecret, issuer }: GoogleSettings, wire: Wire): Provider {
  const issuerUrl = new URL(issuer);
  const client = { client_id: clientId };
  const discover = keepServer((oauth) => discoverServer(oauth, issuerUrl, wire));
  return {
    authorizationUrl: ({ language, ...attempt }) =>
      callProvider(async (oauth) => {
        const { authorization_endpoint: endpoint } = await discover(oauth);
        const url = new URL(endpoint ?? issuer);
        const query = await authorizationQuery(oauth, attempt, { clientId, scope: 'openid email profile' });
        const { nonce } = attempt;
        url.search = new URLSearchParams({ ...query, nonce, prompt: 'select_account', hl: language }).toString();
        return url;
      }),
    identify: (answer, attempt) =>
      callProvider(async (oauth) => {
        const server = await discover(oauth);
        const options = requestOptions(oauth, issuerUrl, wire);
        const response = await exchangeCode(oauth, { server, client, clientSecret, options }, { answer, ...attempt });
        const expected = { expectedNonce: attempt.nonce, requireIdToken: true };
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, expected);
        await oauth.validateApplicationLevelSignature(server, response, options);
        const claims = oauth.getValidatedIdTokenClaims(tokens);
        return toIdentity(claims ?? {});
      }),
  };
}

function toIdentity(claims: Record<string, unknown>) {
  const email = typeof claims.email === 'string' && claims.email ? claims.email.toLowerCase() : null;
  return {
    subject: String(claims.sub),
    email,
    // old tokens have a string
    isEmailVerified: email !== null && String(claims.email_verified) === 'true',
    name: typeof claims.name === 'string' ? claims.name : null,
  };
}

async function discoverServer(oauth: Protocol, issuer: URL, wire: Wire): Promise<AuthorizationServer> {
  const response = await oauth.discoveryRequest(issuer, requestOptions(oauth, issuer, wire));
  return oauth.processDiscoveryResponse(issuer, response);
}

/** Keeps the result of `load` for a while; a failure is not kept. */
function keepServer(load: (oauth: Protocol) => Promise<AuthorizationServer>) {
  let kept: { server: Promise<AuthorizationServer>; until: number } | null = null;
  return (oauth: Protocol): Promise<AuthorizationServer> => {
    if (kept && kept.until > Date.now()) return kept.server;
    const server = load(oauth).catch((error) => {
      kept = null;
      throw error;
    });
    kept = { server, until: Date.now() + DISCOVERY_LIFETIME };
    return server;
  };
}

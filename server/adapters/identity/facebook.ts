import { createHmac } from 'node:crypto';
import type { FacebookSettings } from '../../env/identity';
import { rejected, unreachable } from './errors';
import type { Provider } from './port';
import { authorizationQuery, callProvider, exchangeCode, type Protocol, requestOptions, type Wire } from './protocol';

/** Facebook's redirects name no issuer. A redirect that names another issuer is rejected. */
const ISSUER = 'https://www.facebook.com';
const LOCALES: Record<string, string> = { en: 'en_US', es: 'es_LA' };

/**
 * Facebook: OAuth 2 without OpenID Connect. There is no discovery, no id token and no nonce: the Graph API says who the
 * person is. It does not say whether the address belongs to the person, so no address counts as verified. `email` is
 * null for people who have no address or do not share it (decision 0132).
 */
export function facebook(settings: FacebookSettings, wire: Wire): Provider {
  const { clientId, clientSecret, authorizeUrl, tokenUrl } = settings;
  const server = { issuer: ISSUER, authorization_endpoint: authorizeUrl, token_endpoint: tokenUrl };
  const client = { client_id: clientId };
  return {
    authorizationUrl: ({ language, ...attempt }) =>
      callProvider(async (oauth) => {
        const url = new URL(authorizeUrl);
        const query = await authorizationQuery(oauth, attempt, { clientId, scope: 'public_profile,email' });
        url.search = new URLSearchParams({ ...query, locale: LOCALES[language] ?? 'en_US' }).toString();
        return url;
      }),
    identify: (answer, attempt) =>
      callProvider(async (oauth) => {
        const options = requestOptions(oauth, new URL(tokenUrl), wire);
        const response = await exchangeCode(oauth, { server, client, clientSecret, options }, { answer, ...attempt });
        const { access_token: token } = await oauth.processAuthorizationCodeResponse(server, client, response);
        return toIdentity(await readProfile(oauth, token, { settings, wire }));
      }),
  };
}

type Where = { settings: FacebookSettings; wire: Wire };

/** The proof shows Facebook that the token is used by this app. */
async function readProfile(
  oauth: Protocol,
  token: string,
  { settings, wire }: Where,
): Promise<Record<string, unknown>> {
  const url = new URL(`${settings.graphUrl}/me`);
  const proof = createHmac('sha256', settings.clientSecret).update(token).digest('hex');
  url.search = new URLSearchParams({ fields: 'id,name,email', appsecret_proof: proof }).toString();
  const options = requestOptions(oauth, url, wire);
  const response = await oauth.protectedResourceRequest(token, 'GET', url, undefined, undefined, options);
  if (response.status >= 500) throw unreachable();
  const profile: unknown = await response.json();
  if (!response.ok || typeof profile !== 'object' || profile === null) throw rejected();
  return { ...profile };
}

function toIdentity({ id, name, email }: Record<string, unknown>) {
  if (typeof id !== 'string' || id === '') throw rejected();
  return {
    subject: id,
    email: typeof email === 'string' && email ? email.toLowerCase() : null,
    isEmailVerified: false,
    name: typeof name === 'string' ? name : null,
  };
}

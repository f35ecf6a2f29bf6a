import type { Audience } from '~/db/values/apps';
import type { Caller } from '~/server/trpc/caller';
import { PASSWORD } from './make';
import { pkce } from './pkce';

const APP_URL = 'http://altavoz.localhost:3000';
export const CALLBACK = 'http://127.0.0.1:53211/callback';

type Person = { api: Caller; creatorId: number };
type Asked = { scope?: string; granted?: string[]; audience?: Audience; creatorId?: number; password?: string };
export type Tokens = { access_token: string; refresh_token: string; expires_in: number; scope: string };
type Answer<Body> = { status: number; body: Body };

/** An app that registers itself and lets people connect it, with every step by itself. */
export function appConnections(fetchApp: typeof fetch) {
  async function post<Body>(path: string, sent: Record<string, string> | object, isForm = true): Promise<Answer<Body>> {
    const body = isForm ? new URLSearchParams(sent as Record<string, string>).toString() : JSON.stringify(sent);
    const headers = { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' };
    const response = await fetchApp(APP_URL + path, { method: 'POST', headers, body });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as Body };
  }

  async function register(name = 'Notes', redirectUris = [CALLBACK]): Promise<string> {
    const metadata = { client_name: name, redirect_uris: redirectUris };
    const { body } = await post<{ client_id: string }>('/oauth/register', metadata, false);
    return body.client_id;
  }

  /** The query of the consent page. */
  const requestOf = (clientId: string, challenge: string, { scope, audience = 'mcp' }: Asked = {}) => ({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${APP_URL}/${audience}`,
    state: 'the state',
    ...(scope !== undefined && { scope }),
  });

  /** The person lets the app in. @returns the code, and what proves that the same app began */
  async function consent({ api, creatorId }: Person, clientId: string, asked: Asked = {}) {
    const { verifier, challenge } = pkce();
    const request = requestOf(clientId, challenge, asked);
    const { scopes } = await api.apps.request(request);
    const granted = (asked.granted ?? scopes) as never;
    const answer = { creatorId: asked.creatorId ?? creatorId, granted, currentPassword: asked.password ?? PASSWORD };
    const { url } = await api.apps.connect({ ...request, ...answer });
    return { code: new URL(url).searchParams.get('code')!, verifier, url };
  }

  const exchange = (clientId: string, { code, verifier }: { code: string; verifier: string }, over: object = {}) =>
    post<Tokens & { error?: string }>('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      ...over,
    });

  const refresh = (clientId: string, token: string, over: object = {}) =>
    post<Tokens & { error?: string }>('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: token,
      ...over,
    });

  async function connect(person: Person, asked: Asked = {}) {
    const clientId = await register();
    const { body } = await exchange(clientId, await consent(person, clientId, asked));
    return { clientId, ...body };
  }

  return { post, register, requestOf, consent, exchange, refresh, connect };
}

import { z } from 'zod';
import { type SpotifyCall, SpotifyRejected } from '../../base/errors';
import { storable } from '../../base/normalized';
import { SECONDS } from '../../base/time';
import type { SpotifyContract } from '../../env/spotify';
import type { OpenAccess } from './port';
import { readAnswer, send, signedBody, type Wire } from './wire';

export type OpenAccessHosts = { accounts: string; api: string; openAccess: string };

export const SPOTIFY_HOSTS: OpenAccessHosts = {
  accounts: 'https://accounts.spotify.com',
  api: 'https://api.spotify.com/v1',
  openAccess: 'https://open-access.spotify.com/api/v1',
};

/** User and service scopes are never in one request. */
const USER_SCOPE = 'user-soa-link';
const MANAGE = 'soa-manage-entitlements';
const UNLINK = 'user-soa-unlink';
/** A token is renewed before it ends, because a call may take a while. */
const EARLY = SECONDS(60);

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const profile = z.object({
  id: z.string().min(1).max(200),
  display_name: z.string().max(200).transform(storable).nullish(),
});
const completion = z.object({ completion_url: z.url({ protocol: /^https?$/ }) });
const entitled = z.object({ entitlements: z.array(z.string()) });

type Contract = Pick<SpotifyContract, 'clientId' | 'clientSecret' | 'partnerId' | 'isTest'>;

/** The documented calls: OAuth at Spotify's accounts, and Open Access, whose bodies are signed. */
export function openAccess(contract: Contract, hosts: OpenAccessHosts, wire: Wire): OpenAccess {
  const { clientId, clientSecret, partnerId, isTest } = contract;
  const tokenOf = keepTokens((scope) => requestToken({ grant_type: 'client_credentials', scope }));

  async function requestToken(form: Record<string, string>) {
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(form).toString();
    const answer = await send(wire, 'token', { url: `${hosts.accounts}/api/token`, method: 'POST', headers, body });
    return readAnswer('token', tokenAnswer, answer);
  }

  async function call(name: SpotifyCall, path: string, token: string, payload: object) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'jwt' };
    const body = signedBody({ partner_id: partnerId, ...payload }, clientSecret);
    return send(wire, name, { url: `${hosts.openAccess}/${path}`, method: 'POST', headers, body });
  }

  /** A token can end early, for example after Spotify has changed the app: one more attempt gets a new one. */
  async function serve(name: SpotifyCall, path: string, scope: string, payload: object): Promise<unknown> {
    try {
      return await call(name, path, await tokenOf(scope), payload);
    } catch (error) {
      if (!(error instanceof SpotifyRejected) || error.status !== 401) throw error;
      return call(name, path, await tokenOf(scope, { isRenewed: true }), payload);
    }
  }

  return {
    partnerId,
    isTest,
    authorizeUrl({ state, redirectUri }) {
      const url = new URL(`${hosts.accounts}/authorize`);
      const query = { client_id: clientId, response_type: 'code', scope: USER_SCOPE, redirect_uri: redirectUri, state };
      url.search = new URLSearchParams(query).toString();
      return url.href;
    },
    async identify({ code, redirectUri }) {
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
      const { access_token: token } = await requestToken(form);
      const headers = { authorization: `Bearer ${token}` };
      const answer = readAnswer('account', profile, await send(wire, 'account', { url: `${hosts.api}/me`, headers }));
      return { token, account: { id: answer.id, name: answer.display_name || null } };
    },
    async registerUser(token, { partnerUserId, entitlements }) {
      const answer = await call('register', 'register-user', token, { partner_user_id: partnerUserId, entitlements });
      return { completionUrl: readAnswer('register', completion, answer).completion_url };
    },
    async listEntitlements(partnerUserId) {
      const payload = { partner_user_id: partnerUserId };
      return readAnswer('entitlements', entitled, await serve('entitlements', 'get-entitlements', MANAGE, payload))
        .entitlements;
    },
    async replaceEntitlements({ partnerUserId, entitlements }) {
      await serve('entitlements', 'replace-entitlements', MANAGE, { partner_user_id: partnerUserId, entitlements });
    },
    async unlinkUser(partnerUserId) {
      await serve('unlink', 'unlink-user', UNLINK, { partner_user_id: partnerUserId });
    },
  };
}

type Token = z.infer<typeof tokenAnswer>;

/** One token for each scope; a failure is not kept. */
function keepTokens(request: (scope: string) => Promise<Token>) {
  const kept = new Map<string, { token: Promise<string>; until: number }>();
  return (scope: string, { isRenewed = false } = {}): Promise<string> => {
    const known = kept.get(scope);
    if (known && known.until > Date.now() && !isRenewed) return known.token;
    const token = request(scope).then(({ access_token: value, expires_in: seconds }) => {
      entry.until = Date.now() + SECONDS(seconds) - EARLY;
      return value;
    });
    const entry = { token, until: Number.POSITIVE_INFINITY };
    kept.set(scope, entry);
    token.catch(() => kept.get(scope) === entry && kept.delete(scope));
    return token;
  };
}

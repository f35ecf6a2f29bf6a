import type * as oauth4webapi from 'oauth4webapi';
import { AppError } from '../../base/errors';
import { SECONDS } from '../../base/time';
import { openOnce } from '../../flow/open-once';
import { denied, rejected, unreachable } from './errors';
import type { LoginAttempt } from './port';

export type Protocol = typeof oauth4webapi;
/** How requests reach the provider; in the sandbox they do not leave the process. */
export type Wire = { fetch?: typeof fetch };

const TIMEOUT = SECONDS(10);

/** Loaded with the first log-in, because loading it would slow down every start. */
const protocol = openOnce(() => import('oauth4webapi'));

/** Options of each request. Plain HTTP is for this machine only; the settings check that. */
export function requestOptions(oauth: Protocol, { protocol: scheme }: URL, { fetch: send }: Wire) {
  return {
    signal: () => AbortSignal.timeout(TIMEOUT),
    [oauth.allowInsecureRequests]: scheme === 'http:',
    ...(send && {
      [oauth.customFetch]: (url: string, options: oauth4webapi.CustomFetchOptions<string, unknown>) =>
        send(url, options as RequestInit),
    }),
  };
}

type Endpoint = {
  server: oauth4webapi.AuthorizationServer;
  client: oauth4webapi.Client;
  clientSecret: string;
  options: ReturnType<typeof requestOptions>;
};
type Exchanged = { answer: URLSearchParams; state: string; codeVerifier: string; redirectUri: string };

/** Checks the answer's state and issuer, and exchanges its code for tokens (RFC 6749 §4.1.3, RFC 7636 §4.5). */
export function exchangeCode(
  oauth: Protocol,
  { server, client, clientSecret, options }: Endpoint,
  { answer, state, codeVerifier, redirectUri }: Exchanged,
): Promise<Response> {
  const parameters = oauth.validateAuthResponse(server, client, answer, state);
  const secret = oauth.ClientSecretPost(clientSecret);
  return oauth.authorizationCodeGrantRequest(server, client, secret, parameters, redirectUri, codeVerifier, options);
}

/** Calls the provider and maps the library's errors to ours. The original is kept as the cause, for the log. */
export async function callProvider<T>(call: (oauth: Protocol) => Promise<T>): Promise<T> {
  const oauth = await protocol.get();
  try {
    return await call(oauth);
  } catch (error) {
    throw error instanceof AppError ? error : Object.assign(toAppError(oauth, error), { cause: error });
  }
}

function toAppError(oauth: Protocol, error: unknown): AppError {
  if (error instanceof oauth.AuthorizationResponseError) return error.error === 'access_denied' ? denied() : rejected();
  if (error instanceof oauth.OperationProcessingError) return isOutage(error) ? unreachable() : rejected();
  const isAnswer =
    error instanceof oauth.ResponseBodyError ||
    error instanceof oauth.WWWAuthenticateChallengeError ||
    error instanceof oauth.UnsupportedOperationError;
  // the other errors are failed connections and timeouts
  return isAnswer ? rejected() : unreachable();
}

/** An answer with a status from 500 is the provider's fault, not the person's. */
function isOutage({ cause }: Error): boolean {
  return cause instanceof Response && cause.status >= 500;
}

/** The query for every provider. A provider that does not know PKCE ignores the challenge. */
export async function authorizationQuery(
  oauth: Protocol,
  { state, codeVerifier, redirectUri }: LoginAttempt,
  { clientId, scope }: { clientId: string; scope: string },
): Promise<Record<string, string>> {
  return {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  };
}

import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { alone, type Login, readLogin, storeLogin } from './stored-login.js';
import { type Terminal, UsageError } from './terminal.js';

type AppLogin = Extract<Login, { kind: 'app' }>;
type Server = {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint: string;
  revocation_endpoint: string;
};
type Tokens = { access_token: string; refresh_token: string; expires_in: number };

const SCOPE = 'shows:read episodes:read episodes:write statistics:read';
/** A token is refreshed before it expires on the way. */
const EARLY_MS = 60_000;
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Altavoz</title>
<style>
  body { max-width: 32rem; margin: 15vh auto; padding: 0 1.5rem; font: 18px/1.5 system-ui, sans-serif; color-scheme: light dark; }
</style>
<h1>Back to the terminal</h1>
<p>The command line has its answer. You can close this page and return to the terminal.</p>
</html>
`;

/** Logs in by the browser (OAuth 2.1, with PKCE and an address of this machine). */
export async function logInByBrowser(terminal: Terminal, url: string): Promise<AppLogin> {
  const server = await describe(terminal, url);
  const [verifier, state] = [secret(), secret()];
  const callback = await openCallback();
  try {
    const clientId = await registered(terminal, server, url);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: callback.address,
      scope: SCOPE,
      resource: `${url}/v1`,
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const page = `${server.authorization_endpoint}?${query}`;
    terminal.print(`Open this page to log in:\n${page}`);
    terminal.open(page);
    const answer = await callback.answered;
    if (answer.get('state') !== state || answer.get('iss') !== server.issuer)
      throw new UsageError('The answer belongs to another login. Start again.');
    const code = answer.get('code');
    if (code === null) throw new UsageError('You did not let the app in.');
    const form = { grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier };
    const tokens = await post<Tokens>(terminal, server.token_endpoint, { ...form, redirect_uri: callback.address });
    return toLogin(terminal, { url, clientId }, tokens);
  } finally {
    callback.close();
  }
}

const secret = () => randomBytes(32).toString('base64url');

async function describe(terminal: Terminal, url: string): Promise<Server> {
  const response = await terminal.fetch(`${url}/.well-known/oauth-authorization-server`);
  const server = response.ok ? ((await response.json().catch(() => null)) as Server | null) : null;
  if (!server) throw new UsageError(`There is no Altavoz at ${url}.`);
  // another server's endpoints would get the code (RFC 8414 §3.3)
  if (server.issuer !== url) throw new UsageError(`The server at ${url} calls itself ${server.issuer}.`);
  return server;
}

/** Waits for the browser on a free port of this machine. */
async function openCallback() {
  let settle: (answer: URLSearchParams) => void;
  const answered = new Promise<URLSearchParams>((resolve) => {
    settle = resolve;
  });
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (pathname !== '/callback') return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' }).end(PAGE);
    settle(searchParams);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/callback`, answered, close: () => server.close() };
}

/** The registration of a former login, whose port may differ, or a new one. */
async function registered(terminal: Terminal, server: Server, url: string): Promise<string> {
  const former = await readLogin(terminal.folder);
  if (former?.kind === 'app' && former.url === url) return former.clientId;
  const body = JSON.stringify({
    client_name: 'Altavoz command line',
    redirect_uris: ['http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
  });
  const headers = { 'content-type': 'application/json' };
  const response = await terminal.fetch(server.registration_endpoint, { method: 'POST', headers, body });
  const { client_id: clientId } = (await response.json()) as { client_id?: string };
  if (!clientId) throw new UsageError('The server does not accept new apps now. Try again later.');
  return clientId;
}

async function post<Answer>(terminal: Terminal, endpoint: string, form: Record<string, string>): Promise<Answer> {
  const response = await terminal.fetch(endpoint, { method: 'POST', body: new URLSearchParams(form) });
  const answer = (await response.json().catch(() => ({}))) as Answer & { error?: string };
  if (!response.ok) throw new UsageError(`Log in again: altavoz login (${answer.error ?? response.status})`);
  return answer;
}

function toLogin(terminal: Terminal, about: Pick<AppLogin, 'url' | 'clientId'>, tokens: Tokens): AppLogin {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = tokens;
  return { kind: 'app', ...about, accessToken, refreshToken, expiresAt: terminal.now() + seconds * 1000 };
}

/** A token that still works for a while. */
export async function freshToken(terminal: Terminal): Promise<string> {
  const login = await readLogin(terminal.folder);
  if (!login) throw new UsageError('Log in first: altavoz login --url https://…');
  if (login.kind === 'key') return login.key;
  if (login.expiresAt - EARLY_MS > terminal.now()) return login.accessToken;
  return alone(terminal.folder, async () => {
    const current = await readLogin(terminal.folder);
    if (current?.kind !== 'app') throw new UsageError('Log in first: altavoz login');
    if (current.expiresAt - EARLY_MS > terminal.now()) return current.accessToken;
    const { token_endpoint: endpoint } = await describe(terminal, current.url);
    const form = { grant_type: 'refresh_token', client_id: current.clientId, refresh_token: current.refreshToken };
    const renewed = toLogin(terminal, current, await post<Tokens>(terminal, endpoint, form));
    await storeLogin(terminal.folder, renewed);
    return renewed.accessToken;
  });
}

/** Gives the tokens back. */
export async function revoke(terminal: Terminal, { url, clientId, refreshToken }: AppLogin): Promise<void> {
  const { revocation_endpoint: endpoint } = await describe(terminal, url);
  const body = new URLSearchParams({ token: refreshToken, client_id: clientId });
  await terminal.fetch(endpoint, { method: 'POST', body });
}

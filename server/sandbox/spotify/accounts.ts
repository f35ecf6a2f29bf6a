import type { Context, Hono } from 'hono';
import type { SandboxAccount, SandboxContext } from './context';
import { completedPage, consentPage, PAGE_HEADERS, rejectedPage } from './pages';
import { sandboxLanguage } from './texts';
import type { Tokens } from './tokens';

const ACCOUNTS: SandboxAccount[] = [
  { id: 'sandbox-elena', name: 'Elena' },
  { id: 'sandbox-marco', name: 'Marco' },
  { id: 'sandbox-noor', name: 'Noor' },
];
const SERVICE_SCOPES = ['soa-manage-entitlements', 'soa-manage-partner', 'soa-create-partner', 'user-soa-unlink'];

/** Spotify's accounts: the page for agreeing, tokens for codes and for the service, and the profile of a token. */
export function mountAccounts(app: Hono, { client, faultOf, baseUrl }: SandboxContext, tokens: Tokens): void {
  app.get('/authorize', (c) =>
    isKnown(c) ? c.html(consentPage(sandboxLanguage(c), ACCOUNTS), 200, PAGE_HEADERS) : reject(c),
  );
  app.post('/authorize', async (c) => {
    if (!isKnown(c)) return reject(c);
    const form = new URLSearchParams(await c.req.text());
    const account = accountOf(form.get('account') ?? '');
    const scopes = (c.req.query('scope') ?? '').split(' ');
    const answer: [string, string] = account ? ['code', tokens.issue({ scopes, account })] : ['error', 'access_denied'];
    const to = new URL(client.redirectUri);
    to.search = new URLSearchParams([answer, ['state', c.req.query('state') ?? '']]).toString();
    return c.redirect(to.href, 303);
  });
  app.post('/api/token', async (c) => {
    const fault = faultOf('token');
    if (fault && fault !== 'away') return c.json({ error: 'server_error' }, fault.status as 500);
    const expected = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
    if (c.req.header('authorization') !== `Basic ${expected}`) return c.json({ error: 'invalid_client' }, 400);
    const form = new URLSearchParams(await c.req.text());
    if (form.get('grant_type') === 'client_credentials') {
      const scopes = (form.get('scope') ?? '').split(' ');
      const isService = scopes.every((scope) => SERVICE_SCOPES.includes(scope));
      return isService ? c.json(tokens.answer({ scopes, account: null })) : c.json({ error: 'invalid_scope' }, 400);
    }
    const granted = form.get('redirect_uri') === client.redirectUri ? tokens.redeem(form.get('code') ?? '') : null;
    return granted?.account ? c.json(tokens.answer(granted)) : c.json({ error: 'invalid_grant' }, 400);
  });
  app.get('/v1/me', (c) => {
    const token = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    const account = tokens.find(token)?.account;
    return account ? c.json({ id: account.id, display_name: account.name }) : c.json({ error: 'invalid token' }, 401);
  });
  app.get('/completed', (c) =>
    c.html(completedPage(sandboxLanguage(c), new URL('/spotify', baseUrl).href), 200, PAGE_HEADERS),
  );

  /** An unknown client or address gets no redirect, so that this page can't send people to other sites. */
  function isKnown(c: Context): boolean {
    const { client_id, redirect_uri, response_type } = c.req.query();
    return client_id === client.clientId && redirect_uri === client.redirectUri && response_type === 'code';
  }
}

const reject = (c: Context) => c.html(rejectedPage(sandboxLanguage(c)), 400, PAGE_HEADERS);

/** A typed name is an account, too: the same name is the same account. */
function accountOf(typed: string): SandboxAccount | null {
  const name = typed.trim().slice(0, 60);
  return ACCOUNTS.find(({ id }) => id === name) ?? (name ? { id: `sandbox-other-${name.toLowerCase()}`, name } : null);
}

import { createHmac } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { mountDialog } from './authorize';
import { mayRedeem } from './codes';
import type { SandboxClient, SandboxContext } from './context';

const LIFETIME_SECONDS = 5_183_944;
const DENIED = {
  error: 'access_denied',
  error_code: '200',
  error_description: 'Permissions error',
  error_reason: 'user_denied',
};

/**
 * Facebook: OAuth 2 and the Graph API. Its redirects name no issuer, its errors have a format of their own, and it has
 * no id token.
 */
export function mountFacebook(app: Hono, { codes, fault }: SandboxContext, client: SandboxClient): void {
  mountDialog(app, '/dialog/oauth', {
    provider: 'facebook',
    client,
    allow: (grant) => ({ code: codes.issue(grant) }),
    deny: () => DENIED,
  });
  app.post('/oauth/access_token', async (c) => {
    if (fault() === 'down') return graphError(c, 503, 'Service temporarily unavailable');
    const form = new URLSearchParams(await c.req.text());
    const field = (name: string) => form.get(name) ?? '';
    const [clientId, redirectUri, verifier] = [field('client_id'), field('redirect_uri'), field('code_verifier')];
    if (clientId !== client.clientId || field('client_secret') !== client.clientSecret)
      return graphError(c, 400, 'Error validating client secret.');
    const grant = codes.redeem(field('code'));
    if (!grant || !mayRedeem(grant, { clientId, redirectUri, verifier }))
      return graphError(c, 400, 'This authorization code has been used.');
    return c.json({ access_token: codes.issue(grant), token_type: 'bearer', expires_in: LIFETIME_SECONDS });
  });
  app.get('/me', (c) => {
    const token = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    const proof = createHmac('sha256', client.clientSecret).update(token).digest('hex');
    if (c.req.query('appsecret_proof') !== proof) return graphError(c, 400, 'Invalid appsecret_proof');
    const grant = codes.redeem(token);
    if (!grant) return graphError(c, 401, 'Invalid OAuth access token.');
    const { id, name, email } = grant.person;
    const known: Record<string, string | null> = { id, name, email: grant.scopes.includes('email') ? email : null };
    // a field without a value is left out
    const fields = (c.req.query('fields') ?? 'id,name').split(',').filter((field) => known[field] != null);
    return c.json(Object.fromEntries(fields.map((field) => [field, known[field]])));
  });
}

function graphError(c: Context, status: 400 | 401 | 503, message: string) {
  return c.json({ error: { message, type: 'OAuthException', code: status === 503 ? 2 : 100 } }, status);
}

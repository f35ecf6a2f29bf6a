import type { Context, Hono } from 'hono';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { openOnce } from '../../flow/open-once';
import { mountDialog } from './authorize';
import { type Grant, mayRedeem } from './codes';
import type { SandboxClient, SandboxContext } from './context';

type GoogleClient = SandboxClient & { issuer: string };
const KEY_ID = 'sandbox';
const LIFETIME_SECONDS = 3600;
const ALGORITHM = 'RS256';

/** Google: OpenID Connect with discovery, keys, and a signed id token. */
export function mountGoogle(app: Hono, context: SandboxContext, client: GoogleClient): void {
  const { issuer } = client;
  const keys = openOnce(() => generateKeyPair(ALGORITHM));
  const otherKeys = openOnce(() => generateKeyPair(ALGORITHM));
  app.get('/.well-known/openid-configuration', (c) => c.json(metadata(issuer)));
  app.get('/jwks', async (c) => {
    const { publicKey } = await keys.get();
    return c.json({ keys: [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: ALGORITHM, use: 'sig' }] });
  });
  const named = () => (context.fault() === 'wrong_issuer' ? 'https://evil.example' : issuer);
  mountDialog(app, '/authorize', {
    provider: 'google',
    client,
    allow: (grant) => ({ code: context.codes.issue(grant), iss: named(), scope: grant.scopes.join(' ') }),
    deny: () => ({ error: 'access_denied', iss: named() }),
  });
  app.post('/token', async (c) => {
    if (context.fault() === 'down') return c.json({ error: 'temporarily_unavailable' }, 503);
    const grant = await redeemCode(c, context, client);
    if (typeof grant === 'string') return c.json({ error: grant }, grant === 'invalid_client' ? 401 : 400);
    const signing = context.fault() === 'other_key' ? otherKeys : keys;
    const token = idToken(grant, client, context).sign((await signing.get()).privateKey);
    const shared = { token_type: 'Bearer', expires_in: LIFETIME_SECONDS, scope: grant.scopes.join(' ') };
    return c.json({ ...shared, access_token: context.codes.issue(grant), id_token: await token });
  });
}

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [ALGORITHM],
  scopes_supported: ['openid', 'email', 'profile'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
});

/** @returns the error's code if the request may not have the grant */
async function redeemCode(c: Context, { codes }: SandboxContext, client: GoogleClient): Promise<Grant | string> {
  const form = new URLSearchParams(await c.req.text());
  const field = (name: string) => form.get(name) ?? '';
  if (field('client_id') !== client.clientId || field('client_secret') !== client.clientSecret) return 'invalid_client';
  if (field('grant_type') !== 'authorization_code') return 'unsupported_grant_type';
  const grant = codes.redeem(field('code'));
  const redemption = {
    clientId: field('client_id'),
    redirectUri: field('redirect_uri'),
    verifier: field('code_verifier'),
  };
  return grant && mayRedeem(grant, redemption) ? grant : 'invalid_grant';
}

function idToken({ person, nonce }: Grant, { issuer, clientId }: GoogleClient, { fault }: SandboxContext): SignJWT {
  const given = fault() === 'no_nonce' ? null : fault() === 'other_nonce' ? 'another' : nonce;
  return new SignJWT({
    name: person.name,
    ...(given !== null && { nonce: given }),
    ...(person.email && { email: person.email, email_verified: person.isEmailVerified }),
  })
    .setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(person.id)
    .setAudience(fault() === 'other_audience' ? 'another-client' : clientId)
    .setIssuedAt()
    .setExpirationTime(`${LIFETIME_SECONDS}s`);
}

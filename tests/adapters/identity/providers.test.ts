import { expect, test } from 'vitest';
import { facebook } from '~/server/adapters/identity/facebook';
import { google } from '~/server/adapters/identity/google';
import { makeUrls } from '~/server/base/urls';
import type { FacebookSettings, GoogleSettings } from '~/server/env/identity';
import { parseEnv } from '~/server/env/read';
import { selectIdentity } from '~/server/runtime/select-identity';

type Answer = { status?: number; json: unknown };

const env = parseEnv({
  GOOGLE_CLIENT_ID: 'google-id',
  GOOGLE_CLIENT_SECRET: 'google-secret',
  FACEBOOK_APP_ID: 'facebook-id',
  FACEBOOK_APP_SECRET: 'facebook-secret',
}).identity as { google: GoogleSettings; facebook: FacebookSettings };

const ATTEMPT = {
  state: 's',
  nonce: 'n',
  codeVerifier: 'v'.repeat(43),
  redirectUri: 'https://altavoz.example/callback',
};

/** Answers each request in turn, and records it as `GET https://…`. */
function wireTo(...answers: (Answer | Error)[]) {
  const requests: string[] = [];
  const send = async (url: string | URL | Request, init?: RequestInit) => {
    requests.push(`${init?.method} ${url}${init?.body ? ` ${init.body}` : ''}`);
    const answer = answers.shift();
    if (!answer || answer instanceof Error) throw answer ?? new Error('no more answers');
    return Response.json(answer.json, { status: answer.status ?? 200 });
  };
  return { requests, fetch: send as typeof fetch };
}

const METADATA = {
  issuer: 'https://accounts.google.com',
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  token_endpoint: 'https://oauth2.googleapis.com/token',
};
const TOKEN = { access_token: 'token', token_type: 'bearer', expires_in: 3600 };
const answered = () => new URLSearchParams({ code: 'c', state: 's' });

test('Google’s endpoints come from its discovery document, which is read once', async () => {
  const wire = wireTo({ json: METADATA });
  const provider = google(env.google, wire);

  const url = await provider.authorizationUrl({ ...ATTEMPT, language: 'es' });
  await provider.authorizationUrl({ ...ATTEMPT, language: 'en' });

  expect(wire.requests).toEqual(['GET https://accounts.google.com/.well-known/openid-configuration']);
  expect(url.origin + url.pathname).toBe(METADATA.authorization_endpoint);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: 'google-id',
    redirect_uri: ATTEMPT.redirectUri,
    response_type: 'code',
    scope: 'openid email profile',
    state: 's',
    nonce: 'n',
    code_challenge_method: 'S256',
    hl: 'es',
  });
  expect(url.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
});

test('a discovery document of another issuer is refused, and a failure is not kept', async () => {
  const wire = wireTo({ json: { ...METADATA, issuer: 'https://evil.example' } }, new TypeError('offline'), {
    json: METADATA,
  });
  const provider = google(env.google, wire);
  const begin = () => provider.authorizationUrl({ ...ATTEMPT, language: 'en' });

  await expect(begin()).rejects.toMatchObject({ code: 'identity.rejected' });
  await expect(begin()).rejects.toMatchObject({ code: 'identity.unavailable' });
  expect((await begin()).host).toBe('accounts.google.com');
});

test('Facebook is asked at version 26.0 of its Graph API, with a proof of the secret', async () => {
  const wire = wireTo({ json: TOKEN }, { json: { id: '7', name: 'Elena', email: 'Elena@Mail.example' } });
  const provider = facebook(env.facebook, wire);
  const dialog = await provider.authorizationUrl({ ...ATTEMPT, language: 'es' });

  const identity = await provider.identify(answered(), ATTEMPT);

  expect(dialog.href).toMatch(/^https:\/\/www\.facebook\.com\/v26\.0\/dialog\/oauth\?.*scope=public_profile%2Cemail/);
  expect(dialog.searchParams.get('locale')).toBe('es_LA');
  expect(identity).toEqual({ subject: '7', email: 'elena@mail.example', isEmailVerified: false, name: 'Elena' });
  expect(wire.requests[0]).toMatch(
    /^POST https:\/\/graph\.facebook\.com\/v26\.0\/oauth\/access_token .*code_verifier=v/,
  );
  expect(wire.requests[1]).toMatch(
    /^GET https:\/\/graph\.facebook\.com\/v26\.0\/me\?fields=id%2Cname%2Cemail&appsecret_proof=[\da-f]{64}$/,
  );
});

test.each<[string, (Answer | Error)[], string]>([
  ['a used code', [{ status: 400, json: { error: { message: 'used', code: 100 } } }], 'identity.rejected'],
  ['an outage of the token endpoint', [{ status: 503, json: {} }], 'identity.unavailable'],
  ['a broken connection', [new TypeError('fetch failed')], 'identity.unavailable'],
  ['an outage of the Graph API', [{ json: TOKEN }, { status: 500, json: {} }], 'identity.unavailable'],
  ['a refused token', [{ json: TOKEN }, { status: 401, json: { error: {} } }], 'identity.rejected'],
  ['a profile without an id', [{ json: TOKEN }, { json: { name: 'Elena' } }], 'identity.rejected'],
])('Facebook: %s', async (_, answers, code) => {
  const provider = facebook(env.facebook, wireTo(...answers));

  await expect(provider.identify(answered(), ATTEMPT)).rejects.toMatchObject({ code });
});

test('production without client ids offers no provider and has no local one', () => {
  const { urls, identity } = parseEnv({
    APP_ENV: 'production',
    APP_URL: 'https://altavoz.example',
    ALLOW_DEV_FALLBACKS: '1',
  });

  const selected = selectIdentity(identity, makeUrls(urls));

  expect([selected.identity.providers, selected.sandbox]).toEqual([[], null]);
  expect(selectIdentity(parseEnv({}).identity, makeUrls(urls)).identity.providers).toEqual(['google', 'facebook']);
});

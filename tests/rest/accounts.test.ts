import { expect, test } from 'vitest';
import { cast } from '../support/cast';
import { legacyClient, stringOf } from '../support/legacy';
import { PASSWORD } from '../support/make';
import { picture } from '../support/pictures';

const opened = await cast();
const { runtime, make, lucia } = opened;
const api = legacyClient(opened);

const SIGN_UP = {
  email: 'ana.ruiz@mail.example',
  password1: 'correct horse',
  password2: 'correct horse',
  name: 'Ana',
  country: 'es',
  language: 'es',
  terms: true,
};
/** Rate limits count clients by address. */
const from = (address: string) => ({ 'x-forwarded-for': address });

test('signing up returns the token and the user, and queues an email', async () => {
  const response = await api.post('auth/registration/', { json: SIGN_UP });

  expect(response.status).toBe(201);
  expect(response.body.user).toMatchObject({
    email: SIGN_UP.email,
    country: 'ES',
    language: 'es',
    currency: 'eur',
    type: 'listener',
    creator: null,
    is_email_verified: false,
    subscription: { name: 'Free Plan' },
    rss_feed_import_data: [],
  });
  expect((await api.get('auth/user/', { token: stringOf(response.body.key) })).body).toEqual(response.body.user);
  const jobs = await runtime.queue.boss.fetch('notifications.deliver');
  expect(jobs).toHaveLength(1);
});

test('forms are accepted like JSON', async () => {
  const form = { ...SIGN_UP, terms: 'on', email: 'form@mail.example' };
  const multipart = new FormData();
  for (const [name, value] of Object.entries({ ...form, email: 'multipart@mail.example' })) multipart.set(name, value);

  const responses = [
    await api.post('auth/registration', { form }),
    await api.post('auth/registration', { form: multipart }),
  ];

  expect(responses.map(({ status }) => status)).toEqual([201, 201]);
});

test('registration errors use the field names that the client sent', async () => {
  const wrong = { email: 'a+b@mail.example', password1: 'short', country: 'XX', terms: false };

  const response = await api.post('auth/registration/', { json: wrong });

  expect(response.status).toBe(400);
  expect(response.body).toEqual({
    email: ['To sign up, the part before the @ can have only letters (a-z), digits and full stops.'],
    password1: ['Password must have at least 8 characters'],
    name: ['Name is required'],
    country: ['This value is not valid.'],
    terms: ['Accept the terms to continue.'],
  });
});

test('two different passwords, or only one, are rejected', async () => {
  const { password2: _, ...unrepeated } = SIGN_UP;
  const differing = { ...SIGN_UP, password2: 'correct horses' };

  const responses = [
    await api.post('auth/registration/', { json: differing }),
    await api.post('auth/registration/', { json: unrepeated }),
  ];

  for (const { status, body } of responses) {
    expect([status, body]).toEqual([400, { password2: ['Passwords do not match'] }]);
  }
});

test('an email address that is already used is reported on its field', async () => {
  const { email } = await make.person();

  const response = await api.post('auth/registration/', { json: { ...SIGN_UP, email } });

  expect(response.status).toBe(400);
  expect(Object.keys(response.body)).toEqual(['email']);
});

test('logging in returns a token that works until logging out', async () => {
  const { email } = await make.person();

  const { status, body } = await api.post('auth/login/', { json: { email, password: 'correct horse' } });
  const token = stringOf(body.key);
  const before = await api.get('auth/user/', { token });
  const out = await api.post('auth/logout/', { token });
  const after = await api.get('auth/user/', { token });

  expect([status, before.status, after.status]).toEqual([200, 200, 401]);
  expect([out.status, out.body]).toEqual([200, { detail: 'Successfully logged out.' }]);
  expect(after.body).toEqual({ detail: 'Invalid token.' });
});

test('a wrong password and an unknown address give the same error, in the requested language', async () => {
  const { email } = await make.person();
  const headers = { 'accept-language': 'es-ES,es;q=0.9,en;q=0.5' };
  const attempts = [
    { email, password: 'wrong password' },
    { email: 'nobody@mail.example', password: 'wrong password' },
  ];

  const responses = await Promise.all(attempts.map((json) => api.post('auth/login/', { json, headers })));

  for (const { status, body } of responses) {
    expect([status, body]).toEqual([400, { non_field_errors: ['No se pudo iniciar sesión con los datos indicados.'] }]);
  }
});

test('repeated login attempts are rate limited, except on a device that has logged in before', async () => {
  const { email } = await make.person();
  const attempt = (password: string, cookie = '') =>
    api.post('auth/login/', { json: { email, password }, headers: { ...from('198.51.100.1'), cookie } });
  const cookies = (await attempt(PASSWORD)).headers.getSetCookie();
  const device = cookies[0]!.split(';')[0]!;
  const wrong = Array.from({ length: 30 }, () => attempt('wrong'));
  const known = await attempt(PASSWORD, device);
  const responses = await Promise.all(wrong);

  expect(cookies).toEqual([expect.stringMatching(/^device=[\w-]+\.[\w-]+; .*HttpOnly/)]);
  expect(known.status).toBe(200);

  const response = responses.find(({ status }) => status === 429)!;
  const seconds = Number(response.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(response.body).toEqual({ detail: `Request was throttled. Expected available in ${seconds} seconds.` });
});

test('calls that need no token ignore it', async () => {
  const { email } = await make.person();

  const response = await api.post('auth/login/', { token: 'dead', json: { email, password: 'correct horse' } });

  expect(response.status).toBe(200);
});

test('the user changes country, and the currency follows', async () => {
  const { token } = await make.person({ country: 'ES' });
  const form = { country: 'US', language: 'es', consents_to_marketing_emails: 'true' };

  const { status, body } = await api.patch('auth/user/', { token, form });

  expect(status).toBe(200);
  expect(body).toMatchObject({ country: 'US', currency: 'usd', language: 'es' });
});

test('an uploaded image becomes the avatar', async () => {
  const { token } = await make.person();
  const avatar_key = await make.upload({ token }, 'avatar', await picture());

  const { status, body } = await api.patch('auth/user/', { token, json: { avatar_key } });

  expect(status).toBe(200);
  expect(body.avatar).toMatch(/^http:\/\/altavoz\.localhost:3000\/media\/images\/.+\/full\.jpg$/);
  expect(body.avatar_webp).toMatch(/\/640\.webp$/);
});

test('an upload for another purpose or of another user is rejected on its field', async () => {
  const [{ token }, other] = [await make.person(), await make.person()];
  const keys = [await make.upload({ token }, 'cover'), await make.upload(other, 'cover')];

  for (const avatar_key of keys) {
    const { status, body } = await api.patch('auth/user/', { token, json: { avatar_key } });
    expect([status, Object.keys(body)]).toEqual([400, ['avatar_key']]);
  }
});

test('unknown fields are reported by name, and nothing is changed', async () => {
  const { token } = await make.person({ country: 'ES' });

  const response = await api.patch('auth/user/', {
    token,
    json: { country: 'US', email: 'x@y.example', avatarKey: 'x' },
  });

  expect(response.status).toBe(400);
  expect(response.body).toEqual({ email: ['Unknown field.'], avatarKey: ['Unknown field.'] });
  expect((await api.get('auth/user/', { token })).body.country).toBe('ES');
});

test('the user data of a creator include the page URL', async () => {
  const { token, creatorId, domain } = await make.creator();

  const { body } = await api.get('auth/user/', { token });

  expect(body).toMatchObject({
    type: 'creator',
    creator: creatorId,
    creator_redirect_url: `http://staging-${domain}.altavoz.localhost:3000/`,
    is_trial_eligible: true,
    is_trial_period_complete: false,
  });
});

test('tracking learns nothing about a visitor, and neither name nor address of a user', async () => {
  const { body: visitor } = await api.get('gtm-data', { headers: { 'accept-language': 'es' } });
  const { body: user, status } = await api.get('gtm-data', { token: lucia.token });

  expect(visitor).toEqual({ data: { language: 'es' } });
  expect(status).toBe(200);
  expect(user.data).toMatchObject({ pk: lucia.id, creator: lucia.creatorId, type: 'creator', language: 'en' });
  expect(JSON.stringify(user)).not.toContain('@');
});

test('a session notes the country of its client', async () => {
  const login = { json: { email: lucia.email, password: PASSWORD }, headers: from('80.58.61.250') };
  const { body } = await api.post('auth/login/', login);

  const list = await (await opened.as({ token: stringOf(body.key) })).accounts.sessions();

  expect(list.find(({ isCurrent }) => isCurrent)).toMatchObject({ channel: 'rest', country: 'Spain' });
});

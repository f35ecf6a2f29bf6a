import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sessions, users } from '~/db/schema/accounts';
import { identities, passkeys } from '~/db/schema/logins';
import { outbox } from '~/db/schema/notifications';
import { cast } from '../support/cast';
import { identityStage, type Provider } from '../support/identity-browser';
import { PASSWORD } from '../support/make';

const staged = await cast();
const { runtime, make, as } = staged;
const { browser } = identityStage(staged);
const { db } = runtime;

let count = 0;
const newEmail = () => `person${++count}@mail.example`;
const FORM = { name: 'Elena Prado', country: 'ES', terms: 'on' };

const userOf = async (email: string) => (await db.select().from(users).where(eq(users.email, email)))[0];
const mailsTo = async (email: string) =>
  (await db.select().from(outbox).where(eq(outbox.to, email)).orderBy(outbox.createdAt)).map(({ topic }) => topic);

/** A user who has signed up with Google. */
async function newcomer() {
  const email = newEmail();
  const visit = browser();
  await visit.logIn('google', { email });
  await visit.go('/register/complete', { ...FORM, email });
  return { email, visit, user: (await userOf(email))! };
}

/** A user with a verified address and a password, and a browser that is logged in. */
async function member({ verified = true } = {}) {
  const person = await make.person({ email: newEmail() });
  if (verified) await db.update(users).set({ emailVerifiedAt: runtime.now() }).where(eq(users.id, person.id));
  return { ...person, visit: browser({ token: person.token }) };
}

test('signing up with Google asks for the country and consent first, and notes it on the account', async () => {
  const email = newEmail();
  const visit = browser();

  expect(await visit.logIn('google', { email }, '?next=/products')).toBe('/register/complete');
  const page = await (await visit.request('/register/complete')).text();
  expect(page).toContain(`value="${email}"`);
  expect(page).toContain('Verified by Google');
  const refused = await visit.request('/register/complete', { ...FORM, email, terms: '' });
  expect(refused.status).toBe(400);
  expect(await userOf(email)).toBeUndefined();
  expect(await visit.go('/register/complete', { ...FORM, email })).toBe('/products');

  const user = await userOf(email);
  expect(user).toMatchObject({ signedUpWith: 'google', passwordHash: null, country: 'ES', currency: 'eur' });
  expect(user!.emailVerifiedAt).not.toBeNull();
  expect(user!.termsAcceptedAt).not.toBeNull();
  expect(await mailsTo(email)).toEqual([]);
  expect((await runtime.sessions.read(visit.cookies.token!))?.userId).toBe(user!.id);
});

test('logging in again with the same account opens a session, and reports a device that is new', async () => {
  const { email, user, visit } = await newcomer();

  expect(await visit.go('/logout', {})).toBe('/login');
  expect(await visit.logIn('google', { email }, '?next=%2Fproducts%3Fx%3D1')).toBe('/products?x=1');
  expect(await mailsTo(email)).toEqual([]);
  const elsewhere = browser();
  expect(await elsewhere.logIn('google', { email })).toBe('/dashboard');

  expect((await runtime.sessions.read(elsewhere.cookies.token!))?.userId).toBe(user.id);
  expect(await mailsTo(email)).toEqual(['new_device']);
});

test('a Spanish visitor comes back to Spanish pages, through the one redirect URI', async () => {
  const visit = browser();
  const page = await visit.go('/es/login/google');
  const callback = await visit.choose(page, { email: newEmail() });

  expect(new URL(page).searchParams.get('redirect_uri')).toMatch(/:3000\/login\/google\/callback$/);
  expect(await (await visit.request(page)).text()).toContain('Iniciar sesión con Google');
  // Facebook's redirect ends in #_=_, which a browser keeps unless ours has a fragment
  expect(await visit.go(callback)).toMatch(/:3000\/es\/register\/complete#$/);
});

test('Facebook verifies no address: an email verifies it, and users without an address are asked for one', async () => {
  const [visit, without] = [browser(), browser()];
  const [email, later] = [newEmail(), newEmail()];

  expect(await visit.logIn('facebook', { email })).toBe('/register/complete');
  await visit.go('/register/complete', { ...FORM, email });
  const noor = (await (await without.request(await without.begin('facebook'))).text()).match(/value="(\d+3)"/)![1]!;
  expect(await without.logIn('facebook', { choice: noor })).toBe('/register/complete');
  expect((await without.request('/register/complete', { ...FORM, email: '' })).status).toBe(400);
  await without.go('/register/complete', { ...FORM, email: later });

  for (const address of [email, later]) {
    expect(await userOf(address)).toMatchObject({ signedUpWith: 'facebook', emailVerifiedAt: null });
    expect(await mailsTo(address)).toEqual(['verify_email']);
  }
  const [identity] = await db
    .select()
    .from(identities)
    .where(eq(identities.userId, (await userOf(later))!.id));
  expect(identity).toMatchObject({ provider: 'facebook', email: null });
});

test('an address other than the verified one is verified by email', async () => {
  const visit = browser();
  const other = newEmail();
  await visit.logIn('google', { email: newEmail() });

  await visit.go('/register/complete', { ...FORM, email: other });

  expect((await userOf(other))!.emailVerifiedAt).toBeNull();
  expect(await mailsTo(other)).toEqual(['verify_email']);
});

test('Google connects to the account with the same address if both sides have verified it, and tells the owner', async () => {
  const { email, id } = await member();

  expect(await browser().logIn('google', { email: email.toUpperCase() })).toBe('/dashboard');

  expect(await db.$count(identities, eq(identities.userId, id))).toBe(1);
  expect(await mailsTo(email)).toEqual(expect.arrayContaining(['identity_linked', 'new_device']));
  expect(await userOf(email)).toMatchObject({ signedUpWith: 'password' });
});

test('settings connect an account after a button, and disconnect it', async () => {
  const { email, visit, api } = await member();

  expect(await visit.logIn('facebook', { email: newEmail() }, '?link')).toBe('/profile/security/connect');
  expect((await api.identities.list()).connected).toEqual([]);
  await visit.go('/profile/security/connect', { intent: 'confirm', confirmationPassword: PASSWORD });
  expect(await visit.go('/profile/security/connect', { intent: 'connect' })).toBe(
    '/profile/security?done=identity_linked',
  );
  expect((await api.identities.list()).connected).toMatchObject([{ provider: 'facebook', isOnlyWay: false }]);
  expect(await visit.go('/profile/security', { intent: 'unlink', provider: 'facebook' })).toBe(
    '/profile/security?done=identity_unlinked',
  );

  expect((await api.identities.list()).available).toEqual(['google', 'facebook']);
  expect(await mailsTo(email)).toEqual(expect.arrayContaining(['identity_linked', 'identity_unlinked']));
});

test('the only way to log in stays until there is another one', async () => {
  const { visit, user } = await newcomer();
  const api = (await as({ token: visit.cookies.token! })).identities;
  const unlink = { intent: 'unlink', provider: 'google' };

  const page = await (await visit.request('/profile/security')).text();
  expect(page).toMatch(/You signed up with Google on/);
  expect(page).not.toContain('Disconnect Google');
  expect((await visit.request('/profile/security', unlink)).status).toBe(409);
  await visit.go('/profile/security', { intent: 'password', password: 'correct horse' });
  expect(await visit.go('/profile/security', unlink)).toContain('done=identity_unlinked');

  expect(await db.$count(identities, eq(identities.userId, user.id))).toBe(0);
  expect((await api.list()).signedUpWith).toBe('google');
});

test('without a password, only one of two services can be disconnected at once', async () => {
  const { visit, user } = await newcomer();
  await visit.logIn('facebook', { email: newEmail() }, '?link');
  await visit.go('/profile/security/connect', { intent: 'connect' });
  const { identities: api } = await as({ token: visit.cookies.token! });

  const settled = await Promise.allSettled(
    (['google', 'facebook'] as const).map((provider) => api.unlink({ provider })),
  );

  expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await db.$count(identities, eq(identities.userId, user.id))).toBe(1);
});

test.each<Provider>(['google', 'facebook'])(
  '%s that is down, or a person who declines, changes nothing',
  async (provider) => {
    const visit = browser();
    const before = await db.$count(users);
    const declined = await visit.logIn(provider, { choice: 'deny' }, '?next=/products');
    const sandbox = await staged.identitySandbox!.get();
    const callback = await visit.choose(await visit.begin(provider), { email: newEmail() });
    sandbox.injectFault('down');
    const failed = await visit.come(callback);
    sandbox.injectFault(null);

    expect(declined).toBe('/login?next=%2Fproducts&notice=identity.denied');
    expect(await (await visit.request(declined)).text()).toContain('You cancelled. Nothing was changed.');
    expect(failed).toBe('/login?notice=identity.unavailable');
    expect([await db.$count(users), visit.cookies.token]).toEqual([before, undefined]);
  },
);

test('the buttons are links of plain HTML, on both pages and in both languages', async () => {
  for (const path of ['/login', '/register', '/es/login']) {
    const html = await (await browser().request(`${path}?next=/products`)).text();
    const prefix = path.startsWith('/es') ? '/es' : '';
    for (const provider of ['google', 'facebook'])
      expect(html).toMatch(new RegExp(`<a [^>]*href="${prefix}/login/${provider}\\?next=%2Fproducts"`));
  }
  expect((await browser().request('/login/github')).status).toBe(404);
});

test('a session that was open ends when another account logs in', async () => {
  const { email, id } = await member();
  const [row] = await db.select().from(sessions).where(eq(sessions.userId, id));
  const visit = browser();
  await visit.logIn('google', { email });

  expect(row).toBeDefined();
  expect(await visit.begin('google')).toBe('/dashboard');
});

test('an account with a second factor gets no session before its code', async () => {
  const { email, user } = await newcomer();
  await db
    .insert(passkeys)
    .values({ id: 'key', userId: user.id, name: 'Key', publicKey: '', counter: 0, transports: [] });
  const visit = browser();

  expect(await visit.logIn('google', { email }, '?next=/products')).toBe('/login/code?next=%2Fproducts');

  expect(visit.cookies.token).toBeUndefined();
  expect(visit.cookies.login).toMatch(/./);
  expect(await (await visit.request('/login/code')).text()).toContain('passkey');
});

import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { identities } from '~/db/schema/logins';
import { later } from '~/server/base/time';
import { IDENTITY_LIMITS } from '~/server/limits/accounts';
import type { Fault } from '~/server/sandbox/identity/context';
import { cast } from '../support/cast';
import { identityStage, type Provider } from '../support/identity-browser';
import { PASSWORD } from '../support/make';

const staged = await cast();
const { runtime, make, clock } = staged;
const { browser, appUrl } = identityStage(staged);
const { db } = runtime;
const sandbox = await staged.identitySandbox!.get();

const REFUSED = '/login?notice=identity.expired';
const FORM = { name: 'Elena Prado', country: 'ES', terms: 'on' };
let count = 0;
const newEmail = () => `victim${++count}@mail.example`;

/** The provider's answer to the visitor who began a log-in in this browser. */
const callbackOf = async (visit: ReturnType<typeof browser>, provider: Provider = 'google', email = newEmail()) =>
  visit.choose(await visit.begin(provider), { email });

/** Expects that no user is logged in, and that neither an account nor a connection was created. */
async function expectNothing(visit: ReturnType<typeof browser>, before: number[]): Promise<void> {
  expect(visit.cookies.token).toBeUndefined();
  expect(await totals()).toEqual(before);
}
const totals = async () => [await db.$count(users), await db.$count(identities)];

async function member({ verified }: { verified: boolean }) {
  const person = await make.person({ email: newEmail() });
  if (verified) await db.update(users).set({ emailVerifiedAt: runtime.now() }).where(eq(users.id, person.id));
  return { ...person, visit: browser({ token: person.token }) };
}

test('mix-up: an answer of one provider is refused at the redirect URI of the other', async () => {
  const before = await totals();
  for (const [began, answers] of [
    ['google', 'facebook'],
    ['facebook', 'google'],
  ] as const) {
    const visit = browser();
    const callback = await callbackOf(visit, began);

    expect(await visit.come(callback.replace(`/login/${began}/`, `/login/${answers}/`))).toBe(
      '/login?notice=identity.mixed_up',
    );
    // the attempt has also ended at the right place
    expect(await visit.come(callback)).toBe(REFUSED);
    await expectNothing(visit, before);
  }
});

test.each<Fault>(['wrong_issuer', 'other_nonce', 'no_nonce', 'other_audience', 'other_key'])(
  'a token or an answer with a fault (%s) is refused',
  async (fault) => {
    const [visit, before] = [browser(), await totals()];
    sandbox.injectFault(fault);
    const callback = await callbackOf(visit);
    const target = await visit.come(callback);
    sandbox.injectFault(null);

    expect(target).toBe('/login?notice=identity.rejected');
    await expectNothing(visit, before);
  },
);

test('an answer without the issuer, with another one, or with a state twice, is refused', async () => {
  const before = await totals();
  for (const change of [
    (url: URL) => url.searchParams.delete('iss'),
    (url: URL) => url.searchParams.set('iss', 'https://www.facebook.com'),
    (url: URL) => url.searchParams.append('code', 'another'),
    (url: URL) => url.searchParams.append('state', 'another'),
  ]) {
    const visit = browser();
    const callback = new URL(await callbackOf(visit));
    change(callback);

    expect(await visit.come(callback.href)).toBe('/login?notice=identity.rejected');
    await expectNothing(visit, before);
  }
});

test('a stolen answer opens nothing in another browser, with or without a log-in of its own', async () => {
  const before = await totals();
  const [victim, stranger, other] = [browser(), browser(), browser()];
  const stolen = await callbackOf(victim);
  await other.begin('google');

  for (const thief of [stranger, other]) {
    expect(await thief.come(stolen)).toBe(REFUSED);
    await expectNothing(thief, before);
  }
  // login CSRF: the attacker's own answer does not work in the victim's browser either
  expect(await victim.come(await callbackOf(other))).toBe(REFUSED);
  expect(await victim.come(stolen)).toBe('/register/complete');
});

test('an answer works once, and so does its code with a fresh state', async () => {
  const visit = browser();
  const callback = await callbackOf(visit);
  expect(await visit.come(callback)).toBe('/register/complete');
  const replayed = new URL(callback);
  const fresh = new URL(await visit.begin('google')).searchParams.get('state')!;
  replayed.searchParams.set('state', fresh);

  expect(await visit.come(callback)).toBe(REFUSED);
  expect(await visit.come(replayed.href)).toBe('/login?notice=identity.rejected');
});

test('one of two concurrent uses of an answer succeeds', async () => {
  const visit = browser();
  const callback = await callbackOf(visit);

  const targets = await Promise.all([visit.come(callback), visit.come(callback)]);

  expect(targets.sort()).toEqual([REFUSED, '/register/complete']);
});

test('the code of another browser’s log-in is refused, because its PKCE challenge differs', async () => {
  const [victim, attacker] = [browser(), browser()];
  const code = new URL(await callbackOf(victim)).searchParams.get('code')!;
  for (const provider of ['google', 'facebook'] as const) {
    const injected = new URL(await callbackOf(attacker, provider));
    injected.searchParams.set('code', code);

    expect(await attacker.come(injected.href)).toBe('/login?notice=identity.rejected');
  }
});

test('an old answer and an old sign-up are refused', async () => {
  const [early, late] = [browser(), browser()];
  const start = clock.now;
  const callback = await callbackOf(early);
  await late.come(await callbackOf(late));
  clock.now = later(start, IDENTITY_LIMITS.attempt);
  const afterAttempt = await early.come(callback);
  clock.now = later(start, IDENTITY_LIMITS.pending);
  const [page, submitted] = [
    await late.go('/register/complete'),
    await late.go('/register/complete', { ...FORM, email: newEmail() }),
  ];
  clock.now = start;

  expect([afterAttempt, page, submitted]).toEqual([REFUSED, REFUSED, REFUSED]);
});

test('an address that the provider has not verified takes over no account', async () => {
  const before = await totals();
  for (const [provider, verified] of [
    ['google', false],
    ['facebook', true],
  ] as const) {
    const victim = await member({ verified: true });
    const attacker = browser();

    const target = await attacker.choose(await attacker.begin(provider), { email: victim.email, verified });

    expect(await attacker.come(target)).toBe('/login?notice=identity.unverified_there');
    expect([attacker.cookies.token, await db.$count(identities)]).toEqual([undefined, before[1]]);
  }
});

test('no attacker waits for a victim in an account with the victim’s address, which is not verified here', async () => {
  const trap = await member({ verified: false });
  const victim = browser();
  const before = await totals();

  expect(await victim.logIn('google', { email: trap.email })).toBe('/login?notice=identity.unverified_here');

  await expectNothing(victim, before);
});

test('a sign-up can’t claim a verified address that Google did not verify, nor one with an account', async () => {
  const [victim, attacker] = [await member({ verified: true }), browser()];
  const free = newEmail();
  await attacker.logIn('google', { email: free, verified: false });
  const taken = await attacker.request('/register/complete', { ...FORM, email: victim.email, isEmailVerified: 'true' });

  expect(taken.status).toBe(400);
  expect(await attacker.go('/register/complete', { ...FORM, email: free, isEmailVerified: 'true' })).toBe(
    '/start/reason',
  );
  const [user] = await db.select().from(users).where(eq(users.email, free));
  expect(user!.emailVerifiedAt).toBeNull();
});

test('no link connects a foreign account: its owner’s button must be pressed, in the session that began it', async () => {
  const [victim, attacker] = [await member({ verified: true }), await member({ verified: true })];
  const free = newEmail();
  const callback = await attacker.visit.choose(await attacker.visit.begin('google', '?link'), { email: free });
  expect(await victim.visit.come(callback)).toBe(REFUSED);
  expect(await attacker.visit.come(callback)).toBe('/profile/security/connect');
  const planted = browser({ token: victim.token, login_attempt: attacker.visit.cookies.login_attempt! });

  expect((await planted.request('/profile/security/connect', { intent: 'connect' })).status).toBe(409);
  await browser({ ...planted.cookies, token: '' }).request('/register/complete', { ...FORM, email: free });
  expect(await db.$count(users, eq(users.email, free))).toBe(0);
  expect(await db.$count(identities, eq(identities.userId, victim.id))).toBe(0);
});

test('a session alone connects no service: its user proves a password or a second factor first', async () => {
  const { visit, id } = await member({ verified: true });
  await visit.logIn('google', { email: newEmail() }, '?link');
  const connect = '/profile/security/connect';

  expect((await visit.request(connect, { intent: 'connect' })).status).toBe(409);
  expect(await (await visit.request(connect)).text()).toContain('confirmationPassword');
  expect((await visit.request(connect, { intent: 'confirm', confirmationPassword: 'wrong' })).status).toBe(400);
  expect(await db.$count(identities, eq(identities.userId, id))).toBe(0);
  expect(await visit.go(connect, { intent: 'confirm', confirmationPassword: PASSWORD })).toContain(connect);
  expect(await visit.go(connect, { intent: 'connect' })).toContain('done=identity_linked');
});

test('an account at a provider logs in to one account only', async () => {
  const [first, second] = [await member({ verified: true }), await member({ verified: true })];
  await browser().logIn('google', { email: first.email });

  expect(await second.visit.logIn('google', { email: first.email }, '?link')).toBe(
    '/profile/security?notice=identity.taken',
  );
  const html = await (await second.visit.request('/profile/security?notice=identity.taken')).text();
  expect(html).toContain('already logs in to another account here');
});

test.each([
  '//evil.example',
  'https:evil.example',
  'https://evil.example',
  '/\\evil.example',
  '/%09/evil.example',
  '%2F%2Fevil.example',
  'javascript:alert(1)',
  'http://altavoz.localhost:3000@evil.example',
])('no log-in redirects to %s', async (target) => {
  const visit = browser();
  const email = newEmail();
  const decoded = target === '/%09/evil.example' ? '/\t/evil.example' : target;
  for (const query of [`?next=${encodeURIComponent(decoded)}`, `?redirectTo=${encodeURIComponent(decoded)}`]) {
    const began = new URL(await visit.begin('google', query));
    expect(began.origin).toBe(appUrl);
    const callback = await visit.choose(began.href, { email });
    const landed = await visit.come(callback);
    const end = landed === '/register/complete' ? await visit.go(landed, { ...FORM, email }) : landed;
    expect(end).toBe(landed === '/register/complete' ? '/start/reason' : '/dashboard');
    await visit.go('/logout', {});
  }
});

test('the provider redirects only to our own address', async () => {
  const visit = browser();
  for (const [name, value] of [
    ['redirect_uri', 'https://evil.example/login/google/callback'],
    ['redirect_uri', `${appUrl}/login/facebook/callback`],
    ['client_id', 'another'],
  ] as const) {
    const page = new URL(await visit.begin('google'));
    page.searchParams.set(name, value);
    const response = await visit.request(page.href, { choice: 'deny' });

    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  }
});

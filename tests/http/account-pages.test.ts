import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { cast } from '../support/cast';
import { PASSWORD, type Person } from '../support/make';
import { pagesApp } from '../support/pages-app';
import { protect } from '../support/second-factors';

const { runtime, env, make, lucia } = await cast();
const app = pagesApp(runtime, env.urls);
const { appUrl } = env.urls;
const { host, origin } = new URL(appUrl);

const read = (person: { token: string }, path: string, onHost = host) =>
  app.request(`${new URL(appUrl).protocol}//${onHost}${path}`, {
    headers: { cookie: `token=${person.token}`, host: onHost },
  });
const send = (person: { token: string }, path: string, fields: Record<string, string>) =>
  app.request(`${appUrl}${path}`, {
    method: 'POST',
    headers: { cookie: `token=${person.token}`, host, origin },
    body: new URLSearchParams(fields),
  });

/** The URL that a page's form posts to. For an index route, the form names the route. */
const formOf = (path: string) => (path === '/profile' ? `${path}?index` : path);

/** An account that an import of subscribers created. */
async function newcomer(missing: { country?: null; language?: null } = { country: null, language: null }) {
  const person = await make.person();
  await runtime.db.update(users).set(missing).where(eq(users.id, person.id));
  return person;
}
const goingTo = (response: Response) => response.headers.get('location');

test.each([
  ['country', { country: null }],
  ['language', { language: null }],
] as const)(
  'a user without a %s is led to the first-login dialog from every page, and stays there',
  async (_, missing) => {
    const person = await newcomer(missing);
    const show = `/@lucia/p/olas`;

    for (const path of ['/dashboard', '/profile', '/', '/products?page=2', '/account/billing/payment-methods', show]) {
      const response = await read(person, path, path === show ? 'localhost' : host);
      expect([path, response.status, goingTo(response)]).toEqual([
        path,
        302,
        `/first-login?next=${encodeURIComponent(path)}`,
      ]);
    }
    expect(goingTo(await read(person, '/es/dashboard'))).toBe('/es/first-login?next=%2Fes%2Fdashboard');
    expect(goingTo(await read(person, '/', `staging-${lucia.domain}.${host}`))).toBe(
      `${appUrl}/first-login?next=${encodeURIComponent(`http://staging-${lucia.domain}.${host}/`)}`,
    );
    expect(await (await read(person, '/dashboard.data')).text()).toContain('/first-login?next=%2Fdashboard');
    for (const path of ['/first-login', '/terms-and-conditions', '/contact'])
      expect([path, (await read(person, path)).status]).toEqual([path, 200]);
  },
);

test('the first-login dialog is in the page’s language, and its answers lead on, without JavaScript', async () => {
  const person = await newcomer();
  const page = await (await read(person, '/es/first-login?next=%2Fes%2Fprofile')).text();
  const answers = { intent: 'firstLogin', language: 'en', country: 'ES', consentsToMarketingEmails: 'on' };

  expect(page).toMatch(/<div role="dialog" aria-modal="true"/);
  expect(page).toContain('<option value="ES">España</option>');
  for (const [field, message] of [
    ['language', 'El idioma es obligatorio'],
    ['country', 'El país es obligatorio'],
  ]) {
    const refused = await send(person, '/es/first-login', { ...answers, [field!]: '' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(message);
  }
  const accepted = await send(person, '/es/first-login?next=%2Fes%2Fprofile', answers);

  expect(goingTo(accepted)).toBe('/en/profile');
  expect((await read(person, '/profile')).status).toBe(200);
  expect(goingTo(await read(person, '/first-login?next=%2Fprofile'))).toBe('/profile');
});

test('an answered dialog never leads to another site', async () => {
  for (const next of ['//evil.example', 'https://evil.example', 'https:evil.example', '/\\evil.example']) {
    const person = await newcomer();
    const answers = { intent: 'firstLogin', language: 'en', country: 'ES' };
    const accepted = await send(person, `/first-login?next=${encodeURIComponent(next)}`, answers);
    expect([next, goingTo(accepted)]).toEqual([next, '/dashboard']);
  }
});

test('visitors are sent to the login page', async () => {
  for (const path of ['/first-login', '/billing', '/profile/notifications']) {
    expect(goingTo(await read({ token: '' }, path))).toBe(`/login?next=${encodeURIComponent(path)}`);
  }
});

const HOSTILE = `"><script>alert(1)</script>\u202e' or 1=1 -- \${7*7} ‮`;

test.each<[string, Record<string, string>, string[]]>([
  ['/profile', { name: HOSTILE, description: HOSTILE, country: 'ES', language: 'en' }, ['name', 'description']],
  [
    '/billing',
    { intent: 'billing', billingName: HOSTILE, street: HOSTILE, postalCode: `">'<b>`, city: HOSTILE },
    ['billingName', 'street', 'postalCode', 'city'],
  ],
])('hostile texts in %s are stored, and shown as text only', async (path, fields, names) => {
  const person = await make.person();

  const saved = await send(person, formOf(path), fields);
  const page = await (await read(person, path)).text();

  expect([saved.status, await saved.text()]).toEqual([302, '']);
  expect(page).not.toContain('<script>alert');
  for (const name of names) expect(page).toMatch(new RegExp(`name="${name}"[^>]*(?:value=)?"?[^<]*&(?:quot|gt|lt)`));
});

test.each<[string, Record<string, string>, string]>([
  [
    '/profile',
    { name: 'Eva', country: 'ES', language: 'en', description: 'www.evil.example' },
    'Links are not allowed',
  ],
  ['/billing', { intent: 'payout', iban: 'ES00', currentPassword: PASSWORD }, 'Invalid IBAN Number'],
  ['/billing', { intent: 'payout', paypalEmail: 'eva', currentPassword: PASSWORD }, 'Invalid email'],
  ['/billing', { intent: 'payout', iban: 'ES00', currentPassword: 'wrong' }, 'not your current password'],
  ['/billing', { intent: 'billing', taxNumber: '1' }, 'Invalid VAT Number'],
  ['/billing', { intent: 'constructor' }, 'An error 400 occurred'],
])('%s refuses %j, and says why', async (path, fields, message) => {
  const person = await make.person();

  const refused = await send(person, formOf(path), fields);

  expect(refused.status).toBe(400);
  const page = await refused.text();
  expect(page).toContain(message);
  expect(page).not.toContain(PASSWORD);
});

test('plan, invoices and payout account are pages, and saving leads back to the page of the form', async () => {
  const owner = await make.creator();
  const partsOf = async (path: string) => {
    const html = await (await read(owner, path)).text();
    return ['<h2[^>]*>Plan</h2>', 'name="city"', 'name="iban"'].map((part) => new RegExp(part).test(html));
  };

  expect(await partsOf('/billing')).toEqual([true, false, false]);
  expect(await partsOf('/billing/invoices')).toEqual([false, true, false]);
  expect(await partsOf('/billing/payouts')).toEqual([false, false, true]);
  expect((await read(owner, '/billing/plan')).status).toBe(404);

  const old = await send(owner, formOf('/billing'), { intent: 'billing', city: 'Soria' });
  expect(goingTo(old)).toBe('/billing/invoices?done=billing_saved');
});

test('a form can’t name another user’s account', async () => {
  const [person, other]: Person[] = [await make.person(), await make.person({ name: 'Other' })];
  const profile = { name: 'Mine', country: 'ES', language: 'en' };

  const saved = await send(person!, '/profile?index', { ...profile, id: String(other!.id), userId: String(other!.id) });

  expect(saved.status).toBe(302);
  expect(await other!.api.accounts.me()).toMatchObject({ name: 'Other' });
  expect(await person!.api.accounts.me()).toMatchObject({ name: 'Mine' });
});

test('saving the profile continues in the chosen language if the URL names one', async () => {
  const person = await make.person();
  const profile = { name: 'Eva', country: 'ES', language: 'es', timeZone: 'Europe/Madrid' };

  expect(goingTo(await send(person, '/en/profile?index', profile))).toBe('/es/profile?done=profile_saved');
  expect(goingTo(await send(person, '/profile?index', profile))).toBe('/profile?done=profile_saved');
});

test.each(['/verify-email', '/login/reset-password', '/confirm-email/new', '/undo-deletion', '/unsubscribe'])(
  '%s tells no other site its address, and its form works without JavaScript',
  async (path) => {
    const html = await (await read(lucia, `${path}?token=secret`)).text();

    // 'no-referrer' would also hide the origin of the form
    expect(html).toContain('<meta name="referrer" content="same-origin"/>');
  },
);

test('the emails about shows and sales are offered only to an account with a page, and saving keeps them', async () => {
  const listener = await make.person();
  const offered = async (person: Person) =>
    (await (await read(person, '/profile/notifications')).text()).match(
      /type="checkbox"[^>]*name="new_buyer"|name="new_buyer"[^>]*type="checkbox"/,
    );

  expect(await offered(lucia)).not.toBeNull();
  expect(await offered(listener)).toBeNull();

  const before = await listener.api.accounts.notifications();
  await send(listener, '/profile/notifications', {
    intent: 'notifications',
    new_buyer: before.new_buyer ? 'on' : 'false',
  });
  expect((await listener.api.accounts.notifications()).new_buyer).toBe(before.new_buyer);
});

test('a listener’s settings and the first question have the account menu, and a creator’s have the studio’s navigation', async () => {
  const listener = await make.person();
  const frameOf = async (person: Person, path: string) => {
    const html = await (await read(person, path)).text();
    return ['id="account-menu"', 'id="studio-nav"'].map((part) => html.includes(part));
  };

  for (const path of ['/profile', '/es/profile/security', '/billing', '/start/reason'])
    expect([path, await frameOf(listener, path)]).toEqual([path, [true, false]]);
  expect(await frameOf(listener, '/start/page')).toEqual([false, true]);
  for (const path of ['/profile', '/billing'])
    expect([path, await frameOf(lucia, path)]).toEqual([path, [false, true]]);
});

test('removing the authenticator app says first what will be lost', async () => {
  const person = await protect({ runtime, make });

  const html = await (await read(person, '/profile/security')).text();

  const [, disclosure = ''] = html.split('aria-label="Remove the authenticator app"');
  expect(disclosure).toContain('This turns two-factor authentication off');
  expect(disclosure.indexOf('This turns')).toBeLessThan(disclosure.indexOf('value="removeAuthenticator"'));
});

import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { affiliateCookie } from '~/server/base/affiliate-cookie';
import { browser as openBrowser } from '../support/browser';
import { cast } from '../support/cast';
import { PASSWORD } from '../support/make';

const { runtime, make } = await cast();

const browser = (token: string | null) => openBrowser(runtime, token ? { token } : {});

test('claiming a page adds the cookie with the creator’s id, and logging in sets it again', async () => {
  const { token, email } = await make.person();
  const claiming = await browser(token);
  const loggingIn = await browser(null);

  const page = await claiming.api.creators.claim({ name: 'Ana', domain: 'cookies' });
  const opened = await loggingIn.api.accounts.logIn({ email, password: PASSWORD });

  expect(claiming.cookies()).toEqual({ podcaster: String(page.id) });
  const device = expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/);
  expect(loggingIn.cookies()).toEqual({ token: opened.token, podcaster: String(page.id), language: 'en', device });
});

test('a changed language is stored in the cookie, and no other change sets one', async () => {
  const { token } = await make.person();
  const { api, cookies } = await browser(token);

  await api.accounts.update({ country: 'US' });
  expect(cookies()).toEqual({});

  await api.accounts.update({ language: 'es' });
  expect(cookies()).toEqual({ language: 'es' });
});

test('logging in ends the session that was open', async () => {
  const [first, second] = [await make.person(), await make.person()];
  const { api } = await browser(first.token);

  const opened = await api.accounts.logIn({ email: second.email, password: PASSWORD });

  expect(await runtime.sessions.read(first.token)).toBeNull();
  expect(await runtime.sessions.read(opened.token)).toMatchObject({ userId: second.id });
});

test('logging out clears the session and the creator’s id', async () => {
  const { token } = await make.person();
  const { api, cookies } = await browser(token);

  await api.accounts.logOut();

  expect(cookies()).toEqual({ token: '', podcaster: '', signed_out: '1' });
});

test('after a removal, the next request corrects the cookie with the creator’s id', async () => {
  const [owner, member, homeless] = [await make.creator(), await make.creator(), await make.person()];
  const podcaster = String(owner.creatorId);
  const cookiesAfter = async (person: { token: string }, kept: string) => {
    const { api, cookies } = await openBrowser(runtime, { token: person.token, podcaster: kept });
    await api.accounts.me();
    return cookies();
  };

  expect(await cookiesAfter(member, podcaster)).toEqual({ podcaster: String(member.creatorId) });
  expect(await cookiesAfter(member, String(member.creatorId))).toEqual({});
  expect(await cookiesAfter(homeless, podcaster)).toEqual({ podcaster: '' });
});

test('the source of a visitor is stored with the registration', async () => {
  const followed = { code: 'lucia', at: runtime.now(), visitor: 'v'.repeat(22) };
  const affiliate = affiliateCookie(runtime.vault, followed);
  const { api } = await openBrowser(runtime, { affiliate, campaign: 'utm_source=mail' });
  const person = { name: 'Ana', email: 'recommended@mail.example', password: PASSWORD, country: 'ES', terms: true };

  const { user } = await api.accounts.signUp(person);

  const [row] = await runtime.db.select().from(users).where(eq(users.id, user.id));
  expect(row!.signUpSource).toEqual({ ref: 'lucia', utmSource: 'mail' });
});

test('a chosen language is kept in the browser, and in the account of a user', async () => {
  const { token, id } = await make.person({ language: 'en' });
  const [visiting, loggedIn] = [await browser(null), await browser(token)];

  await visiting.api.accounts.chooseLanguage({ language: 'es' });
  await loggedIn.api.accounts.chooseLanguage({ language: 'es' });

  const [row] = await runtime.db.select().from(users).where(eq(users.id, id));
  expect([visiting.cookies(), loggedIn.cookies(), row!.language]).toEqual([
    { language: 'es' },
    { language: 'es' },
    'es',
  ]);
});

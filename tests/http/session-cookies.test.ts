import { expect, test } from 'vitest';
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

  expect(cookies()).toEqual({ token: '', podcaster: '' });
});

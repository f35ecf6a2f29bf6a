import { expect, test } from 'vitest';
import { requestContext } from '~/server/http/request-context';
import { securityCheck } from '~/server/http/security-check';
import '../support/matchers';
import { cast } from '../support/cast';

const { runtime, env, as, make } = await cast();
const rules = { hosts: { ...env.urls, allowsUnprefixedHosts: true, trustProxy: false }, trustedProxies: 0 };
const contextWith = (cookie: string) =>
  requestContext(new Request('http://altavoz.localhost:3000/es/dashboard', { headers: { cookie } }), rules);

test('two cookies named podcaster end the session, clear the cookies and show a notice', async () => {
  const lucia = await make.creator();

  const response = await securityCheck(runtime, await contextWith(`podcaster=1; token=${lucia.token}; podcaster=2`));

  expect([response?.status, response?.headers.get('location')]).toEqual([302, '/es/login?notice=security']);
  expect(response?.headers.getSetCookie().join()).toMatch(/token=;.*podcaster=;/s);
  await expect((await as(lucia)).accounts.me()).toFailWith('common.unauthenticated');
});

test('one podcaster cookie keeps the session, and a similar cookie name is ignored', async () => {
  const lucia = await make.creator();

  expect(await securityCheck(runtime, await contextWith(`podcaster=1; xpodcaster=2; token=${lucia.token}`))).toBeNull();
  await expect((await as(lucia)).accounts.me()).resolves.toMatchObject({ type: 'creator' });
});

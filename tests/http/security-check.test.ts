import { expect, test } from 'vitest';
import { requestContext } from '~/server/http/request-context';
import { securityCheck } from '~/server/http/security-check';
import { as, creator } from '../support/people';
import '../support/matchers';
import { testRuntime } from '../support/runtime';

const { runtime, env } = await testRuntime();
const rules = { hosts: { ...env.urls, allowsUnprefixedHosts: true, trustProxy: false }, trustedProxies: 0 };
const facts = (cookie: string) =>
  requestContext(new Request('http://altavoz.localhost:3000/es/dashboard', { headers: { cookie } }), rules);

test('two cookies named podcaster end the session, clear the browser and say so', async () => {
  const lucia = await creator(runtime);

  const answer = await securityCheck(runtime, await facts(`podcaster=1; token=${lucia.token}; podcaster=2`));

  expect([answer?.status, answer?.headers.get('location')]).toEqual([302, '/es/login?notice=security']);
  expect(answer?.headers.getSetCookie().join()).toMatch(/token=;.*podcaster=;/s);
  await expect((await as(runtime, lucia.token)).accounts.me()).toFailWith('common.unauthenticated');
});

test('one cookie, or one whose name only ends like it, is as it should be', async () => {
  const lucia = await creator(runtime);

  expect(await securityCheck(runtime, await facts(`podcaster=1; xpodcaster=2; token=${lucia.token}`))).toBeNull();
  await expect((await as(runtime, lucia.token)).accounts.me()).resolves.toMatchObject({ type: 'creator' });
});

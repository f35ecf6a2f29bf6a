import { expect, test } from 'vitest';
import { requestContext } from '~/server/http/request-context';
import { securityCheck } from '~/server/http/security-check';
import '../support/matchers';
import { cast } from '../support/cast';

const { runtime, env, as, make } = await cast();
const rules = { hosts: { ...env.urls, allowsUnprefixedHosts: true, trustProxy: false }, trustedProxies: 0 };
const check = async (cookie: string, path = '/es/dashboard', host = 'altavoz.localhost:3000') => {
  const request = new Request(`http://${host}${path}`, { headers: { cookie } });
  return securityCheck(runtime, await requestContext(request, rules), path);
};

test('two cookies named podcaster end the session, and the login page says so', async () => {
  const lucia = await make.creator();

  const breach = await check(`podcaster=1; token=${lucia.token}; podcaster=2`);

  expect([breach?.to, breach?.headers.get('clear-site-data')]).toEqual([
    '/es/login?notice=security',
    '"cookies", "storage"',
  ]);
  await expect((await as(lucia)).accounts.me()).toFailWith('common.unauthenticated');
});

test('every session whose token was sent ends', async () => {
  const [one, other] = [await make.person(), await make.person()];

  await check(`token=${one.token}; podcaster=1; podcaster=1; token=${other.token}`);

  expect(await Promise.all([one, other].map(({ token }) => runtime.sessions.read(token)))).toEqual([null, null]);
});

test('every cookie is deleted on each domain and path that it can have come from', async () => {
  const sent = 'podcaster=1; podcaster=2; language=es; _ga=x';

  const { headers } = (await check(sent, '/es/p/olas', 'staging-lucia.altavoz.localhost:3000'))!;

  const deleted = headers.getSetCookie().filter((cookie) => cookie.includes('Max-Age=0'));
  const names = ['podcaster', 'language', '_ga'];
  const domains = ['', '; Domain=staging-lucia.altavoz.localhost', '; Domain=altavoz.localhost'];
  const paths = ['/', '/es', '/es/', '/es/p', '/es/p/', '/es/p/olas', '/es/p/olas/'];
  for (const name of names)
    for (const domain of domains)
      for (const path of paths) expect(deleted).toContain(`${name}=; Max-Age=0${domain}; Path=${path}`);
});

test('one podcaster cookie keeps the session, and a similar cookie name is ignored', async () => {
  const lucia = await make.creator();

  expect(await check(`podcaster=1; xpodcaster=2; token=${lucia.token}`)).toBeNull();
  await expect((await as(lucia)).accounts.me()).resolves.toMatchObject({ type: 'creator' });
});

test('the list of routes, which a route change asks for first, leaves the security check to the route change', async () => {
  const person = await make.person();

  expect(await check(`podcaster=1; podcaster=2; token=${person.token}`, '/__manifest')).toBeNull();
  expect(await runtime.sessions.read(person.token)).not.toBeNull();
});

test('a request with thousands of cookies neither gets megabytes of headers nor ends thousands of sessions', async () => {
  const many = Array.from({ length: 2000 }, (_, i) => `c${i}=1; token=t${i}`).join('; ');
  const url = 'http://altavoz.localhost:3000/a/b/c/d/e/f/g/h/i/j';
  const request = await requestContext(
    new Request(url, { headers: { cookie: `${many}; podcaster=1; podcaster=2` } }),
    rules,
  );
  const ended: string[] = [];
  const sessions = { ...runtime.sessions, end: async (token: string) => void ended.push(token) };

  const { headers } = (await securityCheck({ ...runtime, sessions }, request, new URL(url).pathname))!;

  const cookies = headers.getSetCookie();
  expect(cookies.join('\r\n').length).toBeLessThan(16_000);
  expect(cookies.filter((cookie) => /^(?:podcaster|token)=;/.test(cookie)).length).toBeGreaterThan(80);
  expect(ended).toHaveLength(10);
});

import { expect, test } from 'vitest';
import { clientAddress, factsOf } from '~/server/http/facts';

const hosts = {
  appUrl: 'http://altavoz.localhost:3000',
  publicRoot: 'altavoz.localhost:3000',
  creatorHostPrefix: 'staging-',
  creatorUrls: 'host' as const,
  mediaUrl: null,
  plainHosts: true,
  trustProxy: false,
};
const APP = hosts.appUrl;
const facts = (url: string, headers: Record<string, string> = {}, trustedProxies = 0) =>
  factsOf(new Request(url, { headers }), { hosts: { ...hosts, trustProxy: trustedProxies > 0 }, trustedProxies });

test.each([
  [null, 0, '192.0.2.1', '192.0.2.1'],
  [null, 0, '::ffff:192.0.2.1', '192.0.2.1'],
  ['198.51.100.7', 0, '192.0.2.1', '192.0.2.1'],
  ['198.51.100.7', 1, '192.0.2.1', '198.51.100.7'],
  ['made up, 198.51.100.7', 1, '192.0.2.1', '198.51.100.7'],
  ['made up, 198.51.100.7, 192.0.2.9', 2, '192.0.2.1', '198.51.100.7'],
  ['198.51.100.7', 2, '192.0.2.1', '192.0.2.1'],
])('forwarded for %s through %i proxies from %s is %s', (forwarded, proxies, socket, address) => {
  expect(clientAddress(forwarded, proxies, socket)).toBe(address);
});

test.each([
  [`${APP}/login`, {}, 'en'],
  [`${APP}/es/login`, {}, 'es'],
  [`${APP}/es.data`, {}, 'es'],
  [`${APP}/esther`, {}, 'en'],
  [`${APP}/login`, { cookie: 'language=es' }, 'es'],
  [`${APP}/en/login`, { cookie: 'language=es' }, 'en'],
  [`${APP}/login?podcastName=es`, {}, 'es'],
  [`${APP}/trpc/listening.record`, { referer: `${APP}/es/p/ruido` }, 'es'],
  [`${APP}/trpc/listening.record`, { referer: 'nonsense' }, 'en'],
])('the language of %s with %j is %s', (url, headers, language) => {
  expect(facts(url, headers).language).toBe(language);
});

test('only a trusted proxy names the host', () => {
  const forwarded = { 'x-forwarded-host': 'staging-lucia.altavoz.localhost:3000' };

  expect(facts(`${APP}/`, forwarded).site).toEqual({ kind: 'app' });
  expect(facts(`${APP}/`, forwarded, 1)).toMatchObject({
    site: { kind: 'creator', domain: 'lucia' },
    origin: 'http://staging-lucia.altavoz.localhost:3000',
  });
});

test('of a chain of forwarded hosts the first is what the visitor typed', () => {
  const forwarded = { 'x-forwarded-host': 'staging-lucia.altavoz.localhost:3000, inner.example' };

  expect(facts(`${APP}/`, forwarded, 1)).toMatchObject({
    host: 'staging-lucia.altavoz.localhost',
    site: { kind: 'creator', domain: 'lucia' },
    origin: 'http://staging-lucia.altavoz.localhost:3000',
  });
});

import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { clientAddress, nodeClientRequest, requestContext } from '~/server/http/request-context';

const hosts = {
  appUrl: 'http://altavoz.localhost:3000',
  publicRoot: 'altavoz.localhost:3000',
  creatorHostPrefix: 'staging-',
  creatorUrls: 'host' as const,
  mediaUrl: null,
  allowsUnprefixedHosts: true,
  trustProxy: false,
};
const APP = hosts.appUrl;
const LUCIA = 'http://staging-lucia.altavoz.localhost:3000';
const contextOf = (url: string, headers: Record<string, string> = {}, trustedProxies = 0) =>
  requestContext(new Request(url, { headers }), {
    hosts: { ...hosts, trustProxy: trustedProxies > 0 },
    trustedProxies,
  });

test.each([
  [null, 0, '192.0.2.1', '192.0.2.1'],
  [null, 0, '::ffff:192.0.2.1', '192.0.2.1'],
  ['198.51.100.7', 0, '192.0.2.1', '192.0.2.1'],
  ['198.51.100.7', 1, '192.0.2.1', '198.51.100.7'],
  ['forged, 198.51.100.7', 1, '192.0.2.1', '198.51.100.7'],
  ['forged, 198.51.100.7, 192.0.2.9', 2, '192.0.2.1', '198.51.100.7'],
  ['198.51.100.7', 2, '192.0.2.1', '192.0.2.1'],
])('X-Forwarded-For %s with %i trusted proxies and socket %s gives %s', (forwarded, proxies, socket, address) => {
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
  [`${APP}/trpc/listening.record`, { referer: 'http://user:password@altavoz.localhost/es/p/ruido' }, 'es'],
  [`${APP}/trpc/listening.record`, { referer: 'data:[es', cookie: 'language=es' }, 'es'],
  [`${APP}/login`, { 'accept-language': 'es' }, 'es'],
  [`${APP}/login`, { 'accept-language': 'fr' }, 'en'],
  [`${APP}/en/login`, { 'accept-language': 'es' }, 'en'],
  [`${APP}/login`, { 'accept-language': 'es', cookie: 'language=en' }, 'en'],
  [`${APP}/login?podcastName=en`, { 'accept-language': 'es', cookie: 'language=es' }, 'en'],
  [`${APP}/trpc/accounts.me`, { referer: `${APP}/profile`, 'accept-language': 'es' }, 'es'],
  [`${LUCIA}/p/ruido`, { 'accept-language': 'fr, es-MX;q=0.8' }, 'es'],
  [`${LUCIA}/en/p/ruido`, { 'accept-language': 'es' }, 'en'],
  [`${LUCIA}/p/ruido`, { 'accept-language': 'es', cookie: 'language=en' }, 'en'],
])('the language of %s with headers %j is %s', async (url, headers, language) => {
  expect((await contextOf(url, headers)).language).toBe(language);
});

test('X-Forwarded-Host counts only from a trusted proxy', async () => {
  const forwarded = { 'x-forwarded-host': 'staging-lucia.altavoz.localhost:3000' };

  expect((await contextOf(`${APP}/`, forwarded)).site).toEqual({ kind: 'app' });
  expect(await contextOf(`${APP}/`, forwarded, 1)).toMatchObject({
    site: { kind: 'creator', domain: 'lucia' },
    origin: 'http://staging-lucia.altavoz.localhost:3000',
  });
});

test('the first of several forwarded hosts is the one that the visitor requested', async () => {
  const forwarded = { 'x-forwarded-host': 'staging-lucia.altavoz.localhost:3000, inner.example' };

  expect(await contextOf(`${APP}/`, forwarded, 1)).toMatchObject({
    host: 'staging-lucia.altavoz.localhost',
    site: { kind: 'creator', domain: 'lucia' },
    origin: 'http://staging-lucia.altavoz.localhost:3000',
  });
});

/** The context of an upload, which arrives as Node's request. */
function uploadContext(headers: Record<string, string>, trustedProxies: number) {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: '192.0.2.1' });
  const req = Object.assign(new IncomingMessage(socket), { headers: { host: 'inner.example:3000', ...headers } });
  return nodeClientRequest(req, trustedProxies);
}

test.each([
  [0, '192.0.2.1'],
  [1, '198.51.100.7'],
])('an upload through %i trusted proxies comes from %s', async (proxies, address) => {
  expect(await uploadContext({ 'x-forwarded-for': 'made up, 198.51.100.7' }, proxies)).toMatchObject({ address });
});

test.each([
  [0, 'inner.example'],
  [1, 'altavoz.example'],
])('an upload through %i trusted proxies is for the host %s', async (proxies, host) => {
  const forwarded = 'Altavoz.example:443, inner.example';

  expect(await uploadContext({ 'x-forwarded-host': forwarded }, proxies)).toMatchObject({ host });
});

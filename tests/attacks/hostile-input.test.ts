import { expect, test } from 'vitest';
import { CALL_LIMITS } from '~/server/limits/http';
import { APP_HOST, attackedServer } from '../support/attacked-server';
import { deepSeed, deepTimes, isDeep } from '../support/deep';

const { lucia, tom, sendRaw } = await attackedServer();
const CREATOR_HOST = `staging-${lucia.domain}.altavoz.localhost:3000`;

type SentRequest = { method?: string; path: string; host?: string; type?: string; body?: string; cookie?: string };

function send({ method = 'GET', path, host = APP_HOST, type, body, cookie }: SentRequest) {
  const headers = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...(type ? [`Content-Type: ${type}`] : []),
    ...(cookie ? [`Cookie: ${cookie}`] : []),
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return sendRaw(`${headers.join('\r\n')}\r\n\r\n`, body ?? '');
}

const call = (procedure: string, input: unknown) => ({
  method: 'POST',
  path: `/trpc/${procedure}`,
  type: 'application/json',
  body: JSON.stringify({ json: input }),
});
const query = (procedure: string, input: unknown) => ({
  path: `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`,
});

test.each([
  'altavoz.localhost:99999',
  '[::zz',
  '[::zz]',
  'a b',
  '',
  '..',
  'a%00b',
  '-:-',
  '1.2.3.4.5.6',
  'a@b',
  'a/b',
  '😀',
])('the host "%s" is rejected with 400', async (host) => {
  for (const path of ['/', '/login', '/p/x/feed.xml', '/trpc/accounts.me', '/api/countries/', '/audio/1/x.mp3']) {
    expect([path, (await send({ path, host })).status]).toEqual([path, 400]);
  }
});

test('a request in HTTP/1.0 without a host is rejected with 400', async () => {
  expect((await sendRaw('GET / HTTP/1.0\r\n\r\n')).status).toBe(400);
});

const FORM = { type: 'application/x-www-form-urlencoded', body: 'a=b' };

const INPUTS: (SentRequest & { expected: number[] })[] = [
  { path: '/trpc/%zz', expected: [404] },
  { path: '/%zz', expected: [400, 404] },
  { path: '/api/%zz', expected: [404] },
  { path: '/v1/%zz', expected: [404] },
  { path: '/v1/shows?search=%00', expected: [401] },
  { path: '/%5c', expected: [404] },
  { path: '/%5Cevil.example/', host: CREATOR_HOST, expected: [404] },
  { path: '/es%5c..', expected: [404] },
  { path: '/_dev/inbox/%00', expected: [404] },
  { path: '/donation/abc', method: 'POST', ...FORM, expected: [404] },
  { path: '/register/donation-payment', method: 'POST', ...FORM, expected: [404] },
  { path: '/', method: 'TRACE', expected: [405] },
  { path: '/p/%00', host: CREATOR_HOST, expected: [400, 404] },
  { path: '/p/olas/%00', host: CREATOR_HOST, expected: [400, 404] },
  { path: '/p/%00/feed.xml', host: CREATOR_HOST, expected: [400, 404] },
  { path: '/api/podcasts/?search=%00', expected: [200, 401] },
  { ...query('products.list', { search: '\0' }), cookie: `token=${lucia.token}`, expected: [200, 400, 404] },
  { ...query('creators.checkDomain', { domain: 'a\0b' }), cookie: `token=${lucia.token}`, expected: [200, 400, 404] },
  { ...call('accounts.verifyEmail', { token: '\0' }), expected: [400, 412] },
  { ...call('accounts.logIn', { constructor: 1, toString: 2 }), expected: [400] },
  {
    ...call('accounts.signUp', JSON.parse('{"__proto__": 1, "constructor": {}, "hasOwnProperty": 1}')),
    expected: [400],
  },
  { ...call('accounts.logIn', { email: { toString: 1 }, password: [] }), expected: [400] },
  { ...call('accounts.logIn', null), expected: [400] },
  { ...call('constructor', {}), expected: [404] },
  { ...call('accounts.constructor', {}), expected: [404] },
  { ...call('accounts.logIn', {}), body: '{"json":{},"meta":{"values":{"__proto__.x":["Date"]}}}', expected: [400] },
  { ...call('accounts.logIn', {}), body: '{"json":{"a":1},"meta":{"values":{"b.c.d":["map"]}}}', expected: [400] },
  { ...call('accounts.logIn', {}), body: '\0', expected: [400] },
  { ...call('accounts.logIn', {}), type: 'multipart/form-data', expected: [400, 415] },
  { method: 'POST', path: '/login', type: 'application/json', body: '{}', expected: [415] },
  { method: 'POST', path: '/oauth/token', type: 'application/json', body: '{}', expected: [415] },
  { method: 'POST', path: '/mcp', type: 'application/json', body: '\0', expected: [401] },
  { path: '/oauth/authorize?client_id=%00&state=%00', cookie: `token=${lucia.token}`, expected: [404] },
  { method: 'POST', path: '/login', type: 'text/plain', body: 'a', expected: [415] },
  { method: 'POST', path: '/login', body: 'a', expected: [415] },
  { method: 'POST', path: '/login', expected: [415] },
  { method: 'POST', path: '/login', type: 'multipart/form-data', body: 'a', expected: [400] },
  { method: 'POST', path: '/login', type: 'multipart/form-data; boundary=x', body: '--x\r\nContent-', expected: [400] },
  {
    method: 'POST',
    path: '/register',
    type: 'application/x-www-form-urlencoded',
    body: 'constructor=1&toString=2&__proto__=3',
    expected: [400],
  },
  {
    method: 'POST',
    path: '/podcasts/1/episodes/create',
    type: 'application/x-www-form-urlencoded',
    body: 'publish=__proto__&type=constructor',
    cookie: `token=${lucia.token}`,
    expected: [400, 404],
  },
  {
    method: 'POST',
    path: '/feed',
    type: 'application/x-www-form-urlencoded',
    body: 'intent=__proto__',
    cookie: `token=${lucia.token}`,
    expected: [302, 400, 404],
  },
  { path: '/login?next=/😀', cookie: `token=${lucia.token}`, expected: [200, 302, 400] },
  { path: '/login?next=/%F0%9F%98%80', cookie: `token=${lucia.token}`, expected: [200, 302] },
  { path: '/feed-preview', method: 'POST', type: FORM.type, body: 'url=%00', expected: [400] },
  { path: '/feed-preview', method: 'POST', type: FORM.type, body: `url=${'a'.repeat(9000)}`, expected: [400] },
  { path: '/feed-preview', method: 'POST', ...FORM, expected: [400] },
  { path: '/feed-preview', method: 'POST', type: 'application/json', body: '{}', expected: [415] },
  { path: '/feed-preview/%00', expected: [400, 404, 410] },
  { path: '/move-from/%00', expected: [400, 404] },
  { path: '/products/import?url=%00', cookie: `token=${lucia.token}`, expected: [200] },
  { path: '/api/auth/login/', method: 'POST', type: 'multipart/form-data', body: 'a', expected: [400] },
];

test.each(INPUTS)('$path with $body is no server error', async ({ expected, ...sent }) => {
  const { status } = await send(sent);

  expect(expected).toContain(status);
});

test.each([
  ['longer than 1,000 characters', `/${'a'.repeat(1000)}`],
  ['of more than twelve segments', '/a'.repeat(13)],
  ['of 7,000 segments', `/${'a/'.repeat(7000)}`],
])('a path %s reaches no router, at any host', async (_, path) => {
  for (const host of [APP_HOST, CREATOR_HOST]) {
    const { status, body } = await send({ path, host });

    expect([host, status, body]).toEqual([host, 404, 'Not found.']);
  }
  expect((await send({ path: '/a'.repeat(12) })).body).toContain('<html');
});

test.each(['constructor', '__proto__', 'prototype'])('a field named %s is an error of the form', async (name) => {
  const { status, body } = await send({
    ...call('accounts.signUp', {}),
    body: `{"json":{"email":"a@b.example","${name}":1}}`,
  });

  expect(status).toBe(400);
  expect(JSON.parse(body).error.json.data.app.code).toBe('common.invalid');
});

test('dates far outside the calendar are refused', async () => {
  for (const releaseAt of ['+275760-09-13T00:00:00.000Z', '-271821-04-20T00:00:00.000Z', '9999-12-31T23:59:59+14:00']) {
    const answer = await send({
      ...call('episodes.create', {}),
      body: JSON.stringify({
        json: { kind: 'podcast', productId: 1, name: 'a', description: 'b', fileKey: 'f'.repeat(32), releaseAt },
        meta: { values: { releaseAt: ['Date'] } },
      }),
      cookie: `token=${lucia.token}`,
    });

    expect([400, 404]).toContain(answer.status);
  }
});

test('a batch of more than ten calls is rejected before any of them runs', async () => {
  const batch = (count: number) =>
    send({ path: `/trpc/${Array(count).fill('accounts.me').join(',')}?batch=1&input=%7B%7D` });

  expect((await batch(CALL_LIMITS.batch)).status).toBeLessThan(500);
  expect((await batch(CALL_LIMITS.batch + 1)).status).toBe(400);
  expect((await batch(60)).status).toBe(400);
});

test('an object with thousands of unknown fields is rejected with a short answer', async () => {
  const input = Object.fromEntries(Array.from({ length: 15_000 }, (_, i) => [`k${i}`, 1]));

  const answer = await send(call('accounts.logIn', input));

  expect(answer.status).toBe(400);
  expect(answer.body.length).toBeLessThan(5000);
});

const PARTS = [
  '\0',
  '%00',
  '%zz',
  '😀',
  '../',
  '__proto__',
  'constructor',
  '?',
  '=',
  '&',
  '[]',
  '{}',
  '"',
  ',',
  '@',
  '/',
  'x'.repeat(600),
];
const PREFIXES = [
  '/',
  '/p/',
  '/@',
  '/es/',
  '/trpc/',
  '/api/',
  '/v1/',
  '/uploads/form/',
  '/uploads/tus/',
  '/soundbite-videos/',
  '/audio/',
  '/media/',
  '/login?next=',
];

test('no URL made of hostile parts is a server error', async () => {
  let state = deepSeed();
  const next = (count: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % count;
  };
  for (let i = 0; i < (isDeep ? 2000 * deepTimes : 150); i += 1) {
    const parts = Array.from({ length: 1 + next(4) }, () => PARTS[next(PARTS.length)]!.replaceAll('\0', '%00'));
    const path = PREFIXES[next(PREFIXES.length)] + parts.join('');
    const [host, cookie] = [next(2) ? APP_HOST : CREATOR_HOST, next(2) ? `token=${tom.token}` : undefined];

    const { status } = await send({ method: next(3) ? 'GET' : 'POST', path, host, cookie });

    expect({ path, host, status }).toMatchObject({
      status: expect.toSatisfy((value: number) => value > 0 && value < 500),
    });
  }
});

import { gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { App } from '~/server/http/app-env';
import { compressTexts } from '~/server/http/compress-texts';

const LONG = 'Una historia. '.repeat(200);

const app: App = new Hono();
app.use(compressTexts());
app.get('/page', () => new Response(LONG, { headers: cookies({ 'content-type': 'text/html; charset=utf-8' }) }));
app.get('/json', () => Response.json({ text: LONG }, { status: 201, headers: { vary: 'Cookie' } }));
app.get('/short', (c) => c.text('breve'));
app.get('/sound', () => new Response(LONG, { headers: { 'content-type': 'audio/mpeg' } }));
app.get('/packed', (c) => c.text(LONG, 200, { 'content-encoding': 'br' }));
app.get('/nothing', () => new Response(null, { status: 204 }));
app.get('/unchanged', () => new Response(null, { status: 304, headers: { 'content-type': 'text/html' } }));

app.get('/light', () => {
  const response = new Response(LONG, { headers: { 'content-type': 'text/html' } });
  return Object.defineProperty(response, 'body', { get: () => expect.unreachable('read') });
});

function cookies(init: Record<string, string>): Headers {
  const headers = new Headers(init);
  for (const name of ['a', 'b']) headers.append('set-cookie', `${name}=1`);
  return headers;
}

async function get(path: string, accepted?: string, method = 'GET') {
  const response = await app.request(path, { method, headers: accepted ? { 'accept-encoding': accepted } : {} });
  const body = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: response.headers,
    body,
    encoding: response.headers.get('content-encoding'),
  };
}

test.each(['gzip', 'gzip, deflate, br', 'br;q=1.0, gzip;q=0.5', '*'])(
  'a page is compressed for "%s"',
  async (accepted) => {
    const { status, headers, body, encoding } = await get('/page', accepted);

    expect([status, encoding, headers.get('vary')]).toEqual([200, 'gzip', 'Accept-Encoding']);
    expect(gunzipSync(body).toString()).toBe(LONG);
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=1']);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  },
);

test.each([undefined, 'br', 'gzip;q=0', 'identity, gzip; q=0.0'])(
  'a page is not compressed for "%s"',
  async (accepted) => {
    const { headers, body, encoding } = await get('/page', accepted);

    expect([encoding, headers.get('vary'), body.toString()]).toEqual([null, 'Accept-Encoding', LONG]);
  },
);

test('status and other headers stay', async () => {
  const { status, headers, body } = await get('/json', 'gzip');

  expect([status, headers.get('vary')]).toEqual([201, 'Cookie, Accept-Encoding']);
  expect(JSON.parse(gunzipSync(body).toString())).toEqual({ text: LONG });
});

test.each([
  ['/short', null],
  ['/sound', null],
  ['/packed', 'br'],
  ['/nothing', null],
  ['/unchanged', null],
])('%s is sent as it is', async (path, encoding) => {
  expect((await get(path, 'gzip')).encoding).toBe(encoding);
});

test('the body of a response that stays as it is is never read as a stream', async () => {
  expect(await get('/light')).toMatchObject({ status: 200, encoding: null });
});

test('a HEAD request is not compressed', async () => {
  expect((await get('/page', 'gzip', 'HEAD')).encoding).toBeNull();
});

import { expect, test } from 'vitest';
import { cast } from '../support/cast';
import { legacyClient } from '../support/legacy';

const opened = await cast();
const { runtime, tom } = opened;
const api = legacyClient(opened);
const ORIGIN = 'https://old.altavoz.example';

const raw = (path: string, init: RequestInit = {}) =>
  api.app.request(`http://altavoz.localhost:3000/api/${path}`, { method: 'POST', ...init });

test.each(['', 'nothing/', 'podcasts/x/', 'podcasts/0/', 'podcasts/99999999999999999999/', 'request-payouts/'])(
  'there is nothing at api/%s',
  async (path) => {
    const { status, body, headers } = await api.get(path);

    expect([status, body]).toEqual([404, { detail: 'Not found.' }]);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  },
);

test.each([
  ['PUT', 'auth/user/', 'GET, PATCH, HEAD, OPTIONS'],
  ['POST', 'podcasts/7', 'GET, PATCH, HEAD, OPTIONS'],
  ['GET', 'auth/login/', 'POST, OPTIONS'],
  ['GET', 'delete-podcast/7/', 'DELETE, OPTIONS'],
])('%s of api/%s is not allowed', async (method, path, allow) => {
  const { status, body, headers } = await api.send(method, path);

  expect([status, body]).toEqual([405, { detail: `Method "${method}" not allowed.` }]);
  expect(headers.get('allow')).toBe(allow);
});

test.each(['{"email": ', '', '\u0000', '{"a": "\ud800"'])('a body that is not JSON is rejected (%j)', async (body) => {
  const sent = body === '' ? new Uint8Array([0xff, 0xfe]) : body;

  const response = await raw('auth/login/', { body: sent, headers: { 'content-type': 'application/json' } });

  expect(response.status).toBe(400);
  expect(((await response.json()) as { detail: string }).detail).toMatch(/^JSON parse error - /);
});

test.each(['[]', '"text"', 'null', '7'])('JSON that is not an object is rejected (%s)', async (body) => {
  const response = await raw('auth/login/', { body, headers: { 'content-type': 'application/json' } });

  expect(response.status).toBe(400);
  expect(Object.keys((await response.json()) as object)).toEqual(['non_field_errors']);
});

test('without a body, every required field is missing', async () => {
  const { status, body } = await api.post('auth/login/');

  expect(status).toBe(400);
  expect(body).toEqual({ email: ['Email address is required'], password: [expect.any(String)] });
});

test('a field named __proto__ is a field like any other', async () => {
  const { token } = tom;
  const response = await api.app.request('http://altavoz.localhost:3000/api/auth/user/', {
    method: 'PATCH',
    body: '{"__proto__": {"country": "US"}, "constructor": 1}',
    headers: { 'content-type': 'application/json', authorization: `Token ${token}` },
  });

  expect(response.status).toBe(400);
  expect(await response.text()).toContain('"__proto__":["Unknown field."]');
});

test('an unsupported content type is rejected', async () => {
  const response = await raw('auth/login/', { body: '<xml/>', headers: { 'content-type': 'text/xml' } });

  expect([response.status, await response.json()]).toEqual([
    415,
    { detail: 'Unsupported media type "text/xml" in request.' },
  ]);
});

test('a truncated form is rejected', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };

  const response = await raw('auth/login/', { body: '--x\r\nContent-Disp', headers });

  expect([response.status, await response.json()]).toEqual([400, { detail: 'Multipart form parse error.' }]);
});

test.each([true, false])('a body of two megabytes is rejected (with Content-Length: %s)', async (hasLength) => {
  const body = new TextEncoder().encode(`{"email": "${'x'.repeat(2_000_000)}"}`);
  const streamed = new ReadableStream({
    start(controller) {
      controller.enqueue(body);
      controller.close();
    },
  });
  const headers = { 'content-type': 'application/json', ...(hasLength && { 'content-length': String(body.length) }) };

  const response = await raw('auth/login/', { body: streamed, headers, duplex: 'half' } as RequestInit);

  expect(response.status).toBe(413);
});

test('an unexpected error is a 500 with the request id and no details', async () => {
  const read = () => Promise.reject(new Error('the table users is gone'));
  const broken = legacyClient({ ...opened, runtime: { ...runtime, sessions: { ...runtime.sessions, read } } });

  const { status, body, headers } = await broken.get('auth/user/', { token: 'any' });

  expect(status).toBe(500);
  expect(body).toEqual({ detail: 'Something went wrong.', request_id: headers.get('x-request-id') });
});

test('every response has its request id', async () => {
  const responses = [await api.get('countries/'), await api.get('nothing/'), await api.send('OPTIONS', 'countries/')];

  for (const { headers } of responses) expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
});

test('cookies are ignored', async () => {
  const { token } = tom;

  const { status } = await api.get('auth/user/', { headers: { cookie: `token=${token}` } });

  expect(status).toBe(401);
});

test('a HEAD is a GET without its body', async () => {
  const { status, body, headers } = await api.send('HEAD', 'countries/');

  expect([status, body]).toEqual([200, null]);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
});

test('pages of configured origins may call, without credentials', async () => {
  const there = legacyClient(opened, { origins: [ORIGIN] });
  const ask = { origin: ORIGIN, 'access-control-request-method': 'PATCH' };

  const preflight = await there.send('OPTIONS', 'podcasts/7/', { headers: ask });
  const call = await there.get('countries/', { headers: { origin: ORIGIN } });
  const failed = await there.get('auth/user/', { headers: { origin: ORIGIN } });

  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
  for (const { headers } of [preflight, call, failed]) {
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('vary')).toContain('Origin');
  }
});

test('pages of other origins get no CORS headers', async () => {
  const there = legacyClient(opened, { origins: [ORIGIN] });
  const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' };

  const responses = [
    await there.send('OPTIONS', 'countries/', { headers }),
    await there.get('countries/', { headers }),
  ];

  for (const { headers } of responses) expect(headers.get('access-control-allow-origin')).toBeNull();
});

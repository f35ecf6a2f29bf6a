import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { pagingOf } from '~/server/doors/v1/input';
import { V1_TABLE } from '~/server/doors/v1/table';
import { cast } from '../support/cast';
import { keyMaker, v1Client } from '../support/v1-client';
import { v1Things } from '../support/v1-things';

const opened = await cast();
const { runtime, make, lucia, podcast, paidPodcast, episodes } = opened;
const api = v1Client(opened);
const keyOf = keyMaker(opened);
const JSON_TYPE = { 'content-type': 'application/json' };
const key = await keyOf(lucia);
const things = { runtime, owner: lucia, show: podcast, paid: paidPodcast, episode: episodes.podcast.public };
const pathOf = await v1Things(things);

test('a list has pages, whose cursors lead through all of it once', async () => {
  const owner = await make.creator();
  const other = await keyOf(owner);
  for (const name of ['A', 'B', 'C', 'D', 'E']) await make.product(owner, { name });

  const seen: unknown[] = [];
  let cursor = '';
  for (let pages = 1; pages <= 3; pages += 1) {
    const { body } = await api.get(`/shows?ordering=name&limit=2${cursor}`, { key: other });
    seen.push(...(body.data as { name: string }[]).map(({ name }) => name));
    expect(body.total).toBe(5);
    cursor = body.next_cursor ? `&cursor=${body.next_cursor}` : 'none';
  }

  expect(seen).toEqual(['A', 'B', 'C', 'D', 'E']);
  expect(cursor).toBe('none');
});

test.each([
  ['cursor=abc', 'api.cursor_invalid'],
  [`cursor=${Buffer.from('1.20').toString('base64url')}`, 'api.cursor_invalid'],
  [`cursor=${Buffer.from('2.20').toString('base64url')}x`, 'api.cursor_invalid'],
  [`cursor=${Buffer.from('2.20').toString('base64url')}&limit=10`, 'api.cursor_invalid'],
  [`cursor=${Buffer.from('2.999').toString('base64url')}`, 'common.invalid'],
  ['cursor=', 'api.cursor_invalid'],
  ['limit=0', 'api.limit_invalid'],
  ['limit=101', 'api.limit_invalid'],
  ['limit=ten', 'api.limit_invalid'],
  ['fields=name;id', 'api.fields_invalid'],
  ['fields=', 'api.fields_invalid'],
  ['page=2', 'field.unknown'],
  ['ordering=age', 'common.invalid'],
])('%s is refused as %s', async (query, code) => {
  const { status, body } = await api.get(`/shows?${query}`, { key });

  expect([status, body.code]).toEqual([400, code]);
});

test('fields chooses what an answer has', async () => {
  const list = await api.get(`/shows/${podcast.id}/episodes?fields=id,name&limit=1`, { key });
  const one = await api.get(`/episodes/${episodes.podcast.public.id}?fields=name,unknown`, { key });

  expect(Object.keys((list.body.data as object[])[0]!)).toEqual(['id', 'name']);
  expect(Object.keys(one.body)).toEqual(['name']);
});

test('every list has the length that its client chooses', async () => {
  for (const call of V1_TABLE.filter(({ isPaged }) => isPaged)) {
    const paging = pagingOf(call);
    const { status, body } = await api.get(`${pathOf(call)}?limit=100`, { key });
    expect([call.path, status, paging.length === 1]).toEqual([call.path, 200, false]);
    expect((body.data as unknown[]).length).toBe(Math.min(100, body.total as number));
  }
});

test('a read that has not changed is 304', async () => {
  const path = `/episodes/${episodes.podcast.public.id}`;
  const first = await api.get(path, { key });
  const etag = first.headers.get('etag')!;

  const same = await api.get(path, { key, headers: { 'if-none-match': `"other", W/${etag}` } });
  expect(await api.patch(path, { key, json: { season: 3 } })).toMatchObject({ status: 200, body: { season: 3 } });
  const changed = await api.get(path, { key, headers: { 'if-none-match': etag } });

  expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
  expect([changed.status, changed.body.season]).toEqual([200, 3]);
});

test('the version is answered, and an unknown one is refused', async () => {
  const [usual, chosen, unknown] = await Promise.all([
    api.get('/shows', { key }),
    api.get('/shows', { key, headers: { 'altavoz-version': '2026-11-29' } }),
    api.get('/shows', { key, headers: { 'altavoz-version': '2020-01-01' } }),
  ]);

  expect([usual, chosen].map(({ headers }) => headers.get('altavoz-version'))).toEqual(['2026-11-29', '2026-11-29']);
  expect([unknown.status, unknown.body.code]).toEqual([400, 'api.unknown_version']);
});

test.each([
  ['en', 'does not exist', 'Not found'],
  ['es', 'no existe', 'No encontrado'],
])('problem details are in the language %s of the caller', async (language, detail, title) => {
  const reply = await api.get('/shows/999999', { key, headers: { 'accept-language': language } });

  expect(reply.status).toBe(404);
  expect(reply.body).toEqual({
    type: 'http://altavoz.localhost:3000/developers#problem-not-found',
    title,
    status: 404,
    detail: expect.stringContaining(detail),
    code: 'product.not_found',
    request_id: expect.any(String),
  });
});

test('without Accept-Language, failures are in English, whoever calls', async () => {
  const owner = await make.creator();
  await runtime.db.update(users).set({ language: 'es' }).where(eq(users.id, owner.id));
  const own = await keyOf(owner);
  const headers = { 'accept-language': '' };

  const replies = [
    await api.get('/shows', { headers }),
    await api.get('/nothing', { key: own, headers }),
    await api.put('/shows', { key: own, headers }),
    await api.get('/shows/999999', { key: own, headers }),
    await api.post('/uploads', { key: own, headers, json: {} }),
  ];

  expect(replies.map(({ status, body }) => [status, body.title])).toEqual([
    [401, 'Not authenticated'],
    [404, 'Not found'],
    [405, 'Method not allowed'],
    [404, 'Not found'],
    [400, 'Invalid request'],
  ]);
});

test('no failure speaks of pages of the studio', async () => {
  const address = await api.get('/nothing', { key });
  const fields = await api.post('/uploads', { key, json: {} });

  expect([address.body.code, address.body.detail]).toEqual([
    'common.not_found',
    'There is nothing at this address. The documentation at /developers lists the calls.',
  ]);
  expect(fields.body.detail).toBe('Some values are missing or not valid: errors names them.');
});

test('what is missing is called required, and what is unknown is called unknown', async () => {
  const edition = await api.post('/editions', { key, json: {} });
  const contact = await api.post('/contacts', { key, json: { email: 'tags@mail.example', has_agreed: true } });
  const errorsOf = async (method: string, path: string, json: object) =>
    (await api.send(method, path, { key, json })).body.errors;

  expect(await errorsOf('PATCH', `/editions/${edition.body.id}`, { title: 'Sea' })).toEqual({
    revision: ['This field is required.'],
  });
  expect(await errorsOf('PUT', `/contacts/${contact.body.id}`, { name: 'Ana' })).toEqual({
    tags: ['This field is required.'],
  });
  expect(await errorsOf('POST', '/uploads', { file_name: 'a.mp3', content_type: 'audio/mpeg', file_size: 1 })).toEqual({
    purpose: ['This field is required.'],
  });
  const show = { kind: 'podcast', name: 'Sea', description: 'Waves', category: 'Arts', language: 'klingon' };
  expect(await errorsOf('POST', '/shows', { ...show, cover_key: '0123456789abcdef0123456789abcdef' })).toEqual({
    category: ['There is no category with this id. The documentation of the API lists them.'],
    language: ['There is no language with this code. Use a code of two letters, such as en.'],
  });
});

test('errors name fields as the API does', async () => {
  const json = { drip_days: 1.5, feed_length: -1, kind: 'podcast', unknown: 1 };
  const unknown = await api.patch(`/shows/${podcast.id}`, { key, json });
  const { unknown: _, ...known } = json;
  const invalid = await api.patch(`/shows/${podcast.id}`, { key, json: known });

  expect([unknown.status, Object.keys(unknown.body.errors as object)]).toEqual([400, ['unknown']]);
  expect([invalid.status, Object.keys(invalid.body.errors as object).sort()]).toEqual([
    400,
    ['drip_days', 'feed_length'],
  ]);
});

test.each([
  { owner_email: 'thief@example.com' },
  { funding_url: 'https://thief.example' },
  ...[{ plan_type: 'monthly' }, { price_minor: 500 }, { annual_price_minor: 5000 }, { price: '5.00' }],
  ...[{ currency: 'usd' }, { pays_what_they_want: true }, { trial_days: 30 }],
])('a key does not set %j', async (json) => {
  const sent = await api.patch(`/shows/${podcast.id}`, { key, json });
  const created = await api.post('/shows', { key, json });

  for (const { status, body } of [sent, created])
    expect([status, body.code, Object.keys(body.errors as object)]).toEqual([400, 'field.unknown', Object.keys(json)]);
});

test.each(['constructor', '__proto__', 'productId', 'coverKey'])(
  'an unknown field %s has its own name',
  async (name) => {
    const { status, body } = await api.patch(`/shows/${podcast.id}`, {
      key,
      body: `{"${name}":1}`,
      headers: JSON_TYPE,
    });

    expect([status, Object.keys(body.errors as object)]).toEqual([400, [name]]);
  },
);

test('what others publish is not found here, although anyone can hear it', async () => {
  const other = await keyOf(await make.creator());
  const empty = await make.product(lucia, { name: 'Empty' });
  const paths = [`/shows/${podcast.id}`, `/shows/${podcast.id}/episodes`, `/shows/${empty.id}/episodes`];

  for (const path of [...paths, `/episodes/${episodes.podcast.public.id}`])
    expect([path, (await api.get(path, { key: other })).status]).toEqual([path, 404]);
  expect((await api.get(`/shows/${empty.id}/episodes`, { key })).body).toMatchObject({ data: [], total: 0 });
});

test('every answer states the rate, and a caller who exceeds it is told when to come back', async () => {
  const busy = await keyOf(await make.creator());
  const first = await api.get('/shows', { key: busy });
  const rates = await Promise.all(Array.from({ length: 600 }, () => api.get('/shows/1', { key: busy })));

  expect(first.headers.get('ratelimit-policy')).toBe('"calls";q=600;w=60');
  expect(first.headers.get('ratelimit')).toBe('"calls";r=599;t=60');
  const exceeded = rates.filter(({ status }) => status === 429);
  expect(exceeded).toHaveLength(1);
  expect(exceeded[0]!.headers.get('retry-after')).toBe('60');
  expect((await api.get('/shows', { key })).status).toBe(200);
});

test.each([
  ['PUT', '/shows', 405],
  ['GET', '/nothing', 404],
  ['GET', '/shows/abc', 404],
  ['DELETE', '/shows', 405],
])('%s %s is %i', async (method, path, status) => {
  const reply = await api.send(method, path, { key });

  expect(reply.status).toBe(status);
  expect(reply.headers.get('allow')).toBe(status === 405 ? 'GET, POST, HEAD' : null);
});

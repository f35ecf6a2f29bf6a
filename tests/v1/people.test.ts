import { expect, test } from 'vitest';
import { cast } from '../support/cast';
import { keyMaker, v1Client } from '../support/v1-client';

const opened = await cast();
const { make, lucia, paidPodcast } = opened;
const api = v1Client(opened);
const keyOf = keyMaker(opened);
const key = await keyOf(lucia);

test('a person gets free access, is listed, and loses it', async () => {
  const path = `/shows/${paidPodcast.id}/subscribers`;
  const email = 'new.listener@mail.example';

  const invited = await api.post(path, { key, json: { email } });
  const listed = await api.get(`${path}?search=new.listener`, { key });
  const [found] = listed.body.data as { user_id: number; email: string }[];
  const one = await api.get(`${path}/${found!.user_id}`, { key });
  const removed = await api.delete(`${path}/${found!.user_id}`, { key });

  expect([invited.status, removed.status]).toEqual([204, 204]);
  expect(listed.body).toMatchObject({ total: 1, data: [{ email, name: null, revenue_minor: 0 }] });
  expect(one.body).toEqual(found);
});

test('contacts are added, tagged, changed and deleted, and walked through with their cursor', async () => {
  const owner = await make.creator();
  const own = await keyOf(owner);
  const add = (email: string) =>
    api.post('/contacts', { key: own, json: { email, name: 'Ana', tags: ['a'], has_agreed: true } });
  const [first] = [await add('one@mail.example'), await add('two@mail.example')];
  const id = first.body.id as number;

  const tagged = await api.post('/contacts/changes', { key: own, json: { action: 'tag', tag: 'vip', ids: [id] } });
  const changed = await api.put(`/contacts/${id}`, { key: own, json: { name: 'Ana María', tags: ['vip'] } });
  const one = await api.get(`/contacts/${id}`, { key: own });
  const filtered = await api.get('/contacts?tag=vip', { key: own });
  const removed = await api.delete(`/contacts/${id}`, { key: own });
  const all = await api.get('/contacts', { key: own });

  expect(first.status).toBe(201);
  expect(tagged.body).toMatchObject({ changed: 1 });
  expect([changed.status, removed.status]).toEqual([204, 204]);
  expect(one.body).toMatchObject({ name: 'Ana María', tags: ['vip'], state: 'active' });
  expect(filtered.body).toMatchObject({ total: 1, next_cursor: null });
  expect(all.body).toMatchObject({ total: 1, data: [{ email: 'two@mail.example' }] });
  const wrong = await api.get('/contacts?cursor=abc', { key: own });
  expect([wrong.status, wrong.body.code]).toEqual([400, 'api.cursor_invalid']);
});

test('contacts are walked through in parts of the chosen length', async () => {
  const owner = await make.creator();
  const own = await keyOf(owner);
  const names = ['Ana', 'Bea', 'Carla', 'Dora', 'Eva'];
  for (const name of names)
    await api.post('/contacts', {
      key: own,
      json: { email: `${name}@mail.example`, name, tags: [], has_agreed: true },
    });

  const seen: unknown[] = [];
  let cursor = '';
  for (let parts = 1; parts <= 3; parts += 1) {
    const { body } = await api.get(`/contacts?sort=name&limit=2&fields=name${cursor}`, { key: own });
    seen.push(body.data);
    expect(body.total).toBe(5);
    cursor = body.next_cursor ? `&cursor=${body.next_cursor}` : 'none';
  }

  expect(seen.flat()).toEqual(names.map((name) => ({ name })));
  expect(cursor).toBe('none');
  const tooMany = await api.get('/contacts?limit=101', { key: own });
  const unknown = await api.get('/contacts?after=abc', { key: own });
  expect([tooMany.body.code, unknown.body.code]).toEqual(['api.limit_invalid', 'field.unknown']);
});

test('an edition is drafted, changed with its revision, and deleted', async () => {
  const created = await api.post('/editions', { key, json: {} });
  const path = `/editions/${created.body.id}`;
  const { body: draft } = await api.get(path, { key });

  const changed = await api.patch(path, {
    key,
    json: { revision: draft.revision, title: 'A letter', content: '<p>Hello</p>' },
  });
  const late = await api.patch(path, { key, json: { revision: draft.revision, title: 'Another' } });
  const list = await api.get('/editions?fields=id,title', { key });
  const removed = await api.delete(path, { key });

  expect(changed.body.revision).toBeGreaterThan(draft.revision as number);
  expect(late.status).toBe(409);
  expect(list.body.data).toContainEqual({ id: created.body.id, title: 'A letter' });
  expect(removed.status).toBe(204);
});

test('a coupon is created with a percentage or an amount, and disabled', async () => {
  const show_id = paidPodcast.id;
  const create = (json: object) => api.post('/coupons', { key, json: { show_id, duration: 'once', ...json } });

  const percentage = await create({ code: 'SEA20', discount_type: 'percentage', discount: 20 });
  const flat = await create({ code: 'SEA50C', discount_type: 'flat', discount: 50 });
  const half = await create({ code: 'SEA', discount_type: 'flat', discount: 0.5 });
  const text = await create({ code: 'SEA2', discount_type: 'flat', discount: '2' });
  const share = await create({ code: 'SEA3', discount_type: 'percentage', discount: '20' });
  const disabled = await api.patch(`/coupons/${percentage.body.id}`, { key, json: { disabled: true } });
  const list = await api.get('/coupons', { key });

  expect([percentage.status, flat.status, half.status, disabled.status]).toEqual([201, 201, 400, 204]);
  expect([text, share].map(({ status, body }) => [status, Object.keys(body.errors as object)])).toEqual([
    [400, ['discount']],
    [400, ['discount']],
  ]);
  expect(list.body.data).toMatchObject([
    { code: 'SEA50C', percent: null, amount_minor: 50, state: 'active' },
    { code: 'SEA20', percent: 20, amount_minor: null, state: 'disabled' },
  ]);
});

test('money and statistics are read', async () => {
  const [balances, payouts, sales, statistics] = await Promise.all([
    api.get('/balances', { key }),
    api.get('/payouts', { key }),
    api.get('/sales?month=2026-03', { key }),
    api.get('/statistics?from=2026-02-01&to=2026-02-28', { key }),
  ]);

  expect([balances, payouts, sales, statistics].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(balances.body).toMatchObject({ balances: [{ available_minor: 0 }] });
  expect(sales.body).toMatchObject({ data: [], total: 0 });
  expect((statistics.body.evolution as unknown[]).length).toBe(28);
});

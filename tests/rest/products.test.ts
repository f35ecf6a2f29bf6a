import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { cast } from '../support/cast';
import { legacyClient, numberOf, rowsOf, stringOf } from '../support/legacy';

const opened = await cast();
const { make, runtime } = opened;
const api = legacyClient(opened);
const NOT_FOUND = { detail: 'Not found.' };

const newProduct = async (token: string, over: object = {}) => ({
  name: 'Ruido de fondo',
  description: 'Historias que se oyen.',
  cover_key: await make.upload({ token }, 'cover'),
  category: 1501,
  language: 'es',
  ...over,
});

/** A creator with one product. */
async function withProduct(path: 'podcasts' | 'audio-series' = 'podcasts', over: object = {}) {
  const owner = await make.creator();
  const { body } = await api.post(`${path}/`, { token: owner.token, json: await newProduct(owner.token, over) });
  return { ...owner, product: body };
}

test.each([
  ['podcasts', 'podcast', 'recurring'],
  ['audio-series', 'audio_series', 'single'],
])('POST %s/ creates a product', async (path, audioType, contentType) => {
  const { token, domain, creatorId } = await make.creator();
  const messages = { welcome_message: 'Hola', subscriber_email_message: 'Gracias', hide_subscribe_button: true };
  const json = await newProduct(token, {
    slug: 'ruido',
    price: '0.00',
    plan_type: 'free',
    currency: 'usd',
    ...messages,
  });

  const { status, body } = await api.post(`${path}/`, { token, json });

  const page = `http://staging-${domain}.altavoz.localhost:3000/p/ruido`;
  expect(status).toBe(201);
  expect(body).toMatchObject({
    audio_type: audioType,
    content_type: contentType,
    name: 'Ruido de fondo',
    slug: 'ruido',
    category: 1501,
    price: null,
    annual_price: null,
    currency: 'usd',
    plan_type: 'free',
    public_url: page,
    public_rss_feed: `${page}/feed.xml`,
    private_rss_feed: null,
    subscribers_count: 0,
    episodes_count: 0,
    creator: { id: creatorId, domain, avatar: null },
    ...messages,
  });
  expect(body.created_at).toMatch(/Z$/);
  expect((await api.get(`${path}/${body.id}/`, { token })).body).toEqual(body);
});

test('missing fields are reported one by one', async () => {
  const { token } = await make.creator();

  const { status, body } = await api.post('podcasts/', { token, json: { slug: 'not a slug', price: 'four' } });

  expect(status).toBe(400);
  expect(body).toEqual({
    name: ['Name is required'],
    description: [expect.any(String)],
    category: ['Category is required'],
    language: ['Language is required'],
    cover_key: ['Upload a cover.'],
    slug: ['Invalid slug name'],
    price: [expect.any(String)],
  });
});

test('prices are decimals in both directions, and a subscriber keeps a show from becoming free', async () => {
  const { token, product } = await withProduct('podcasts', { price: '5.00', annual_price: 50, plan_type: 'yearly' });
  const path = `podcasts/${product.id}/`;
  const listener = await make.person();
  await runtime.db
    .insert(grants)
    .values({ userId: listener.id, productId: numberOf(product.id), source: 'subscription', endsAt: null });

  const refused = await api.patch(path, { token, json: { plan_type: 'free' } });
  const tooLow = await api.patch(path, { token, json: { price: '0.50' } });
  const changed = await api.patch(path, { token, json: { plan_type: 'monthly', price: '6.5' } });

  const annual = { price: '5.00', annual_price: '50.00', plan_type: 'yearly', annual_saving_percent: 16 };
  expect(product).toMatchObject(annual);
  expect([refused.status, refused.body]).toEqual([400, { price: [expect.stringMatching(/^1 person /)] }]);
  expect([tooLow.status, tooLow.body]).toEqual([400, { price: [expect.stringContaining('€1.00 and €500.00')] }]);
  expect(changed.body).toMatchObject({ price: '6.50', annual_price: null, plan_type: 'monthly' });
});

test('a slug that the creator already uses is rejected', async () => {
  const { token, product } = await withProduct();

  const { status, body } = await api.post('audio-series/', {
    token,
    json: await newProduct(token, { slug: product.slug }),
  });

  expect([status, Object.keys(body)]).toEqual([400, ['slug']]);
});

test('only creators can create products', async () => {
  const { token } = await make.person();
  const json = await newProduct(token);

  const [listener, visitor, forged] = [
    await api.post('podcasts/', { token, json }),
    await api.post('podcasts/', { json }),
    await api.post('podcasts/', { token: 'forged', json }),
  ];

  expect([listener.status, listener.body.code]).toEqual([403, 'permission_denied']);
  expect([visitor.status, visitor.body]).toEqual([401, { detail: 'Authentication credentials were not provided.' }]);
  expect([forged.status, forged.body]).toEqual([401, { detail: 'Invalid token.' }]);
  expect(visitor.headers.get('www-authenticate')).toBe('Token');
});

test('an update changes only the given fields', async () => {
  const { token, product } = await withProduct();

  const { status, body } = await api.patch(`podcasts/${product.id}`, { token, json: { name: 'Otro nombre' } });

  expect(status).toBe(200);
  expect(body).toEqual({ ...product, name: 'Otro nombre' });
});

test('fields that cannot be changed are reported by name', async () => {
  const { token, product } = await withProduct();
  const json = { name: 'Otro', id: 1, kind: 'audio_series', creator: 5, welcomeMessage: 'x' };

  const { status, body } = await api.patch(`podcasts/${product.id}/`, { token, json });

  expect(status).toBe(400);
  expect(Object.keys(body).sort()).toEqual(['creator', 'id', 'kind', 'welcomeMessage']);
});

test('everyone but the owner gets 404 for changes and deletions', async () => {
  const { product } = await withProduct();
  const [other, listener] = [await make.creator(), await make.person()];

  for (const { token } of [other, listener]) {
    const responses = [
      await api.patch(`podcasts/${product.id}/`, { token, json: { name: 'Mine' } }),
      await api.delete(`delete-podcast/${product.id}/`, { token }),
      await api.patch(`podcasts/${numberOf(product.id) + 1000}/`, { token, json: { name: 'Mine' } }),
    ];
    for (const { status, body } of responses) expect([status, body]).toEqual([404, NOT_FOUND]);
  }
  const visitor = await api.patch(`podcasts/${product.id}/`, { json: { name: 'Mine' } });
  expect(visitor.status).toBe(401);
  expect((await api.get(`podcasts/${product.id}/`)).body.name).toBe(product.name);
});

test('visitors do not see owner-only fields', async () => {
  const { product } = await withProduct('podcasts', { welcome_message: 'Only for you' });
  const ownerOnly = {
    welcome_message: null,
    subscriber_email_message: null,
    subscribers_count: null,
    owner_name: null,
    owner_email: null,
  };

  const responses = [await api.get(`podcasts/${product.id}/`), await api.get(`open-podcast/${product.id}/`)];

  for (const { status, body } of responses) expect([status, body]).toEqual([200, { ...product, ...ownerOnly }]);
});

test('open-podcast treats even the owner as a visitor', async () => {
  const { token, product } = await withProduct();

  const { body } = await api.get(`open-podcast/${product.id}/`, { token });

  expect(body.subscribers_count).toBeNull();
});

test('a product is not found under the other kind’s path', async () => {
  const { token, product } = await withProduct('audio-series');

  const responses = [
    await api.get(`podcasts/${product.id}/`, { token }),
    await api.get(`open-podcast/${product.id}/`),
    await api.delete(`delete-podcast/${product.id}/`, { token }),
    await api.get(`podcasts/${product.id}/episodes_list/`),
  ];

  for (const { status, body } of responses) expect([status, body]).toEqual([404, NOT_FOUND]);
});

test.each(['podcasts', 'audio-series'] as const)('a product deleted from %s answers 404', async (path) => {
  const { token, product } = await withProduct(path);
  const call = path === 'podcasts' ? 'delete-podcast' : 'delete-audio-series';

  const deleted = await api.delete(`${call}/${product.id}/?keep=1`, { token });

  expect([deleted.status, deleted.body]).toEqual([204, null]);
  expect((await api.get(`${path}/${product.id}/`, { token })).status).toBe(404);
  expect((await api.delete(`${call}/${product.id}/`, { token })).status).toBe(404);
});

test('creators list their own podcasts, audio series or both', async () => {
  const { token, product: series } = await withProduct('audio-series', { name: 'Bosque' });
  const { body: podcast } = await api.post('podcasts/', { token, json: await newProduct(token, { name: 'Alba' }) });
  await withProduct();
  const ids = async (path: string) => rowsOf((await api.get(path, { token })).body.results).map(({ id }) => id);

  expect(await ids('podcasts/')).toEqual([podcast.id]);
  expect(await ids('audio-series')).toEqual([series.id]);
  expect(await ids('all-audios/?ordering=name')).toEqual([podcast.id, series.id]);
  expect(await ids('all-audios/?ordering=-name')).toEqual([series.id, podcast.id]);
  expect(await ids('all-audios/?type=audio_series&page_size=5&whatever=1')).toEqual([series.id]);
  expect(await ids('all-audios/?search=osqu')).toEqual([series.id]);
});

test('users without a creator page have no products, and visitors must log in', async () => {
  const { token } = await make.person();

  const listener = await api.get('all-audios/', { token });
  const visitors = [await api.get('all-audios/'), await api.get('podcasts/'), await api.get('podcasts/?page=2')];

  expect(listener.body).toEqual({ count: 0, next: null, previous: null, results: [] });
  for (const { status } of visitors) expect(status).toBe(401);
});

test('an unknown ordering is rejected', async () => {
  const { token } = await make.creator();

  const { status, body } = await api.get('all-audios/?ordering=price', { token });

  expect([status, body]).toEqual([400, { ordering: ['This sort order is unknown.'] }]);
});

test('the next and previous links of a page can be requested unchanged', async () => {
  const { product, creatorId } = await withProduct();
  await make.episodes({ id: numberOf(product.id), creatorId }, 5);
  const path = `podcasts/${product.id}/episodes_list/?ordering=name&page_size=2`;

  const first = await api.get(path);
  const second = await api.get(stringOf(first.body.next));
  const third = await api.get(stringOf(second.body.next));
  const back = await api.get(stringOf(second.body.previous));

  expect(first.body).toMatchObject({ count: 5, previous: null });
  expect(first.body.next).toBe(`http://altavoz.localhost:3000/api/${path}&page=2`);
  expect(third.body.next).toBeNull();
  expect(back.body.results).toEqual(first.body.results);
  const names = [first, second, third].flatMap(({ body }) => rowsOf(body.results).map(({ name }) => name));
  expect(names).toEqual(['Episodio 1', 'Episodio 2', 'Episodio 3', 'Episodio 4', 'Episodio 5']);
});

test.each(['4', '0', '-1', 'x', '1e9'])('page %s of a list with one page does not exist', async (page) => {
  const { product } = await withProduct();

  const { status, body } = await api.get(`podcasts/${product.id}/episodes_list/?page=${page}`);

  expect([status, body]).toEqual([404, { detail: 'Invalid page.' }]);
});

test.each([
  ['500', 100],
  ['x', 20],
  ['0', 20],
])('a page size of %s returns %d items', async (size, returned) => {
  const { product, creatorId } = await withProduct();
  await make.episodes({ id: numberOf(product.id), creatorId }, 101);

  const { body } = await api.get(`podcasts/${product.id}/episodes_list/?page_size=${size}`);

  expect(body.results).toHaveLength(returned);
});

test('GET coupons/ answers with the discounted price, and to every unusable code with the same message', async () => {
  const owner = await make.creator();
  const { id: productId } = await make.product(owner, { priceMinor: 499, annualPriceMinor: 4999 });
  await owner.api.coupons.create({ productId, couponCode: 'verano20', discountType: 'percentage', discount: '20' });
  const ask = (query: string) => api.get(`coupons/?product_id=${productId}&${query}`);

  const [monthly, yearly] = await Promise.all([ask('code=Verano20'), ask('code=VERANO20&interval=yearly')]);
  const refused = await Promise.all(['code=OTHER', 'code=', 'code=%00', 'other=1'].map(ask));

  const usual = { valid: true, code: 'VERANO20', discount_type: 'percentage', discount: '20.00', currency: 'eur' };
  const offer = { ...usual, duration: 'once', months: null };
  expect(monthly).toMatchObject({ status: 200, body: { ...offer, price: '4.99', discounted_price: '3.99' } });
  expect(yearly).toMatchObject({ status: 200, body: { ...offer, price: '49.99', discounted_price: '39.99' } });
  for (const { status, body } of refused)
    expect({ status, body }).toEqual({ status: 400, body: { code: ['The provided coupon is invalid or used up.'] } });
});

import { expect, test } from 'vitest';
import { cast } from '../support/cast';
import { legacyClient, rowsOf, stringOf } from '../support/legacy';

const opened = await cast();
const { make } = opened;
const api = legacyClient(opened);

test('countries have English and Spanish names and are sorted by the English ones', async () => {
  const { status, body } = await api.get('countries/');

  const names = rowsOf(body).map(({ name }) => stringOf(name));
  expect(status).toBe(200);
  expect(body).toContainEqual({ id: 'ES', name: 'Spain', name_es: 'España' });
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
});

test('labels and errors are in the language of the request, then of the user, then English', async () => {
  const { token } = await make.person({ language: 'es' });
  const spain = async (sent: object) =>
    rowsOf((await api.get('country-list', sent)).body).find(({ value }) => value === 'ES')?.label;
  const pageError = async (language: string, sent: object = {}) =>
    (await api.get('all-audios/?page=9', { headers: { 'accept-language': language }, ...sent })).body.detail;

  expect(await spain({ headers: { 'accept-language': 'es-MX' } })).toBe('España');
  expect(await spain({ headers: { 'accept-language': 'fr' } })).toBe('Spain');
  expect(await pageError('fr', { token })).toBe('Página no válida.');
  expect(await pageError('en, es;q=0.5', { token })).toBe('Invalid page.');
});

test('languages are listed by code', async () => {
  const { body } = await api.get('languages/', { headers: { 'accept-language': 'es' } });

  expect(body).toContainEqual({ value: 'de', label: 'Alemán' });
});

test('categories are a tree of two levels, and a login does not change them', async () => {
  const { token } = await make.person();

  const [visitor, listener] = [await api.get('categories/'), await api.get('categories/', { token })];

  expect(listener.body).toEqual(visitor.body);
  expect(visitor.body).toContainEqual({
    id: 1501,
    name: 'Documentary',
    name_es: 'Documental',
    slug: 'documentary',
    parent_id: 1500,
  });
  expect((await api.get('categories/', { token: 'dead' })).status).toBe(401);
});

test('the configurations contain the options of this installation, with amounts as decimals', async () => {
  const { body } = await api.get('configurations/');

  expect(body).toMatchObject({
    stripe_publishable_key: null,
    currencies: ['eur', 'usd'],
    price_limits: { eur: { min: '1.00', max: '500.00' }, usd: { one_time: { min: '1.00', max: '1000.00' } } },
    max_upload_bytes: 300 * 1024 * 1024,
    promo_max_seconds: 30,
    donation: { min: '1.00', max: '500.00' },
    payout_threshold: '50.00',
    trial_days: 14,
    support_chat: null,
    gtm_id: null,
  });
  expect(body.plans).toContainEqual({
    code: 'BASIC',
    name: 'Basic',
    price: '9.00',
    currency: 'eur',
    limits: expect.objectContaining({ paid_subscribers: 100, transcription_minutes: 0 }),
    features: expect.arrayContaining(['coupons']),
  });
});

test("the country follows the client's IP address, and the currency follows the country", async () => {
  const from = async (address: string) =>
    (await api.get('user-country/', { headers: { 'x-forwarded-for': address } })).body;

  expect(await from('80.58.61.250')).toEqual({ country: 'ES', currency: 'eur' });
  expect(await from('190.24.0.1')).toEqual({ country: 'CO', currency: 'usd' });
  expect(await from('127.0.0.1')).toEqual({ country: null, currency: 'usd' });
});

import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { products } from '~/db/schema/products';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast();
const app = pagesApp(runtime, env.urls);
const { host, origin } = new URL(env.urls.appUrl);
const owner = await make.creator({ name: 'Lucía' });
const headers = { cookie: `token=${owner.token}`, host, origin };

const open = (path: string) => app.request(env.urls.appUrl + path, { headers });
const send = (path: string, fields: Record<string, string>) =>
  app.request(env.urls.appUrl + path, { method: 'POST', headers, body: new URLSearchParams(fields) });

/** What the form of each page sends, and the columns that it may change. */
const PARTS: Record<string, { fields: Record<string, string>; changed: object }> = {
  '': {
    fields: {
      name: 'Olas',
      description: 'Del mar',
      category: '101',
      language: 'en',
      slug: 'olas',
      explicit: 'on',
      showsPlays: 'on',
    },
    changed: {
      ...{ name: 'Olas', description: 'Del mar', category: 101, language: 'en', slug: 'olas', explicit: true },
      showsPlays: true,
    },
  },
  '/price': {
    fields: { planType: 'paid', price: '6', annualPrice: '', currency: 'eur', dripDays: '7', trialDays: '' },
    changed: { priceMinor: 600, annualPriceMinor: null, dripDays: 7, trialDays: 0 },
  },
  '/messages': { fields: { welcomeMessage: 'Hola' }, changed: { welcomeMessage: 'Hola' } },
  '/feed': {
    fields: {
      author: 'Ada',
      complete: 'false',
      measurementPrefixes: 'https://op3.dev/e/\r\n\r\nhttps://pscrb.fm/rss/p/',
    },
    changed: { author: 'Ada', complete: false, measurementPrefixes: ['https://op3.dev/e/', 'https://pscrb.fm/rss/p/'] },
  },
};

const filled = {
  ...{ name: 'Antes', slug: 'antes', description: 'Antes', explicit: false, isListed: true },
  ...{
    priceMinor: 500,
    annualPriceMinor: 5000,
    paysWhatTheyWant: true,
    trialDays: 14,
    earlyAccessDays: 3,
    dripDays: 2,
  },
  ...{ hideSubscribeButton: true, welcomeMessage: 'Antes', subscriberEmailMessage: 'Antes', author: 'Antes' },
  ...{
    copyright: '© Antes',
    fundingUrl: 'https://antes.example',
    fundingText: 'Antes',
    complete: true,
    feedLength: 50,
  },
  namesListener: true,
} as const;

test.each(Object.entries(PARTS))(
  'the page settings%s saves its own fields, and no others',
  async (part, { fields, changed }) => {
    const show = await make.product(owner, { ...filled, slug: `antes${part.replace('/', '-')}` });
    const read = async () => (await runtime.db.select().from(products).where(eq(products.id, show.id)))[0]!;
    const before = await read();
    const path = `/podcasts/${show.id}/settings${part}`;
    const others = Object.assign(
      {},
      ...Object.entries(PARTS).map(([name, { fields: own }]) => (name === part ? {} : own)),
    );

    const saved = await send(path, { ...others, ...fields });

    expect([saved.status, saved.headers.get('location')]).toEqual([302, `${path}?done=product_saved`]);
    const ignored = { updatedAt: null, changedAt: null, version: null };
    expect({ ...(await read()), ...ignored }).toEqual({ ...before, ...changed, ...ignored });
    expect((await open(path)).status).toBe(200);
  },
);

test('a refused price keeps what was typed, beside its message', async () => {
  const show = await make.product(owner, filled);
  const path = `/podcasts/${show.id}/settings/price`;

  const refused = await send(path, { planType: 'paid', price: '0.10', currency: 'eur', dripDays: '9' });

  expect(refused.status).toBe(400);
  const html = await refused.text();
  expect(html).toContain('value="0.10"');
  expect(html).toContain('value="9"');
});

test('the page of the price says what the creator keeps', async () => {
  const show = await make.product(owner, { ...filled, slug: 'neto' });

  const html = await (await open(`/podcasts/${show.id}/settings/price`)).text();

  expect(html).toContain('You keep €4.55 of €5.00.');
});

test.each([
  ['/edit/podcasts/ID', '/podcasts/ID/settings'],
  ['/es/account/edit/podcasts/ID', '/es/podcasts/ID/settings'],
  ['/podcasts/ID/pauses?page=2', '/podcasts/ID/subscribers'],
])('the former address %s leads to %s', async (from, to) => {
  const show = await make.product(owner);
  const answer = await open(from.replace('ID', String(show.id)));

  expect([answer.status, answer.headers.get('location')]).toEqual([302, to.replace('ID', String(show.id))]);
});

test('the tabs of a show are those that the show has, and its head says its state and price', async () => {
  const free = await make.product(owner, { slug: 'gratis' });
  const paid = await make.product(owner, { ...filled, slug: 'de-pago' });
  const series = await make.product(owner, { kind: 'audio_series', slug: 'serie', priceMinor: 900 });
  const page = async (path: string) => (await open(path)).text();

  const freeHtml = await page(`/podcasts/${free.id}`);
  expect(freeHtml).not.toContain(`href="/podcasts/${free.id}/subscribers"`);
  expect(freeHtml).not.toContain('/statistics"');
  expect(freeHtml).toContain('Nothing published yet');
  const paidHtml = await page(`/podcasts/${paid.id}`);
  expect(paidHtml).toContain(`href="/podcasts/${paid.id}/subscribers"`);
  expect(paidHtml).toContain('€5.00 a month or €50.00 a year');
  expect(await page(`/audio-series/${series.id}`)).toContain(`href="/audio-series/${series.id}/customers"`);
});

test('without HTTPS, the setting says that measurement prefixes have no effect', async () => {
  const show = await make.product(owner);
  const path = `/podcasts/${show.id}/settings/feed`;

  expect(await (await open(path)).text()).toContain('they have no effect yet');
});

import { expect, test } from 'vitest';
import { checkouts } from '~/db/schema/checkouts';
import { giftsOnSale, giftTermsShown, pricesOnSale, termsShown } from '~/server/domain/billing/base/rules';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make, lucia } = await cast({ settings: { CREATOR_URLS: 'path' } });
const { db } = runtime;
const APP = env.urls.appUrl;
const open = pagesApp(runtime, env.urls);
const closed = pagesApp({ ...runtime, settings: { ...runtime.settings, takesPayments: false } }, env.urls);
await lucia.api.creators.update({ acceptsDonations: true });
const paid = { priceMinor: 400, language: 'es' } as const;
const show = await make.product(lucia, { ...paid, slug: 'luna', annualPriceMinor: 4000, trialDays: 14 });
const series = await make.product(lucia, { ...paid, slug: 'mapas', kind: 'audio_series', priceMinor: 1200 });
const [locked] = await make.episodes(show, 1, () => ({ type: 'private', status: 'published' }));
const [part] = await make.episodes(series, 1, () => ({ type: 'private', status: 'published' }));
const HOME = `@${lucia.domain}`;

async function read(path: string, app = closed) {
  const text = await (await app.request(`${APP}${path}`)).text();
  const json = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(text)?.[1] ?? '{}';
  return { main: /<main(.*?)<\/main>/s.exec(text)?.[1] ?? '', data: json };
}

async function send(path: string, fields: Record<string, string>) {
  const headers = { origin: APP, host: new URL(APP).host, 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(fields);
  const response = await closed.request(`${APP}${path}`, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}

test.each([
  ['en', 'luna', 'Not on sale yet', '€4.00 a month'],
  ['es', 'luna', 'Todavía no está a la venta', '4,00 € al mes'],
  ['en', 'mapas', 'Not on sale yet', '€12.00, one payment'],
])('without payments, the page of a paid show only states its price: /%s %s', async (language, slug, line, price) => {
  const { main, data } = await read(`/${language}/${HOME}/p/${slug}`);

  expect(main).toContain(line);
  expect(main.replaceAll('\u00a0', ' ')).toContain(price);
  expect(main).not.toMatch(/register\/(?:payment|gift)|days free|días gratis|data-leads="offer"/);
  expect(data).toContain('PodcastSeries');
  expect(data).not.toMatch(/"Offer"|InStock/);
});

test.each([
  ['luna', locked!.slug],
  ['mapas', part!.slug],
])('without payments, the page of a locked episode does not sell its show: %s', async (slug, episode) => {
  const { main, data } = await read(`/en/${HOME}/p/${slug}/${episode}`);

  expect(main).toContain('Not on sale yet');
  expect(main).not.toMatch(/register\/payment|Buy the series/);
  expect(data).not.toContain('"Offer"');
});

test('with payments, the same pages sell', async () => {
  const page = await read(`/en/${HOME}/p/luna`, open);
  const episode = await read(`/en/${HOME}/p/luna/${locked!.slug}`, open);

  for (const { main, data } of [page, episode]) {
    expect(main).toContain('register/payment');
    expect(main).not.toContain('Not on sale');
    expect(data).toContain('InStock');
  }
  expect((await read(`/en/${HOME}`, open)).data).toContain('InStock');
});

test('a creator’s page without payments offers no show and no donation', async () => {
  const { main, data } = await read(`/en/${HOME}`);

  expect(main).not.toContain('/donat');
  expect(data).not.toContain('"Offer"');
  expect((await read(`/en/${HOME}`, open)).main).toContain('/donat');
});

test('without payments, neither the editor of newsletters nor the list of donors leads to the page for donations', async () => {
  const offered = async () => {
    const [choices, donors] = await Promise.all([
      lucia.api.editions.choices(),
      lucia.api.donations.donors({ creatorId: lucia.creatorId }),
    ]);
    return [choices.takesDonations, donors.isOpen, donors.acceptsDonations];
  };

  expect(await offered()).toEqual([true, true, true]);
  Object.assign(runtime.settings, { takesPayments: false });
  const without = await offered().finally(() => Object.assign(runtime.settings, { takesPayments: true }));
  expect(without).toEqual([false, false, true]);
});

test('the pages that sell say why they have no form, and sending one opens no payment', async () => {
  const guest = { email: 'oyente@mail.example', terms: 'on', adult: 'on' };
  const buy = { product: String(show.id), shown: termsShown({ ...show, prices: pricesOnSale(show) }), ...guest };
  const gift = { ...buy, shown: giftTermsShown(giftsOnSale(show), 'eur'), months: '3' };
  const donation = { currency: 'eur', choice: '500', every: 'once', email: guest.email };

  for (const path of ['payment', 'gift']) {
    const { main } = await read(`/en/register/${path}?product=${show.id}`);
    expect(main).toContain('not for sale at the moment');
    expect(main).not.toContain('method="post"');
  }
  const answers = [
    await send('/en/register/payment', buy),
    await send('/en/register/gift', gift),
    await send(`/en/register/donation-payment?creator=${lucia.creatorId}`, donation),
  ];

  expect(answers.map(({ status }) => status)).toEqual([409, 409, 404]);
  expect(answers[0]!.text).toContain('not for sale at the moment');
  expect(answers[2]!.text).toContain('accept donations at the moment');
  expect(await db.$count(checkouts)).toBe(0);
});

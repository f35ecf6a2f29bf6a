import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { pagesApp } from '../support/pages-app';
import { shop, showItem } from '../support/shop';

const { runtime, env, make, lucia, payments, settle, buy } = await shop();
const app = pagesApp(runtime, env.urls);
const { host, origin } = new URL(env.urls.appUrl);

const get = (path: string, { token }: { token: string }) =>
  app.request(`${env.urls.appUrl}${path}`, { headers: { cookie: `token=${token}`, host, origin } });

test('the buyer downloads the credit note of a refund from the receipt and from the list', async () => {
  const [buyer, other] = [await make.person(), await make.person()];
  const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie', priceMinor: 1000 });
  await buy(showItem(series, { userId: buyer.id }));
  await settle();
  const [sale] = await runtime.db.select().from(sales).where(eq(sales.userId, buyer.id));
  await payments.refund(sale!.paymentId, { amount: { minor: 400, currency: 'eur' }, reference: {} }, 'part');
  await settle();
  const receipt = `/account/billing/receipts/${sale!.id}`;

  const pages = [await get('/account/billing/receipts', buyer), await get(`/es${receipt}`, buyer)];
  const [list, spanish] = await Promise.all(pages.map((page) => page.text()));

  const pdf = new RegExp(`href="(${receipt}/credit-notes/\\d+/pdf)"[^>]*>Download credit note R-000001`).exec(
    list!,
  )?.[1];
  expect(spanish).toContain('Descargar factura rectificativa R-000001');
  const file = await get(pdf!, buyer);
  expect(file.headers.get('content-type')).toBe('application/pdf');
  expect(file.headers.get('content-disposition')).toContain('R-000001.pdf');
  expect((await get(pdf!, other)).status).toBe(404);
  expect((await get(`${receipt}/credit-notes/999/pdf`, buyer)).status).toBe(404);
});

test.each([
  ['', 'Your bank took this payment back', 'href="/contact"'],
  ['/es', 'Tu banco recuperó este pago', 'href="/es/contact"'],
])(
  'the receipt of a disputed payment says what happened, and what its buyer can do (%s)',
  async (prefix, what, where) => {
    const buyer = await make.person();
    const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie', priceMinor: 1000 });
    await buy(showItem(series, { userId: buyer.id }), '4000000000000259');
    await settle();
    const [sale] = await runtime.db.select().from(sales).where(eq(sales.userId, buyer.id));

    const page = await (await get(`${prefix}/account/billing/receipts/${sale!.id}`, buyer)).text();
    const notice = /<p class="notice">(.*?)<\/p>/.exec(page)?.[1];

    expect(notice).toContain(what);
    expect(notice).toContain(where);
  },
);

import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { checkouts } from '~/db/schema/checkouts';
import { creators } from '~/db/schema/creators';
import { pagesApp } from '../support/pages-app';
import { fieldsOf } from '../support/plain-form';
import { shop } from '../support/shop';

const { runtime, env, make, lucia, pass } = await shop();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const APP = env.urls.appUrl;
await db.update(creators).set({ timeZone: 'Europe/Madrid' }).where(eq(creators.id, lucia.creatorId));
const show = await make.product(lucia, { priceMinor: 500, currency: 'eur' });
const terms = { discountType: 'percentage', discount: '20', productId: show.id, lastDay: '2026-03-05' } as const;
await lucia.api.coupons.create({ ...terms, couponCode: 'MARZO' });
const ENDS = new Date('2026-03-05T23:00:00Z');
const PAGE = `/en/register/payment?product=${show.id}&interval=month&coupon=MARZO`;
const GUEST = { email: 'oyente@mail.example', terms: 'on', adult: 'on' };

async function send(path: string, form?: URLSearchParams) {
  const headers = { origin: APP, host: new URL(APP).host, 'content-type': 'application/x-www-form-urlencoded' };
  const response = await app.request(`${APP}${path}`, { headers, method: form ? 'POST' : 'GET', body: form });
  return { status: response.status, location: response.headers.get('location') ?? '', html: await response.text() };
}

test('a coupon that ends while its page is open is refused, with the price without it, which can be paid', async () => {
  await pass(new Date(ENDS.getTime() - 60_000));
  const opened = await send(PAGE);
  const fields = fieldsOf(opened.html, 'Continue to payment');
  for (const [name, value] of Object.entries(GUEST)) fields.set(name, value);
  expect(opened.html).toContain('€4.00');

  await pass(ENDS);
  const refused = await send(PAGE, fields);

  expect(refused.status).toBe(400);
  expect(refused.html).toContain('The provided coupon is invalid or used up.');
  expect(refused.html).toContain('Remove the code to pay the price below.');
  expect(refused.html).toContain('€5.00');
  expect(refused.html).not.toContain('€4.00');
  expect(refused.html).toContain(GUEST.email);
  expect(await db.$count(checkouts, eq(checkouts.productId, show.id))).toBe(0);
  const again = fieldsOf(refused.html, 'Continue to payment');
  expect(again.get('coupon')).toBe('MARZO');
  for (const [name, value] of Object.entries({ ...GUEST, coupon: '' })) again.set(name, value);
  const paying = await send(PAGE, again);
  expect([paying.status, paying.location]).toEqual([303, expect.stringContaining('/pay/')]);
  const [checkout] = await db
    .select()
    .from(checkouts)
    .where(eq(checkouts.productId, show.id))
    .orderBy(checkouts.createdAt);
  expect(checkout?.terms).toMatchObject({ priceMinor: 500 });
});

test('a page that is opened after the coupon’s last day shows the price without it, and why', async () => {
  const { status, html } = await send(PAGE);
  const spanish = await send(PAGE.replace('/en/', '/es/'));

  expect(status).toBe(200);
  expect(html).toContain('The provided coupon is invalid or used up.');
  expect(html).toMatch(/<details[^>]*open=""/);
  expect(html).toContain('€5.00');
  expect(html).not.toContain('€4.00');
  expect(spanish.html).toContain('Quita el código para pagar el precio de abajo.');
});

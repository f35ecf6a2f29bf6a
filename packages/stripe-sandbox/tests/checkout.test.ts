import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { payByForms } from '../testing/pay-by-forms';
import { testSandbox } from './support/sandbox';

const { stripe, fetch, sandbox, clock } = await testSandbox();
const email = 'oyente@example.com';

async function createCode(percent: number, code: string) {
  const coupon = await stripe.coupons.create({ percent_off: percent, duration: 'once' });
  await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code });
  return code;
}

function openCheckout(over: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  return stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://a.example',
    allow_promotion_codes: true,
    line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 1000, product_data: { name: 'x' } } }],
    ...over,
  });
}

test('a code entered after a declined card reduces what the next card pays', async () => {
  const code = await createCode(25, 'QUARTER');
  const { id, url } = await openCheckout();

  await payByForms(fetch, url!, { number: '4000000000000002', email });
  await payByForms(fetch, url!, { number: '4242424242424242', email, code });

  const session = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] });
  expect(session).toMatchObject({ payment_status: 'paid', amount_total: 750 });
  expect(session.payment_intent).toMatchObject({ status: 'succeeded', amount: 750, amount_received: 750 });
});

test('a code for 100 % requires no card', async () => {
  const code = await createCode(100, 'GIFT');
  const { id, url } = await openCheckout();

  const page = await fetch(url!, { method: 'POST', body: new URLSearchParams({ step: 'code', code }) });
  await payByForms(fetch, url!, { number: '', email, code });

  expect(await page.text()).not.toContain('name="number"');
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({
    status: 'complete',
    payment_status: 'no_payment_required',
    amount_total: 0,
    payment_intent: null,
  });
});

test('a used-up, inactive or unknown code is rejected', async () => {
  const coupon = (await stripe.coupons.create({ percent_off: 10, duration: 'once' })).id;
  const promotion = { type: 'coupon' as const, coupon };
  await stripe.promotionCodes.create({ promotion, code: 'RARE', max_redemptions: 1 });
  const off = await stripe.promotionCodes.create({ promotion, code: 'OFF' });
  await stripe.promotionCodes.update(off.id, { active: false });
  const submitCode = async (code: string) => {
    const { url } = await openCheckout();
    const form = { step: 'pay', number: '4242424242424242', email, month: '12', year: '2040', code };
    return (await fetch(url!, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })).status;
  };

  const responses = [
    await submitCode('RARE'),
    await submitCode('RARE'),
    await submitCode('OFF'),
    await submitCode('NOTHING'),
  ];

  expect(responses).toEqual([303, 402, 402, 402]);
});

test('an unused page expires on time and says so', async () => {
  await sandbox.capture();
  const { id, url } = await openCheckout({ expires_at: Math.floor(clock.now.getTime() / 1000) + 3600 });

  clock.now = new Date(clock.now.getTime() + 3_601_000);
  await sandbox.tick();

  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'expired', url: null });
  expect((await fetch(url!)).status).toBe(410);
  expect((await stripe.events.list({ limit: 1 })).data).toMatchObject([{ type: 'checkout.session.expired' }]);
});

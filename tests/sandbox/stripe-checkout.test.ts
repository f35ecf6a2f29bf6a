import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { payByForms } from '../support/stripe-pages';
import { testStripe } from '../support/stripe-sandbox';

const { stripe, fetch } = await testStripe();
const email = 'oyente@example.com';

async function codeFor(percent: number, code: string) {
  const coupon = await stripe.coupons.create({ percent_off: percent, duration: 'once' });
  await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code });
  return code;
}

function opened(over: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  return stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://a.example',
    allow_promotion_codes: true,
    line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 1000, product_data: { name: 'x' } } }],
    ...over,
  });
}

test('a code that is typed after a refused card lowers what the next card pays', async () => {
  const code = await codeFor(25, 'QUARTER');
  const { id, url } = await opened();

  await payByForms(fetch, url!, { number: '4000000000000002', email });
  await payByForms(fetch, url!, { number: '4242424242424242', email, code });

  const session = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] });
  expect(session).toMatchObject({ payment_status: 'paid', amount_total: 750 });
  expect(session.payment_intent).toMatchObject({ status: 'succeeded', amount: 750, amount_received: 750 });
});

test('a code that leaves nothing to pay asks for no card', async () => {
  const code = await codeFor(100, 'GIFT');
  const { id, url } = await opened();

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

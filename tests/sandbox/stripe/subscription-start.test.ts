import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { testStripe } from '../../support/stripe-sandbox';

const { stripe } = await testStripe();
const seconds = (day: string) => Date.parse(`${day}T10:00:00Z`) / 1000;
const { id: product } = await stripe.products.create({ name: 'Ruido' });
const recurring = { interval: 'month' as const };
const { id: price } = await stripe.prices.create({ product, currency: 'eur', unit_amount: 1000, recurring });

/** A customer on a clock at a day. */
async function subscribeOn(day: string, terms: Partial<Stripe.SubscriptionCreateParams>) {
  const { id: clock } = await stripe.testHelpers.testClocks.create({ frozen_time: seconds(day) });
  const { id: customer } = await stripe.customers.create({ test_clock: clock });
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { id } = await stripe.subscriptions.create({
    customer,
    default_payment_method: card,
    items: [{ price }],
    ...terms,
  });
  const advance = (to: string) => stripe.testHelpers.testClocks.advance(clock, { frozen_time: seconds(to) });
  const totals = async () => (await stripe.invoices.list({ customer })).data.map(({ total }) => total).reverse();
  const read = () => stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  return { id, advance, totals, read };
}

test('an anchor prorates the time until it and renews on its day', async () => {
  const { advance, totals, read } = await subscribeOn('2026-04-16', { billing_cycle_anchor: seconds('2026-05-01') });
  const [item] = (await read()).items.data;

  await advance('2026-05-02');

  expect([item!.current_period_start, item!.current_period_end]).toEqual([
    seconds('2026-04-16'),
    seconds('2026-05-01'),
  ]);
  expect(await totals()).toEqual([500, 1000]);
  expect((await read()).items.data[0]!.current_period_end).toBe(seconds('2026-06-01'));
});

test('without proration, the time until the anchor is free and has no invoice', async () => {
  const terms = { billing_cycle_anchor: seconds('2026-05-01'), proration_behavior: 'none' as const };
  const { advance, totals, read } = await subscribeOn('2026-04-16', terms);

  expect(await read()).toMatchObject({ status: 'active', latest_invoice: null });
  await advance('2026-05-02');

  expect(await totals()).toEqual([1000]);
});

test('a start in the past bills the time since then: whole months, and a part of the last', async () => {
  const { totals, read } = await subscribeOn('2026-06-16', { backdate_start_date: seconds('2026-03-01') });
  const { start_date, latest_invoice, items } = await read();
  const { lines } = latest_invoice as Stripe.Invoice;

  expect(start_date).toBe(seconds('2026-03-01'));
  expect(lines.data.map(({ amount }) => amount)).toEqual([3500, 1000]);
  expect(await totals()).toEqual([4500]);
  expect(items.data[0]!.current_period_end).toBe(seconds('2026-07-16'));
});

test.each([
  ['an anchor in the past', { billing_cycle_anchor: seconds('2026-04-01') }, 'billing_cycle_anchor'],
  ['an anchor after the first period', { billing_cycle_anchor: seconds('2026-06-01') }, 'billing_cycle_anchor'],
  ['a backdated start in the future', { backdate_start_date: seconds('2026-05-01') }, 'backdate_start_date'],
  [
    'an anchor and a trial',
    { billing_cycle_anchor: seconds('2026-05-01'), trial_period_days: 3 },
    'billing_cycle_anchor',
  ],
])('%s is rejected by name', async (_, terms, param) => {
  await expect(subscribeOn('2026-04-16', terms)).rejects.toMatchObject({ statusCode: 400, param });
});

import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { testSandbox } from './support/sandbox';

const { stripe } = await testSandbox();
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

const days = (...lines: Stripe.InvoiceLineItem[]) =>
  lines.map(({ amount, period: { start, end } }) => [amount, ...[start, end].map((at) => dayOf(at))]);
const dayOf = (at: number) => new Date(at * 1000).toISOString().slice(0, 10);

test.each([
  [
    'a part of a month and whole ones',
    '2026-06-16',
    { backdate_start_date: seconds('2026-04-01') },
    [
      [484, '2026-04-01', '2026-04-16'],
      [1000, '2026-04-16', '2026-05-16'],
      [1000, '2026-05-16', '2026-06-16'],
      [1000, '2026-06-16', '2026-07-16'],
    ],
  ],
  [
    'the months up to an anchor',
    '2026-10-15',
    { backdate_start_date: seconds('2026-08-15'), billing_cycle_anchor: seconds('2026-11-01') },
    [
      [548, '2026-08-15', '2026-09-01'],
      [1000, '2026-09-01', '2026-10-01'],
      [1000, '2026-10-01', '2026-11-01'],
    ],
  ],
  [
    'only the present month without proration',
    '2026-06-16',
    { backdate_start_date: seconds('2026-04-01'), proration_behavior: 'none' as const },
    [[1000, '2026-06-16', '2026-07-16']],
  ],
])('a start in the past bills %s, one line for each period', async (_, today, terms, expected) => {
  const { read } = await subscribeOn(today, terms);
  const { start_date, latest_invoice, items } = await read();
  const [item] = items.data;
  const [, start, end] = expected.at(-1)!;

  expect(days(...(latest_invoice as Stripe.Invoice).lines.data)).toEqual(expected);
  expect(start_date).toBe(terms.backdate_start_date);
  expect([item!.current_period_start, item!.current_period_end].map(dayOf)).toEqual([start, end]);
});

test.each([
  [2, [900, 900, 1000], 0],
  [3, [900, 900, 900], 1],
])('a discount of %i months counts them from the backdated start', async (duration_in_months, amounts, left) => {
  const { id: coupon } = await stripe.coupons.create({ percent_off: 10, duration: 'repeating', duration_in_months });
  const terms = { backdate_start_date: seconds('2026-01-01'), discounts: [{ coupon }] };
  const { read } = await subscribeOn('2026-03-01', terms);
  const { latest_invoice, discounts } = await read();
  const { lines } = latest_invoice as Stripe.Invoice;

  const paid = lines.data.map(({ amount, discount_amounts: taken }) => amount - (taken?.[0]?.amount ?? 0));

  expect(paid).toEqual(amounts);
  expect(discounts).toHaveLength(left);
});

test('a change before the anchor charges a part of a whole month', async () => {
  const { id, advance, read } = await subscribeOn('2026-04-16', { billing_cycle_anchor: seconds('2026-05-01') });
  await advance('2026-04-23');
  const [item] = (await read()).items.data;
  const { id: dearer } = await stripe.prices.create({ product, currency: 'eur', unit_amount: 2000, recurring });
  const change = (to: string) =>
    stripe.subscriptions.update(id, { items: [{ id: item!.id, price: to }], proration_behavior: 'always_invoice' });

  await change(dearer);
  const up = days(...((await read()).latest_invoice as Stripe.Invoice).lines.data);
  await change(price);
  const down = days(...((await read()).latest_invoice as Stripe.Invoice).lines.data);

  expect([...up, ...down].map(([amount]) => amount)).toEqual([-267, 533, -533, 267]);
});

test.each([
  ['an anchor in the past', { billing_cycle_anchor: seconds('2026-04-01') }, 'billing_cycle_anchor'],
  ['an anchor after the first period', { billing_cycle_anchor: seconds('2026-06-01') }, 'billing_cycle_anchor'],
  ['a backdated start in the future', { backdate_start_date: seconds('2026-05-01') }, 'backdate_start_date'],
  ['a start more than 250 months ago', { backdate_start_date: seconds('2005-03-16') }, 'backdate_start_date'],
  [
    'an anchor and a trial',
    { billing_cycle_anchor: seconds('2026-05-01'), trial_period_days: 3 },
    'billing_cycle_anchor',
  ],
])('%s is rejected by name', async (_, terms, param) => {
  await expect(subscribeOn('2026-04-16', terms)).rejects.toMatchObject({ statusCode: 400, param });
});

test.each([
  ['before the period', '2026-04-15'],
  ['after it', '2026-05-17'],
])('a proration date %s is rejected by name', async (_, date) => {
  const { id } = await subscribeOn('2026-04-16', {});

  const attempt = stripe.subscriptions.update(id, { proration_date: seconds(date) });

  await expect(attempt).rejects.toMatchObject({ statusCode: 400, param: 'proration_date' });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  actionsOf,
  type Change,
  expectedOutcome,
  MONTHS_OBSERVED,
  monthsAfter,
  type Outcome,
  type Scenario,
  scenarios,
} from '../../support/generated-subscriptions';
import { testStripe } from '../../support/stripe-sandbox';

/** Half a minute on one core; a failure prints its seed and the smallest life that fails. */
const RUNS = Number(process.env.LIVES ?? 150);
const { stripe } = await testStripe();

const priceOf = async ({ price, every }: { price: number; every: 'month' | 'year' }) => ({
  currency: 'eur',
  unit_amount: price,
  recurring: { interval: every },
  product: (await stripe.products.create({ name: 'Ruido' })).id,
});

async function couponOf({ coupon }: Scenario) {
  if (!coupon) return [];
  const { off, length } = coupon;
  const { id } = await stripe.coupons.create({
    ...('percent' in off ? { percent_off: off.percent / 100 } : { amount_off: off.amount, currency: 'eur' }),
    ...(typeof length === 'string'
      ? { duration: length }
      : { duration: 'repeating', duration_in_months: length.months }),
  });
  return [{ coupon: id }];
}

/** Lives a life on a test clock. @returns what it came to */
async function lived(life: Scenario): Promise<Outcome> {
  const { id: clock } = await stripe.testHelpers.testClocks.create({ frozen_time: life.begin });
  const { id: customer } = await stripe.customers.create({ test_clock: clock });
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { id } = await stripe.subscriptions.create({
    customer,
    default_payment_method: card,
    items: [{ price_data: await priceOf(life) }],
    discounts: await couponOf(life),
    ...(life.trialDays > 0 && { trial_period_days: life.trialDays }),
  });
  const until = monthsAfter(life.begin, MONTHS_OBSERVED);
  let now = life.begin;
  const arrive = async (at: number) => {
    if (at > now) await stripe.testHelpers.testClocks.advance(clock, { frozen_time: at });
    now = at;
  };
  for (const { at, change } of actionsOf(life)) {
    if (at > until) break;
    await arrive(at);
    if ((await stripe.subscriptions.retrieve(id)).status === 'canceled') break;
    if (change) await changed(id, change);
    else await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  }
  await arrive(until);
  return outcomeIn(customer, id);
}

async function changed(id: string, { price, every, way }: Change) {
  const { items } = await stripe.subscriptions.retrieve(id);
  const item = { id: items.data[0]!.id, price_data: await priceOf({ price, every }) };
  return stripe.subscriptions.update(id, { items: [item], proration_behavior: way });
}

async function outcomeIn(customer: string, subscription: string): Promise<Outcome> {
  const invoices = await stripe.invoices.list({ customer, limit: 100 });
  const { ended_at } = await stripe.subscriptions.retrieve(subscription);
  const found = await stripe.customers.retrieve(customer);
  return {
    bills: invoices.data
      .reverse()
      .map(({ created, total, amount_paid }) => ({ at: created, total, paid: amount_paid })),
    balance: found.deleted ? 0 : found.balance,
    ended: ended_at,
  };
}

test('whatever becomes of a subscription costs what the rules say, to the cent', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (life) => {
      const found = await lived(life);

      expect(found).toEqual(expectedOutcome(life));
    }),
    { numRuns: RUNS, interruptAfterTimeLimit: 240_000 },
  );
});

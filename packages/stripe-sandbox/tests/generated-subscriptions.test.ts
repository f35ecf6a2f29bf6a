import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deepSeed, deepTimes, isDeep } from './support/deep';
import { testSandbox } from './support/sandbox';
import {
  actionsOf,
  type Change,
  expectedOutcome,
  MONTHS_OBSERVED,
  monthsAfter,
  type Outcome,
  type Scenario,
  scenarios,
} from './support/scenarios';

/** A failure prints its seed and the smallest failing scenario. */
const RUNS = isDeep
  ? { numRuns: 400 * deepTimes, seed: deepSeed(), interruptAfterTimeLimit: 1_500_000 }
  : { numRuns: 5, seed: deepSeed() };
const { stripe } = await testSandbox();

const newPrice = async ({ price, every }: { price: number; every: 'month' | 'year' }) => ({
  currency: 'eur',
  unit_amount: price,
  recurring: { interval: every },
  product: (await stripe.products.create({ name: 'Ruido' })).id,
});

async function newCoupon({ coupon }: Scenario) {
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

/** Runs a scenario on a test clock. @returns its invoices, balance and end */
async function run(scenario: Scenario): Promise<Outcome> {
  const { id: clock } = await stripe.testHelpers.testClocks.create({ frozen_time: scenario.start });
  const { id: customer } = await stripe.customers.create({ test_clock: clock });
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const { id } = await stripe.subscriptions.create({
    customer,
    default_payment_method: card,
    items: [{ price_data: await newPrice(scenario) }],
    discounts: await newCoupon(scenario),
    ...(scenario.trialDays > 0 && { trial_period_days: scenario.trialDays }),
  });
  const until = monthsAfter(scenario.start, MONTHS_OBSERVED);
  let now = scenario.start;
  const advanceTo = async (at: number) => {
    if (at > now) await stripe.testHelpers.testClocks.advance(clock, { frozen_time: at });
    now = at;
  };
  for (const { at, change } of actionsOf(scenario)) {
    if (at > until) break;
    await advanceTo(at);
    if ((await stripe.subscriptions.retrieve(id)).status === 'canceled') break;
    if (change) await applyChange(id, change);
    else await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  }
  await advanceTo(until);
  return readOutcome(customer, id);
}

async function applyChange(id: string, { price, every, mode }: Change) {
  const { items } = await stripe.subscriptions.retrieve(id);
  const item = { id: items.data[0]!.id, price_data: await newPrice({ price, every }) };
  return stripe.subscriptions.update(id, { items: [item], proration_behavior: mode });
}

async function readOutcome(customer: string, subscription: string): Promise<Outcome> {
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

test('every generated subscription costs what the rules say, to the cent', {
  timeout: isDeep ? 1_800_000 : 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      const found = await run(scenario);

      expect(found).toEqual(expectedOutcome(scenario));
    }),
    RUNS,
  );
});

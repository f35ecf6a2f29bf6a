import { expect } from 'vitest';
import {
  advanceClock,
  at,
  collectChecks,
  customerWithCard,
  eur,
  invoicesOf,
  key,
  newSubscriber,
} from './remote-stripe';

const terms = { name: 'Ruido', price: eur(499), every: 'month' as const, reference: {} };

export const subscriptionChecks = collectChecks();
const { check } = subscriptionChecks;

check(
  'a subscription with a saved card is active and paid at once ("Create a subscription": error_if_incomplete)',
  async (remote) => {
    const { customer, subscription } = await newSubscriber(remote);

    expect(subscription).toMatchObject({
      status: 'active',
      price: eur(499),
      reference: { product: '9' },
      paused: false,
      endsAt: null,
    });
    expect(await invoicesOf(remote, customer)).toEqual([
      expect.objectContaining({ status: 'paid', reason: 'start', total: eur(499), paid: eur(499) }),
    ]);
  },
);

check('the same key creates one subscription ("Idempotent requests")', async (remote) => {
  const { customer, card } = await customerWithCard(remote);
  const once = key();

  const [first, second] = [
    await remote.payments.subscribe({ customer, card, ...terms }, once),
    await remote.payments.subscribe({ customer, card, ...terms }, once),
  ];

  expect(second.id).toBe(first.id);
  expect(await invoicesOf(remote, customer)).toHaveLength(1);
});

check(
  'a declined card starts no subscription and returns the reason ("Create a subscription": error_if_incomplete)',
  async (remote) => {
    const { customer, card } = await customerWithCard(remote, { card: 'pm_card_chargeCustomerFail' });

    const attempt = remote.payments.subscribe({ customer, card, ...terms }, key());

    await expect(attempt).rejects.toMatchObject({ code: 'payments.card_declined', params: { reason: 'declined' } });
    const { data } = await remote.stripe.subscriptions.list({ customer, status: 'all' });
    expect(data.filter(({ status }) => status === 'active')).toEqual([]);
  },
);

check(
  'a card that requires authentication returns that error ("Error codes": subscription_payment_intent_requires_action)',
  async (remote) => {
    const { customer, card } = await customerWithCard(remote, { card: 'pm_card_authenticationRequired' });

    const attempt = remote.payments.subscribe({ customer, card, ...terms }, key());

    await expect(attempt).rejects.toMatchObject({ code: 'payments.authentication_required' });
  },
);

check(`another customer's card cannot start a subscription ("Error codes": resource_missing)`, async (remote) => {
  const [{ customer }, { card }] = [await customerWithCard(remote), await customerWithCard(remote)];

  const attempt = remote.payments.subscribe({ customer, card, ...terms }, key());

  await expect(attempt).rejects.toThrow(/payments\.(?:not_found|rejected)/);
});

check('a trial costs nothing and ends after the given days ("Configure free trials")', async (remote) => {
  const { customer, subscription, start } = await newSubscriber(remote, { trialDays: 14 });

  expect(subscription.status).toBe('trialing');
  expect(subscription.trialEnd).toEqual(new Date(start.getTime() + 14 * 86_400_000));
  expect((await invoicesOf(remote, customer)).map(({ total }) => total)).toEqual([eur(0)]);
});

check('the first period is paid after the trial ("Configure free trials")', async (remote) => {
  const { clock, customer, subscription } = await newSubscriber(remote, { trialDays: 14 });

  await advanceClock(remote, clock, '2026-02-15T10:00:00Z');

  expect(await remote.payments.fetch.subscription(subscription.id)).toMatchObject({ status: 'active' });
  expect((await invoicesOf(remote, customer)).map(({ total }) => total)).toEqual([eur(0), eur(499)]);
});

check('an unknown subscription is not found ("Error codes": resource_missing)', async ({ payments }) => {
  await expect(payments.fetch.subscription('sub_nothing')).rejects.toMatchObject({ code: 'payments.not_found' });
});

for (const [from, every, ends] of [
  ['2026-01-31T10:00:00Z', 'month', '2026-02-28T10:00:00Z'],
  ['2028-01-31T10:00:00Z', 'month', '2028-02-29T10:00:00Z'],
  ['2026-03-31T10:00:00Z', 'month', '2026-04-30T10:00:00Z'],
  ['2026-05-15T10:00:00Z', 'month', '2026-06-15T10:00:00Z'],
  ['2026-12-31T23:59:59Z', 'month', '2027-01-31T23:59:59Z'],
  ['2028-02-29T10:00:00Z', 'year', '2029-02-28T10:00:00Z'],
  ['2026-07-01T00:00:00Z', 'year', '2027-07-01T00:00:00Z'],
] as const)
  check(
    `a ${every} from ${from.slice(0, 10)} ends on ${ends.slice(0, 10)} ("Set the subscription billing renewal date")`,
    async (remote) => {
      const { subscription } = await newSubscriber(remote, { from, every });

      expect(subscription.periodStart).toEqual(at(from));
      expect(subscription.periodEnd).toEqual(at(ends));
    },
  );

check(
  'billing returns to the 31st after a short month ("Set the subscription billing renewal date")',
  async (remote) => {
    const { clock, subscription } = await newSubscriber(remote);

    await advanceClock(remote, clock, '2026-03-01T10:00:00Z');

    expect((await remote.payments.fetch.subscription(subscription.id)).periodEnd).toEqual(at('2026-03-31T10:00:00Z'));
  },
);

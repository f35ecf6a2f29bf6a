import { expect } from 'vitest';
import {
  advanceClock,
  at,
  collectChecks,
  eur,
  invoicesOf,
  key,
  newSubscriber,
  type RemoteStripe,
} from './remote-stripe';

const toYear = { price: eur(4990), every: 'year' as const };

/** A subscriber for 30 € a month from the beginning of April, and the moment in that month to which time has passed. */
async function inApril(far: RemoteStripe, day: string) {
  const who = await newSubscriber(far, { from: '2026-04-01T00:00:00Z', price: eur(3000) });
  const when = at(`2026-04-${day}T00:00:00Z`);
  await advanceClock(far, who.clock, when);
  return { ...who, when };
}

export const changeChecks = collectChecks();
const { check } = changeChecks;

check('a preview of month to year credits the unused part, to the cent ("Prorations")', async (far) => {
  const { subscription, when } = await inApril(far, '11');

  const preview = await far.payments.preview(subscription.id, { price: eur(30_000), every: 'year', at: when });

  expect(preview.due).toEqual(eur(28_000));
  expect(preview.lines.map(({ amount }) => amount.minor).sort((a, b) => a - b)).toEqual([-2000, 30_000]);
});

check('a preview changes nothing ("Create a preview invoice")', async (far) => {
  const { subscription, begin, customer } = await newSubscriber(far);

  await far.payments.preview(subscription.id, { ...toYear, at: begin });

  expect(await far.payments.fetch.subscription(subscription.id)).toEqual(subscription);
  expect(await invoicesOf(far, customer)).toHaveLength(1);
});

check('what was previewed is what is charged ("Prorations")', async (far) => {
  const { clock, subscription, customer } = await newSubscriber(far);
  const when = at('2026-02-10T10:00:00Z');
  await advanceClock(far, clock, when);

  const { due } = await far.payments.preview(subscription.id, { ...toYear, at: when });
  const changed = await far.payments.changeSubscription(subscription.id, { ...toYear, at: when }, key());

  expect(changed).toMatchObject({ status: 'active', price: eur(4990), every: 'year' });
  expect((await invoicesOf(far, customer)).at(-1)).toMatchObject({ status: 'paid', reason: 'change', paid: due });
});

check('a year begins on the day of the change ("Prorations")', async (far) => {
  const { clock, subscription } = await newSubscriber(far);
  const when = at('2026-02-10T10:00:00Z');
  await advanceClock(far, clock, when);

  const changed = await far.payments.changeSubscription(subscription.id, { ...toYear, at: when }, key());

  expect(changed.periodStart).toEqual(when);
  expect(changed.periodEnd).toEqual(at('2027-02-10T10:00:00Z'));
});

check(
  'a dearer price in the same interval is charged for the rest, and the period stays ("Prorations")',
  async (far) => {
    const { subscription, customer, when } = await inApril(far, '16');

    const changed = await far.payments.changeSubscription(
      subscription.id,
      { price: eur(6000), every: 'month', at: when },
      key(),
    );

    expect(changed.periodEnd).toEqual(subscription.periodEnd);
    expect((await invoicesOf(far, customer)).at(-1)).toMatchObject({ paid: eur(1500) });
  },
);

check('a cheaper price becomes credit, which the next invoice uses ("Customer credit balance")', async (far) => {
  const { clock, subscription, customer, when } = await inApril(far, '16');
  const change = { price: eur(1000), every: 'month' as const, at: when };

  const preview = await far.payments.preview(subscription.id, change);
  await far.payments.changeSubscription(subscription.id, change, key());
  const { credit } = await far.payments.fetch.customer(customer);
  await advanceClock(far, clock, '2026-05-02T00:00:00Z');

  expect(preview).toMatchObject({ due: eur(0), credit: eur(1000) });
  expect(credit).toEqual(eur(1000));
  expect((await invoicesOf(far, customer)).at(-1)).toMatchObject({ total: eur(1000), due: eur(0), status: 'paid' });
});

check(
  'a change within a trial costs nothing, and is due when the trial ends ("Configure free trials")',
  async (far) => {
    const { subscription, begin } = await newSubscriber(far, { trialDays: 14 });
    const change = { price: eur(799), every: 'month' as const, at: begin };

    const preview = await far.payments.preview(subscription.id, change);
    const changed = await far.payments.changeSubscription(subscription.id, change, key());

    expect(preview).toMatchObject({ due: eur(799), at: subscription.trialEnd });
    expect(changed).toMatchObject({ status: 'trialing', price: eur(799), trialEnd: subscription.trialEnd });
  },
);

check(
  'a change that the card refuses leaves all as it was ("Update a subscription": error_if_incomplete)',
  async (far) => {
    const { subscription, customer, begin } = await newSubscriber(far);
    const bad = await far.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    const before = await far.payments.setSubscriptionCard(subscription.id, bad.id, key());

    const attempt = far.payments.changeSubscription(subscription.id, { ...toYear, at: begin }, key());

    await expect(attempt).rejects.toMatchObject({ code: 'payments.card_declined' });
    expect(await far.payments.fetch.subscription(subscription.id)).toMatchObject({
      price: before.price,
      every: 'month',
      periodEnd: before.periodEnd,
    });
  },
);

check('a change with the same key is made once ("Idempotent requests")', async (far) => {
  const { subscription, customer, begin } = await newSubscriber(far);
  const once = key();

  await far.payments.changeSubscription(subscription.id, { ...toYear, at: begin }, once);
  const paid = (await invoicesOf(far, customer)).length;
  const again = far.payments.changeSubscription(subscription.id, { ...toYear, at: begin }, once);

  await expect(again).resolves.toMatchObject({ every: 'year' });
  expect(await invoicesOf(far, customer)).toHaveLength(paid);
});

check('a subscription that is over can’t be changed ("Cancel subscriptions")', async (far) => {
  const { subscription, begin } = await newSubscriber(far);
  await far.payments.cancel(subscription.id, 'now', key());

  const attempt = far.payments.changeSubscription(
    subscription.id,
    { price: eur(999), every: 'month', at: begin },
    key(),
  );

  await expect(attempt).rejects.toMatchObject({ code: 'payments.conflict' });
});

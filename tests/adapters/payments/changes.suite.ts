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

/** A subscriber for 30 € a month since 1 April, with the clock advanced to a day in April. */
async function subscriberInApril(remote: RemoteStripe, day: string) {
  const subscriber = await newSubscriber(remote, { from: '2026-04-01T00:00:00Z', price: eur(3000) });
  const when = at(`2026-04-${day}T00:00:00Z`);
  await advanceClock(remote, subscriber.clock, when);
  return { ...subscriber, when };
}

export const changeChecks = collectChecks();
const { check } = changeChecks;

check('a preview of a change to yearly credits the unused part to the cent ("Prorations")', async (remote) => {
  const { subscription, when } = await subscriberInApril(remote, '11');

  const preview = await remote.payments.preview(subscription.id, { price: eur(30_000), every: 'year', at: when });

  expect(preview.due).toEqual(eur(28_000));
  expect(preview.lines.map(({ amount }) => amount.minor).sort((a, b) => a - b)).toEqual([-2000, 30_000]);
});

check('a preview does not change the subscription ("Create a preview invoice")', async (remote) => {
  const { subscription, start, customer } = await newSubscriber(remote);

  await remote.payments.preview(subscription.id, { ...toYear, at: start });

  expect(await remote.payments.fetch.subscription(subscription.id)).toEqual(subscription);
  expect(await invoicesOf(remote, customer)).toHaveLength(1);
});

check('the charge equals the preview ("Prorations")', async (remote) => {
  const { clock, subscription, customer } = await newSubscriber(remote);
  const when = at('2026-02-10T10:00:00Z');
  await advanceClock(remote, clock, when);

  const { due } = await remote.payments.preview(subscription.id, { ...toYear, at: when });
  const changed = await remote.payments.changeSubscription(subscription.id, { ...toYear, at: when }, key());

  expect(changed).toMatchObject({ status: 'active', price: eur(4990), every: 'year' });
  expect((await invoicesOf(remote, customer)).at(-1)).toMatchObject({ status: 'paid', reason: 'change', paid: due });
});

check('a change to yearly starts the year on the day of the change ("Prorations")', async (remote) => {
  const { clock, subscription } = await newSubscriber(remote);
  const when = at('2026-02-10T10:00:00Z');
  await advanceClock(remote, clock, when);

  const changed = await remote.payments.changeSubscription(subscription.id, { ...toYear, at: when }, key());

  expect(changed.periodStart).toEqual(when);
  expect(changed.periodEnd).toEqual(at('2027-02-10T10:00:00Z'));
});

check('a higher price in the same interval is charged for the rest of the period ("Prorations")', async (remote) => {
  const { subscription, customer, when } = await subscriberInApril(remote, '16');

  const changed = await remote.payments.changeSubscription(
    subscription.id,
    { price: eur(6000), every: 'month', at: when },
    key(),
  );

  expect(changed.periodEnd).toEqual(subscription.periodEnd);
  expect((await invoicesOf(remote, customer)).at(-1)).toMatchObject({ paid: eur(1500) });
});

check('a change confirmed five days after its preview costs what was previewed ("Prorations")', async (remote) => {
  const { clock, subscription, customer, when } = await subscriberInApril(remote, '11');
  const change = { price: eur(6000), every: 'month' as const, at: when };

  const { due } = await remote.payments.preview(subscription.id, change);
  await advanceClock(remote, clock, '2026-04-16T00:00:00Z');
  const late = await remote.payments.preview(subscription.id, change);
  await remote.payments.changeSubscription(subscription.id, change, key());

  expect([due, late.due]).toEqual([eur(2000), eur(2000)]);
  expect((await invoicesOf(remote, customer)).at(-1)).toMatchObject({ paid: eur(2000) });
});

check('a lower price becomes credit, which the next invoice uses ("Customer credit balance")', async (remote) => {
  const { clock, subscription, customer, when } = await subscriberInApril(remote, '16');
  const change = { price: eur(1000), every: 'month' as const, at: when };

  const preview = await remote.payments.preview(subscription.id, change);
  await remote.payments.changeSubscription(subscription.id, change, key());
  const { credit } = await remote.payments.fetch.customer(customer);
  await advanceClock(remote, clock, '2026-05-02T00:00:00Z');

  expect(preview).toMatchObject({ due: eur(0), credit: eur(1000) });
  expect(credit).toEqual(eur(1000));
  expect((await invoicesOf(remote, customer)).at(-1)).toMatchObject({ total: eur(1000), due: eur(0), status: 'paid' });
});

check('a change during a trial is charged when the trial ends ("Configure free trials")', async (remote) => {
  const { subscription, start } = await newSubscriber(remote, { trialDays: 14 });
  const change = { price: eur(799), every: 'month' as const, at: start };

  const preview = await remote.payments.preview(subscription.id, change);
  const changed = await remote.payments.changeSubscription(subscription.id, change, key());

  expect(preview).toMatchObject({ due: eur(799), at: subscription.trialEnd });
  expect(changed).toMatchObject({ status: 'trialing', price: eur(799), trialEnd: subscription.trialEnd });
});

check(
  'a change whose charge is declined changes nothing ("Update a subscription": error_if_incomplete)',
  async (remote) => {
    const { subscription, customer, start } = await newSubscriber(remote);
    const bad = await remote.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    const before = await remote.payments.setSubscriptionCard(subscription.id, bad.id, key());

    const attempt = remote.payments.changeSubscription(subscription.id, { ...toYear, at: start }, key());

    await expect(attempt).rejects.toMatchObject({ code: 'payments.card_declined' });
    expect(await remote.payments.fetch.subscription(subscription.id)).toMatchObject({
      price: before.price,
      every: 'month',
      periodEnd: before.periodEnd,
    });
  },
);

check('the same key makes one change ("Idempotent requests")', async (remote) => {
  const { subscription, customer, start } = await newSubscriber(remote);
  const once = key();

  await remote.payments.changeSubscription(subscription.id, { ...toYear, at: start }, once);
  const paid = (await invoicesOf(remote, customer)).length;
  const again = remote.payments.changeSubscription(subscription.id, { ...toYear, at: start }, once);

  await expect(again).resolves.toMatchObject({ every: 'year' });
  expect(await invoicesOf(remote, customer)).toHaveLength(paid);
});

check('a canceled subscription cannot be changed ("Cancel subscriptions")', async (remote) => {
  const { subscription, start } = await newSubscriber(remote);
  await remote.payments.cancel(subscription.id, 'now', key());

  const attempt = remote.payments.changeSubscription(
    subscription.id,
    { price: eur(999), every: 'month', at: start },
    key(),
  );

  await expect(attempt).rejects.toMatchObject({ code: 'payments.conflict' });
});

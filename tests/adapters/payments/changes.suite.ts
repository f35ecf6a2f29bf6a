import { expect } from 'vitest';
import type { NewCoupon } from '~/server/adapters/payments/port';
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
export async function subscriberInApril(remote: RemoteStripe, day: string) {
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

check('a change that was paid otherwise charges nothing, and adds to the reference ("Prorations")', async (remote) => {
  const { subscription, customer, when } = await subscriberInApril(remote, '11');

  const change = { price: eur(5000), every: 'month', at: when, isPaid: true, reference: { plan: 'PRO' } } as const;
  const changed = await remote.payments.changeSubscription(subscription.id, change, key());

  const { periodEnd, reference } = subscription;
  expect(changed).toMatchObject({ price: eur(5000), periodEnd, reference: { ...reference, plan: 'PRO' } });
  expect(await invoicesOf(remote, customer)).toHaveLength(1);
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

check('a change confirmed five days after its preview costs the previewed amount ("Prorations")', async (remote) => {
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

const newCoupon = async ({ payments }: RemoteStripe, more: Partial<NewCoupon> = {}) =>
  (await payments.createCoupon({ id: `c-${key()}`, off: { percent: 20 }, length: 'forever', ...more }, key())).id;

check(
  'a coupon reduces the next invoices of a running subscription ("Coupons and promotion codes")',
  async (remote) => {
    const { payments } = remote;
    const { subscription, customer } = await newSubscriber(remote, { price: eur(1000) });
    const coupon = await newCoupon(remote);

    const changed = await payments.setSubscriptionCoupon(subscription.id, coupon, key());

    expect(subscription).toMatchObject({ discounted: false, discount: null });
    expect(changed).toMatchObject({ discounted: true, discount: { coupon, endsAt: null } });
    expect(await payments.preview(subscription.id, null)).toMatchObject({ total: eur(800) });
    expect(await payments.fetch.coupon(coupon)).toMatchObject({ redeemed: 1 });
    expect(await invoicesOf(remote, customer)).toHaveLength(1);
  },
);

check(
  'another coupon replaces the first one, and null removes it ("Update a subscription": discounts)',
  async (remote) => {
    const { payments } = remote;
    const { subscription, start } = await newSubscriber(remote, { price: eur(1000), coupon: await newCoupon(remote) });
    const months = await newCoupon(remote, { off: eur(300), length: { months: 3 } });

    const replaced = await payments.setSubscriptionCoupon(subscription.id, months, key());
    const { total } = await payments.preview(subscription.id, null);
    const removed = await payments.setSubscriptionCoupon(subscription.id, null, key());

    expect(replaced.discount!.coupon).toBe(months);
    expect(replaced.discount!.endsAt!.getTime()).toBeGreaterThan(start.getTime());
    expect(total).toEqual(eur(700));
    expect(removed).toMatchObject({ discounted: false, discount: null });
    expect(await payments.preview(subscription.id, null)).toMatchObject({ total: eur(1000) });
  },
);

check('a coupon that is used up or in another currency is rejected, and the former one stays', async (remote) => {
  const { payments } = remote;
  const coupon = await newCoupon(remote);
  const { subscription } = await newSubscriber(remote, { coupon });
  const usedUp = await newCoupon(remote, { maxRedemptions: 1 });
  await newSubscriber(remote, { coupon: usedUp });
  const inDollars = await newCoupon(remote, { off: { minor: 100, currency: 'usd' } });

  for (const other of [usedUp, inDollars])
    await expect(payments.setSubscriptionCoupon(subscription.id, other, key())).rejects.toMatchObject({
      code: 'payments.coupon_not_redeemable',
    });

  expect(await payments.fetch.subscription(subscription.id)).toMatchObject({ discount: { coupon } });
});

check('a trial that ends now is charged now ("Configure free trials": trial_end)', async (remote) => {
  const { payments } = remote;
  const { subscription, customer } = await newSubscriber(remote, { trialDays: 14 });

  const started = await payments.setTrialEnd(subscription.id, 'now', key());

  expect(started).toMatchObject({ status: 'active' });
  expect((await invoicesOf(remote, customer)).map(({ paid }) => paid)).toEqual([eur(0), eur(499)]);
});

check('a trial that ends later is charged later ("Configure free trials": trial_end)', async (remote) => {
  const { clock, subscription, customer } = await newSubscriber(remote, { trialDays: 14 });
  const end = at('2026-03-01T10:00:00Z');

  const extended = await remote.payments.setTrialEnd(subscription.id, end, key());
  await advanceClock(remote, clock, '2026-02-20T10:00:00Z');
  const before = (await invoicesOf(remote, customer)).filter(({ paid }) => paid.minor > 0);
  await advanceClock(remote, clock, '2026-03-01T12:00:00Z');

  expect(extended).toMatchObject({ status: 'trialing', trialEnd: end, periodEnd: end });
  expect(before).toEqual([]);
  expect((await invoicesOf(remote, customer)).at(-1)).toMatchObject({ paid: eur(499) });
});

check(
  'free time can be given to a paying subscriber, and is not credited ("Configure free trials")',
  async (remote) => {
    const { payments } = remote;
    const { subscription, customer } = await newSubscriber(remote);
    const end = at('2026-03-28T10:00:00Z');

    const free = await payments.setTrialEnd(subscription.id, end, key());
    await payments.cancel(subscription.id, 'now_with_credit', key());

    expect(free).toMatchObject({ status: 'trialing', trialEnd: end, periodEnd: end });
    expect(await payments.fetch.customer(customer)).toMatchObject({ credit: eur(0) });
  },
);

check(
  'a trial that ends now with a declined card continues ("Update a subscription": error_if_incomplete)',
  async (remote) => {
    const { payments } = remote;
    const { subscription, customer } = await newSubscriber(remote, { trialDays: 14 });
    const bad = await remote.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    await payments.setSubscriptionCard(subscription.id, bad.id, key());

    const attempt = payments.setTrialEnd(subscription.id, 'now', key());

    await expect(attempt).rejects.toMatchObject({ code: 'payments.card_declined' });
    expect(await payments.fetch.subscription(subscription.id)).toMatchObject({
      status: 'trialing',
      trialEnd: subscription.trialEnd,
    });
  },
);

check('coupon and trial of an ended subscription cannot be changed ("Cancel subscriptions")', async (remote) => {
  const { payments } = remote;
  const { subscription } = await newSubscriber(remote);
  const coupon = await newCoupon(remote);
  await payments.cancel(subscription.id, 'now', key());

  const changeCoupon = payments.setSubscriptionCoupon(subscription.id, coupon, key());
  await expect(changeCoupon).rejects.toMatchObject({ code: 'payments.conflict' });
  const changeTrial = payments.setTrialEnd(subscription.id, at('2026-05-01T00:00:00Z'), key());
  await expect(changeTrial).rejects.toMatchObject({ code: 'payments.conflict' });
});

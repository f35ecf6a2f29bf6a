import { expect } from 'vitest';
import { subscriberInApril } from './changes.suite';
import { advanceClock, at, collectChecks, eur, invoicesOf, key, newSubscriber } from './remote-stripe';
import { withBadCard } from './renewals.suite';

export const endingChecks = collectChecks();
const { check } = endingChecks;

check(
  'a subscription with a scheduled end stays active and returns the date ("Cancel subscriptions")',
  async (remote) => {
    const { subscription } = await newSubscriber(remote);

    const ending = await remote.payments.cancel(subscription.id, 'at_period_end', key());

    expect(ending).toMatchObject({ status: 'active', endsAt: subscription.periodEnd, endedAt: null });
  },
);

check(
  'a scheduled end takes effect at the end of the period, without another invoice ("Cancel subscriptions")',
  async (remote) => {
    const { clock, customer, subscription } = await newSubscriber(remote);
    await remote.payments.cancel(subscription.id, 'at_period_end', key());

    await advanceClock(remote, clock, '2026-04-15T10:00:00Z');

    expect(await remote.payments.fetch.subscription(subscription.id)).toMatchObject({
      status: 'canceled',
      endedAt: subscription.periodEnd,
    });
    expect(await invoicesOf(remote, customer)).toHaveLength(1);
  },
);

check('undoing a scheduled end keeps the subscription running ("Cancel subscriptions")', async (remote) => {
  const { clock, customer, subscription } = await newSubscriber(remote);
  await remote.payments.cancel(subscription.id, 'at_period_end', key());

  const resumed = await remote.payments.resume(subscription.id, key());
  await advanceClock(remote, clock, '2026-03-01T10:00:00Z');

  expect(resumed).toMatchObject({ status: 'active', endsAt: null });
  expect(await invoicesOf(remote, customer)).toHaveLength(2);
});

check('canceling now ends a subscription at once ("Cancel subscriptions")', async (remote) => {
  const { subscription, start } = await newSubscriber(remote);

  const ended = await remote.payments.cancel(subscription.id, 'now', key());

  expect(ended.status).toBe('canceled');
  expect(Math.abs(ended.endedAt!.getTime() - start.getTime())).toBeLessThan(60_000);
});

check('canceling twice has the same result ("Idempotent requests": DELETE)', async (remote) => {
  const { subscription } = await newSubscriber(remote);

  const ended = await remote.payments.cancel(subscription.id, 'now', key());

  expect(await remote.payments.cancel(subscription.id, 'now', key())).toEqual(ended);
});

check('an unknown subscription cannot be canceled ("Error codes": resource_missing)', async ({ payments }) => {
  for (const when of ['now', 'at_period_end'] as const)
    await expect(payments.cancel('sub_nothing', when, key())).rejects.toMatchObject({ code: 'payments.not_found' });
});

check('a trial with a scheduled end is never charged ("Cancel subscriptions")', async (remote) => {
  const { clock, customer, subscription } = await newSubscriber(remote, { trialDays: 14 });
  await remote.payments.cancel(subscription.id, 'at_period_end', key());

  await advanceClock(remote, clock, '2026-03-15T10:00:00Z');

  expect(await remote.payments.fetch.subscription(subscription.id)).toMatchObject({ status: 'canceled' });
  expect((await invoicesOf(remote, customer)).map(({ paid }) => paid)).toEqual([eur(0)]);
});

check('a paused subscription stays active and returns when it resumes ("Pause payment collection")', async (remote) => {
  const { subscription } = await newSubscriber(remote);

  const paused = await remote.payments.pause(subscription.id, at('2026-04-15T00:00:00Z'), key());

  expect(paused).toMatchObject({ status: 'active', paused: true, resumesAt: at('2026-04-15T00:00:00Z') });
});

check('periods during a pause are not charged, later ones are ("Pause payment collection")', async (remote) => {
  const { clock, customer, subscription } = await newSubscriber(remote);
  await remote.payments.pause(subscription.id, at('2026-04-15T00:00:00Z'), key());

  await advanceClock(remote, clock, '2026-05-02T10:00:00Z');

  expect((await invoicesOf(remote, customer)).map(({ status }) => status)).toEqual(['paid', 'void', 'void', 'paid']);
  expect(await remote.payments.fetch.subscription(subscription.id)).toMatchObject({ paused: false, resumesAt: null });
});

check('an open-ended pause lasts until collection resumes ("Pause payment collection")', async (remote) => {
  const { clock, customer, subscription } = await newSubscriber(remote);
  await remote.payments.pause(subscription.id, null, key());
  await advanceClock(remote, clock, '2026-03-15T10:00:00Z');

  const going = await remote.payments.resumeCollection(subscription.id, key());
  await advanceClock(remote, clock, '2026-04-02T10:00:00Z');

  expect(going).toMatchObject({ paused: false });
  expect((await invoicesOf(remote, customer)).map(({ status }) => status)).toEqual(['paid', 'void', 'paid']);
});

check(
  'canceling now with credit credits the unused part to the customer, not to the card ("Prorations")',
  async (remote) => {
    const { payments } = remote;
    const { subscription, customer } = await subscriberInApril(remote, '16');
    const [invoice] = await invoicesOf(remote, customer);

    const ended = await payments.cancel(subscription.id, 'now_with_credit', key());

    expect(ended).toMatchObject({ status: 'canceled', endReason: 'requested' });
    expect(await payments.fetch.customer(customer)).toMatchObject({ credit: eur(1500) });
    expect(await payments.fetch.payment(invoice!.payment!)).toMatchObject({ refunded: eur(0) });
  },
);

check('canceling now without credit leaves no credit ("Cancel subscriptions")', async (remote) => {
  const { subscription, customer } = await subscriberInApril(remote, '16');

  await remote.payments.cancel(subscription.id, 'now', key());

  expect(await remote.payments.fetch.customer(customer)).toMatchObject({ credit: eur(0) });
});

check('an unpaid period is not credited', async (remote) => {
  const { subscription, customer } = await withBadCard(remote);

  const ended = await remote.payments.cancel(subscription.id, 'now_with_credit', key());

  expect(ended.status).toBe('canceled');
  expect(await remote.payments.fetch.customer(customer)).toMatchObject({ credit: eur(0) });
  expect(
    await remote.payments.previewEnd(
      (await newSubscriber(remote, { trialDays: 7 })).subscription.id,
      at('2026-02-01T00:00:00Z'),
    ),
  ).toEqual({
    unused: eur(0),
    refunds: [],
  });
});

check(
  'the rest of a period can be refunded to the card, to the cent of the proration ("Prorations")',
  async (remote) => {
    const { payments } = remote;
    const { subscription, customer, when } = await subscriberInApril(remote, '16');
    const [invoice] = await invoicesOf(remote, customer);

    const { unused, refunds } = await payments.previewEnd(subscription.id, when);
    await payments.cancel(subscription.id, 'now', key());
    for (const { payment, amount } of refunds)
      await payments.refund(payment, { amount: eur(amount.minor), reference: {} }, key());

    expect(unused).toEqual(eur(1500));
    expect(refunds).toEqual([{ payment: invoice!.payment, amount: eur(1500) }]);
    expect(await payments.fetch.payment(invoice!.payment!)).toMatchObject({ refunded: eur(1500) });
  },
);

check('a preview of the end equals the credit of ending then, with a coupon too ("Prorations")', async (remote) => {
  const { payments } = remote;
  const { id: coupon } = await payments.createCoupon(
    { id: `c-${key()}`, off: { percent: 33.33 }, length: 'forever' },
    key(),
  );
  const { clock, customer, subscription } = await newSubscriber(remote, { coupon, price: eur(1099) });
  await advanceClock(remote, clock, '2026-02-09T15:17:31Z');

  const { unused } = await payments.previewEnd(subscription.id, at('2026-02-09T15:17:31Z'));
  await payments.cancel(subscription.id, 'now_with_credit', key());

  expect(unused.minor).toBeGreaterThan(0);
  expect(await payments.fetch.customer(customer)).toMatchObject({ credit: unused });
});

check('the newest payment is refunded first, and earlier refunds are left out ("Prorations")', async (remote) => {
  const { payments } = remote;
  const { subscription, customer, when } = await subscriberInApril(remote, '16');
  await payments.changeSubscription(subscription.id, { price: eur(6000), every: 'month', at: when }, key());
  const [first, change] = await invoicesOf(remote, customer);
  await payments.refund(change!.payment!, { amount: eur(300), reference: {} }, key());

  const { unused, refunds } = await payments.previewEnd(subscription.id, when);

  expect(unused).toEqual(eur(3000));
  expect(refunds).toEqual([
    { payment: change!.payment, amount: eur(1200) },
    { payment: first!.payment, amount: eur(1800) },
  ]);
});

check('the end of a free period leaves nothing to refund, and one that is over is a conflict', async (remote) => {
  const { payments } = remote;
  const { id: coupon } = await payments.createCoupon(
    { id: `c-${key()}`, off: { percent: 100 }, length: 'once' },
    key(),
  );
  const { subscription, start } = await newSubscriber(remote, { coupon });

  expect(await payments.previewEnd(subscription.id, start)).toEqual({ unused: eur(0), refunds: [] });
  await payments.cancel(subscription.id, 'now', key());
  await expect(payments.previewEnd(subscription.id, start)).rejects.toMatchObject({ code: 'payments.conflict' });
});

for (const when of ['now', 'at_period_end', 'now_with_credit'] as const)
  check(`the reason for leaving is kept when canceling ${when} ("Cancellation details")`, async (remote) => {
    const { payments, stripe } = remote;
    const { subscription } = await newSubscriber(remote);
    const leaving = { reason: 'too_expensive' as const, comment: 'Muy caro para mí' };

    const ending = await payments.cancel(subscription.id, { when, leaving }, key());

    expect(subscription).toMatchObject({ leaving: null, endReason: null });
    expect(ending).toMatchObject({ leaving, endReason: 'requested' });
    expect(await payments.fetch.subscription(subscription.id)).toMatchObject({ leaving });
    expect((await stripe.subscriptions.retrieve(subscription.id)).cancellation_details).toMatchObject({
      feedback: 'too_expensive',
      comment: 'Muy caro para mí',
    });
  });

check('undoing a scheduled end forgets the reason for leaving', async (remote) => {
  const { subscription } = await newSubscriber(remote);
  const leaving = { reason: null, comment: 'Quizá vuelva' };
  const ending = await remote.payments.cancel(subscription.id, { when: 'at_period_end', leaving }, key());

  const resumed = await remote.payments.resume(subscription.id, key());

  expect(ending).toMatchObject({ leaving });
  expect(resumed).toMatchObject({ leaving: null, endReason: null, endsAt: null });
});

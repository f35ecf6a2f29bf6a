import { expect } from 'vitest';
import { advanceClock, at, collectChecks, eur, invoicesOf, key, newSubscriber } from './remote-stripe';

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

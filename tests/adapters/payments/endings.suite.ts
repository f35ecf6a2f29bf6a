import { expect } from 'vitest';
import { advanceClock, at, collectChecks, eur, invoicesOf, key, newSubscriber } from './remote-stripe';

export const endingChecks = collectChecks();
const { check } = endingChecks;

check('a subscription set to end says when, and stays active ("Cancel subscriptions")', async (far) => {
  const { subscription } = await newSubscriber(far);

  const ending = await far.payments.cancel(subscription.id, 'at_period_end', key());

  expect(ending).toMatchObject({ status: 'active', endsAt: subscription.periodEnd, endedAt: null });
});

check('it ends there, and asks for no more ("Cancel subscriptions")', async (far) => {
  const { clock, customer, subscription } = await newSubscriber(far);
  await far.payments.cancel(subscription.id, 'at_period_end', key());

  await advanceClock(far, clock, '2026-04-15T10:00:00Z');

  expect(await far.payments.fetch.subscription(subscription.id)).toMatchObject({
    status: 'canceled',
    endedAt: subscription.periodEnd,
  });
  expect(await invoicesOf(far, customer)).toHaveLength(1);
});

check('a planned end that is taken back is no end ("Cancel subscriptions")', async (far) => {
  const { clock, customer, subscription } = await newSubscriber(far);
  await far.payments.cancel(subscription.id, 'at_period_end', key());

  const resumed = await far.payments.resume(subscription.id, key());
  await advanceClock(far, clock, '2026-03-01T10:00:00Z');

  expect(resumed).toMatchObject({ status: 'active', endsAt: null });
  expect(await invoicesOf(far, customer)).toHaveLength(2);
});

check('a subscription that is ended now is over ("Cancel subscriptions")', async (far) => {
  const { subscription, begin } = await newSubscriber(far);

  const ended = await far.payments.cancel(subscription.id, 'now', key());

  expect(ended.status).toBe('canceled');
  expect(Math.abs(ended.endedAt!.getTime() - begin.getTime())).toBeLessThan(60_000);
});

check('an end that is said twice is one end ("Idempotent requests": DELETE)', async (far) => {
  const { subscription } = await newSubscriber(far);

  const ended = await far.payments.cancel(subscription.id, 'now', key());

  expect(await far.payments.cancel(subscription.id, 'now', key())).toEqual(ended);
});

check('a subscription that is not there can’t be ended ("Error codes": resource_missing)', async ({ payments }) => {
  for (const when of ['now', 'at_period_end'] as const)
    await expect(payments.cancel('sub_nothing', when, key())).rejects.toMatchObject({ code: 'payments.not_found' });
});

check('a trial that is set to end is never charged ("Cancel subscriptions")', async (far) => {
  const { clock, customer, subscription } = await newSubscriber(far, { trialDays: 14 });
  await far.payments.cancel(subscription.id, 'at_period_end', key());

  await advanceClock(far, clock, '2026-03-15T10:00:00Z');

  expect(await far.payments.fetch.subscription(subscription.id)).toMatchObject({ status: 'canceled' });
  expect((await invoicesOf(far, customer)).map(({ paid }) => paid)).toEqual([eur(0)]);
});

check('a pause says until when, and stays active ("Pause payment collection")', async (far) => {
  const { subscription } = await newSubscriber(far);

  const paused = await far.payments.pause(subscription.id, at('2026-04-15T00:00:00Z'), key());

  expect(paused).toMatchObject({ status: 'active', paused: true, resumesAt: at('2026-04-15T00:00:00Z') });
});

check('periods in a pause are not paid, and later ones are again ("Pause payment collection")', async (far) => {
  const { clock, customer, subscription } = await newSubscriber(far);
  await far.payments.pause(subscription.id, at('2026-04-15T00:00:00Z'), key());

  await advanceClock(far, clock, '2026-05-02T10:00:00Z');

  expect((await invoicesOf(far, customer)).map(({ status }) => status)).toEqual(['paid', 'void', 'void', 'paid']);
  expect(await far.payments.fetch.subscription(subscription.id)).toMatchObject({ paused: false, resumesAt: null });
});

check('a pause without an end lasts until it is taken back ("Pause payment collection")', async (far) => {
  const { clock, customer, subscription } = await newSubscriber(far);
  await far.payments.pause(subscription.id, null, key());
  await advanceClock(far, clock, '2026-03-15T10:00:00Z');

  const going = await far.payments.resumeCollection(subscription.id, key());
  await advanceClock(far, clock, '2026-04-02T10:00:00Z');

  expect(going).toMatchObject({ paused: false });
  expect((await invoicesOf(far, customer)).map(({ status }) => status)).toEqual(['paid', 'void', 'paid']);
});

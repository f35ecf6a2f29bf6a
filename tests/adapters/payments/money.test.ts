import { expect, test } from 'vitest';
import { moneyChecks } from './money.suite';
import { advanceClock, eur, key, newSubscriber } from './remote-stripe';
import { runInSandbox } from './run-suite';

const remote = await runInSandbox(moneyChecks);
const { payments, stripe } = remote;

/** The refund of a subscription's payment with a card, and the time at which it was made. */
async function refundedWith(card: string) {
  const { clock, customer, start } = await newSubscriber(remote);
  const { id } = await stripe.paymentMethods.attach(card, { customer });
  const intent = await stripe.paymentIntents.create({
    amount: 1000,
    currency: 'eur',
    customer,
    payment_method: id,
    confirm: true,
  });
  const refund = await payments.refund(intent.id, { reference: {} }, key());
  return { payment: intent.id, refund, pass: () => advanceClock(remote, clock, new Date(start.getTime() + 3_600_000)) };
}

const eventsOf = async (id: string) =>
  (await stripe.events.list({ limit: 100 })).data
    .filter(({ data }) => 'id' in data.object && data.object.id === id)
    .map(({ type }) => type);

// at Stripe, the result comes minutes later
test('sandbox: a refund that fails later has its reason, and the payment is no longer refunded', async () => {
  const { payment, refund, pass } = await refundedWith('pm_card_refundFail');

  await pass();

  expect(refund).toMatchObject({ status: 'succeeded', failure: null });
  expect(await payments.fetch.refund(refund.id)).toMatchObject({
    status: 'failed',
    failure: 'expired_or_canceled_card',
  });
  expect(await payments.fetch.payment(payment)).toMatchObject({ refunded: eur(0) });
  expect(await eventsOf(refund.id)).toEqual(['refund.failed', 'refund.updated', 'refund.created']);
});

test('sandbox: after a failed refund, the payment can be refunded again', async () => {
  const { payment, pass } = await refundedWith('pm_card_refundFail');
  await pass();

  const again = await payments.refund(payment, { reference: {} }, key());

  expect(again).toMatchObject({ amount: eur(1000) });
});

test('sandbox: a pending refund succeeds later', async () => {
  const { refund, pass } = await refundedWith('pm_card_pendingRefund');

  await pass();

  expect(refund.status).toBe('pending');
  expect(await payments.fetch.refund(refund.id)).toMatchObject({ status: 'succeeded', failure: null });
  expect(await eventsOf(refund.id)).toEqual(['refund.updated', 'refund.created']);
});

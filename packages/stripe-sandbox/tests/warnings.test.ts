import { expect, test } from 'vitest';
import { testSandbox } from './support/sandbox';

const { stripe } = await testSandbox();

const pay = (payment_method: string) =>
  stripe.paymentIntents.create({ amount: 1000, currency: 'eur', payment_method, confirm: true });
const eventsOf = async (id: string) =>
  (await stripe.events.list({ limit: 100 })).data
    .filter(({ data }) => (data.object as { id?: string }).id === id)
    .map(({ type }) => type)
    .toReversed();

test('a bank reports fraud before it disputes, until the payment is refunded ("Early fraud warnings")', async () => {
  const { id: payment_intent, latest_charge: charge } = await pay('pm_card_createIssuerFraudRecord');
  const [warning] = (await stripe.radar.earlyFraudWarnings.list({ payment_intent })).data;
  expect(warning).toMatchObject({ actionable: true, charge, payment_intent, fraud_type: 'unauthorized_use_of_card' });

  await stripe.refunds.create({ payment_intent, amount: 400 });
  expect(await stripe.radar.earlyFraudWarnings.retrieve(warning!.id)).toMatchObject({ actionable: true });
  await stripe.refunds.create({ payment_intent });

  expect(await stripe.radar.earlyFraudWarnings.retrieve(warning!.id)).toMatchObject({ actionable: false });
  expect(await eventsOf(warning!.id)).toEqual([
    'radar.early_fraud_warning.created',
    'radar.early_fraud_warning.updated',
  ]);
});

test('a payment with an elevated risk is reviewed, and closed when it is approved or refunded ("Reviews")', async () => {
  const [approved, refunded] = [await pay('pm_card_riskLevelElevated'), await pay('pm_card_riskLevelElevated')];
  expect(approved).toMatchObject({ status: 'succeeded', review: expect.stringMatching(/^prv_/) });
  expect(await stripe.reviews.retrieve(String(approved.review))).toMatchObject({
    ...{ open: true, reason: 'rule', payment_intent: approved.id, charge: approved.latest_charge },
  });

  await stripe.reviews.approve(String(approved.review));
  await stripe.refunds.create({ payment_intent: refunded.id });

  expect(await stripe.reviews.retrieve(String(approved.review))).toMatchObject({ open: false, reason: 'approved' });
  expect(await stripe.reviews.retrieve(String(refunded.review))).toMatchObject({ open: false, reason: 'refunded' });
  expect(await eventsOf(String(refunded.review))).toEqual(['review.opened', 'review.closed']);
  await expect(stripe.reviews.approve(String(refunded.review))).rejects.toMatchObject({ statusCode: 400 });
});

import { expect, test } from 'vitest';
import { testSandbox } from './support/sandbox';

const { stripe, clock, sandbox } = await testSandbox();
const DAY = 86_400_000;

async function paid(payment_method: string, currency = 'eur') {
  const terms = { amount: 1000, currency, payment_method, confirm: true };
  const { id } = await stripe.paymentIntents.create(terms);
  const { data } = await stripe.disputes.list({ payment_intent: id });
  return { payment_intent: id, id: data[0]?.id ?? '' };
}
const pass = async (days: number) => {
  clock.now = new Date(clock.now.getTime() + days * DAY);
  await sandbox.tick();
};
const answer = (id: string, uncategorized_text: string) =>
  stripe.disputes.update(id, { evidence: { uncategorized_text } });
const eventsOf = async (id: string) =>
  (await stripe.events.list({ limit: 100 })).data
    .filter(({ data }) => (data.object as { id?: string }).id === id)
    .map(({ type }) => type)
    .toReversed();

test('an inquiry takes no money, and its payment can be refunded ("Disputes": inquiries and retrievals)', async () => {
  const { id, payment_intent } = await paid('pm_card_createDisputeInquiry');

  const inquiry = await stripe.disputes.retrieve(id);
  const { status } = await stripe.refunds.create({ payment_intent, amount: 300 });

  expect(inquiry).toMatchObject({
    status: 'warning_needs_response',
    balance_transactions: [],
    is_charge_refundable: true,
  });
  expect(status).toBe('succeeded');
  expect(await eventsOf(id)).toEqual(['charge.dispute.created']);
});

test('an answered inquiry is under review, and closes without a withdrawal', async () => {
  const { id } = await paid('pm_card_createDisputeInquiry');

  const answered = await answer(id, 'The customer has listened for a year.');
  const closed = await answer((await paid('pm_card_createDisputeInquiry')).id, 'losing_evidence');
  await pass(121);

  expect(answered.status).toBe('warning_under_review');
  expect(closed).toMatchObject({ status: 'warning_closed', balance_transactions: [] });
  // 120 days without a chargeback
  expect(await stripe.disputes.retrieve(id)).toMatchObject({ status: 'warning_closed', balance_transactions: [] });
});

test('an inquiry that becomes a chargeback takes the whole payment and a fee from then on', async () => {
  const { id, payment_intent } = await paid('pm_card_createDisputeInquiry');

  const { balance_transactions, ...escalated } = await answer(id, 'escalate_inquiry_evidence');

  expect(escalated).toMatchObject({ status: 'needs_response', is_charge_refundable: false });
  expect(balance_transactions).toMatchObject([{ amount: -1000, fee: 2000 }]);
  expect(await eventsOf(id)).toEqual([
    'charge.dispute.created',
    // under review, then a chargeback
    'charge.dispute.updated',
    'charge.dispute.updated',
    'charge.dispute.funds_withdrawn',
  ]);
  await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({ code: 'charge_disputed' });
  expect(await answer(id, 'winning_evidence')).toMatchObject({ status: 'won' });
});

test('a refund of the whole payment resolves an inquiry', async () => {
  const { id, payment_intent } = await paid('pm_card_createDisputeInquiry');

  await stripe.refunds.create({ payment_intent });

  expect(await stripe.disputes.retrieve(id)).toMatchObject({ status: 'warning_closed' });
});

test('an accepted inquiry is lost, but nothing was withdrawn ("Close a dispute")', async () => {
  const { id } = await paid('pm_card_createDisputeInquiry');

  expect(await stripe.disputes.close(id)).toMatchObject({ status: 'lost', balance_transactions: [] });
});

test('the fee of a dispute depends on the currency, and a won dispute returns it ("Test disputes")', async () => {
  const [euros, dollars] = [await paid('pm_card_createDispute'), await paid('pm_card_createDispute', 'usd')];

  const won = await answer(euros.id, 'winning_evidence');
  const lost = await answer(dollars.id, 'losing_evidence');

  expect(won.balance_transactions).toMatchObject([
    { amount: -1000, fee: 2000, net: -3000 },
    { amount: 1000, fee: -2000, net: 3000 },
  ]);
  expect(lost.balance_transactions).toMatchObject([{ amount: -1000, fee: 1500, net: -2500 }]);
  expect(await stripe.refunds.create({ payment_intent: euros.payment_intent })).toMatchObject({ status: 'succeeded' });
  await expect(stripe.refunds.create({ payment_intent: dollars.payment_intent })).rejects.toMatchObject({
    code: 'charge_disputed',
  });
});

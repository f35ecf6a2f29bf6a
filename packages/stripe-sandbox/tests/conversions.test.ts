import { beforeEach, expect, test } from 'vitest';
import { testSandbox } from './support/sandbox';

const { stripe, sandbox } = await testSandbox();

beforeEach(() => sandbox.setConversions({ usd: { to: 'eur', rate: 0.9137 } }));

/** A payment that is captured. */
async function pay(currency: string, payment_method = 'pm_card_visa') {
  const intent = await stripe.paymentIntents.create({ amount: 1499, currency, payment_method, confirm: true });
  await sandbox.capture();
  return intent;
}
const transactionsOf = async (source: string) => (await stripe.balanceTransactions.list({ source })).data;

test('a payment in a currency without a bank account is settled in another one, at a rate', async () => {
  const { latest_charge } = await pay('usd');

  const [transaction] = await transactionsOf(String(latest_charge));

  expect(transaction).toMatchObject({ currency: 'eur', amount: 1370, exchange_rate: 0.9137, fee: 67, net: 1303 });
  expect(await stripe.charges.retrieve(String(latest_charge))).toMatchObject({ amount: 1499, currency: 'usd' });
});

test('other currencies are settled as they are', async () => {
  const { latest_charge } = await pay('eur');

  expect(await transactionsOf(String(latest_charge))).toMatchObject([
    { currency: 'eur', amount: 1499, exchange_rate: null },
  ]);
});

test('refunds and disputes are converted too, and a won dispute returns what it took', async () => {
  const { id } = await pay('usd');
  const refund = await stripe.refunds.create({ payment_intent: id, amount: 500 });
  const disputed = await pay('usd', 'pm_card_createDispute');
  const { data } = await stripe.disputes.list({ payment_intent: disputed.id });
  await stripe.disputes.update(data[0]!.id, { evidence: { uncategorized_text: 'winning_evidence' }, submit: true });

  expect(await transactionsOf(refund.id)).toMatchObject([{ currency: 'eur', amount: -457, exchange_rate: 0.9137 }]);
  const [returned, taken] = await transactionsOf(data[0]!.id);
  expect(returned).toMatchObject({ currency: 'eur', amount: 1370 });
  expect(taken).toMatchObject({ currency: 'eur', amount: -1370 });
  expect(returned!.net + taken!.net).toBe(0);
});

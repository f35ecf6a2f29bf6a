import { expect } from 'vitest';
import type { BookEntry } from '~/server/adapters/payments/book-port';
import { chargeCard, collectChecks, eur, key, paymentWithFee, type RemoteStripe } from './remote-stripe';

export const bookChecks = collectChecks();
const { check } = bookChecks;

/** The bookings of a payment, oldest first. Stripe shows them with a delay. */
async function entriesOf({ payments, capture }: RemoteStripe, payment: string, count: number): Promise<BookEntry[]> {
  await capture();
  const read = async () =>
    (await payments.listBookEntries({ limit: 100 })).filter((entry) => entry.payment === payment).reverse();
  await expect.poll(async () => (await read()).length, { timeout: 60_000 }).toBe(count);
  return read();
}

check('a charge and its refund are in the books, with what really moved ("Reporting categories")', async (remote) => {
  const { id } = await chargeCard(remote, 1000, 'pm_card_bypassPending');
  const refund = await remote.payments.refund(id, { amount: eur(400), reference: {} }, key());

  const [charge, returned] = await entriesOf(remote, id, 2);

  expect(charge).toMatchObject({ kind: 'charge', amount: eur(1000), source: expect.stringMatching(/^ch_|^py_/) });
  expect(charge!.net.minor).toBe(1000 - charge!.fee.minor);
  expect(charge!.fee.minor).toBeGreaterThan(0);
  expect(returned).toMatchObject({ kind: 'refund', amount: eur(-400), source: refund.id, payment: id });
  expect((await remote.payments.fetch.refund(refund.id)).taken).toEqual({ ...eur(0), minor: -returned!.net.minor });
});

check('a dispute takes the amount and a fee, and a won one returns the amount ("Test disputes")', async (remote) => {
  const { payments } = remote;
  const { id } = await chargeCard(remote, 1000, 'pm_card_createDispute');
  const [, taken] = await entriesOf(remote, id, 2);
  const dispute = await payments.fetch.dispute(taken!.source!);

  expect(taken).toMatchObject({ kind: 'dispute', amount: eur(-1000), source: dispute.id });
  expect(dispute).toMatchObject({ taken: { amount: eur(1000), fee: taken!.fee, at: taken!.at }, returned: null });
  await payments.answerDispute(dispute.id, 'winning_evidence', key());

  const entries = await entriesOf(remote, id, 3);
  expect(entries[2]).toMatchObject({ kind: 'dispute_reversal', amount: eur(1000), source: dispute.id });
  expect((await payments.fetch.dispute(dispute.id)).returned).toMatchObject({ amount: eur(1000), at: entries[2]!.at });
});

check('the books are listed since a moment, the newest first ("Pagination")', async (remote) => {
  const { payments } = remote;
  for (const minor of [1000, 1100]) await paymentWithFee(remote, (await chargeCard(remote, minor)).id);
  const all = await payments.listBookEntries({ limit: 2 });
  const [newest, older] = all;

  expect(newest!.at.getTime()).toBeGreaterThanOrEqual(older!.at.getTime());
  expect(await payments.listBookEntries({ after: newest!.id, limit: 1 })).toEqual([older]);
  const since = new Date(newest!.at.getTime() + 1000);
  expect((await payments.listBookEntries({ since, limit: 5 })).every(({ at }) => at >= since)).toBe(true);
});

check('the balance is what can be paid out, and a payout takes from it ("Payouts")', async (remote) => {
  const { payments } = remote;
  await chargeCard(remote, 5000, 'pm_card_bypassPending');
  await remote.capture();
  const available = async () => (await payments.balance()).available.find(({ currency }) => currency === 'eur')!.minor;
  await expect.poll(available, { timeout: 30_000 }).toBeGreaterThan(1000);
  const before = await available();

  const payout = await payments.payOut(eur(700), key());

  expect(payout).toMatchObject({ amount: eur(700), automatic: false, failure: null });
  expect(await available()).toBe(before - 700);
  expect((await payments.listPayouts({ limit: 5 })).map(({ id }) => id)).toContain(payout.id);
  const booked = (await payments.listBookEntries({ limit: 10 })).find(({ source }) => source === payout.id);
  expect(booked).toMatchObject({ kind: 'payout', net: eur(-700), payment: null });
});

check('no more can be paid out than there is ("Payouts": balance_insufficient)', async ({ payments }) => {
  await expect(payments.payOut(eur(90_000_000), key())).rejects.toMatchObject({ code: 'payments.conflict' });
});

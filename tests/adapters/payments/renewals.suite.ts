import { expect } from 'vitest';
import type { CouponLength } from '~/server/adapters/payments/objects';
import {
  advanceClock,
  at,
  collectChecks,
  eur,
  invoicesOf,
  key,
  newSubscriber,
  paymentWithFee,
  type RemoteStripe,
} from './remote-stripe';

/** A subscriber whose first renewal failed because of a new, bad card. */
export async function withBadCard(remote: RemoteStripe) {
  const subscriber = await newSubscriber(remote);
  const bad = await remote.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: subscriber.customer,
  });
  await remote.payments.setSubscriptionCard(subscriber.subscription.id, bad.id, key());
  await advanceClock(remote, subscriber.clock, '2026-02-28T13:00:00Z');
  return subscriber;
}

export const renewalChecks = collectChecks();
const { check } = renewalChecks;

check('each month has an invoice on the billing date ("Set the subscription billing renewal date")', async (remote) => {
  const { clock, customer } = await newSubscriber(remote);

  await advanceClock(remote, clock, '2026-05-02T10:00:00Z');

  const invoices = await invoicesOf(remote, customer);
  expect(invoices.map(({ createdAt }) => createdAt.toISOString().slice(0, 10))).toEqual([
    '2026-01-31',
    '2026-02-28',
    '2026-03-31',
    '2026-04-30',
  ]);
  expect(invoices.every(({ status, paid }) => status === 'paid' && paid.minor === 499)).toBe(true);
  expect(invoices.map(({ reason }) => reason)).toEqual(['start', 'renewal', 'renewal', 'renewal']);
});

check('a yearly subscription has its second invoice after a year', async (remote) => {
  const { clock, customer } = await newSubscriber(remote, { every: 'year', price: eur(4990) });

  await advanceClock(remote, clock, '2027-02-01T10:00:00Z');

  expect((await invoicesOf(remote, customer)).map(({ paid }) => paid)).toEqual([eur(4990), eur(4990)]);
});

check('the next invoice can be previewed ("Create a preview invoice")', async (remote) => {
  const { subscription } = await newSubscriber(remote);

  const next = await remote.payments.preview(subscription.id, null);

  expect(next).toMatchObject({ total: eur(499), due: eur(499), credit: eur(0), at: subscription.periodEnd });
  expect(next.lines.map(({ from, amount }) => ({ from, amount }))).toEqual([
    { from: subscription.periodEnd, amount: eur(499) },
  ]);
});

check(
  'a subscription with a scheduled end has no next invoice ("Error codes": invoice_upcoming_none)',
  async (remote) => {
    const { subscription } = await newSubscriber(remote);
    await remote.payments.cancel(subscription.id, 'at_period_end', key());

    await expect(remote.payments.preview(subscription.id, null)).rejects.toMatchObject({ code: 'payments.conflict' });
  },
);

check('a failed renewal makes the subscription past due and schedules a retry ("Smart Retries")', async (remote) => {
  const { subscription, customer } = await withBadCard(remote);

  const invoice = (await invoicesOf(remote, customer)).at(-1);

  expect(await remote.payments.fetch.subscription(subscription.id)).toMatchObject({ status: 'past_due' });
  expect(invoice).toMatchObject({ status: 'open', attempts: 1, paid: eur(0), due: eur(499) });
  expect(invoice?.nextAttemptAt?.getTime()).toBeGreaterThan(at('2026-02-28T10:00:00Z').getTime());
});

check('the payment of a failed renewal has the decline reason ("Decline codes")', async (remote) => {
  const { customer } = await withBadCard(remote);
  const [failed] = await remote.payments.listInvoices(customer, 1);

  const payment = await remote.payments.fetch.payment(failed!.payment!);

  expect(payment).toMatchObject({ status: 'needs_card', failure: { reason: 'declined', code: 'card_declined' } });
});

check('retrying with the same bad card is declined ("Pay an invoice")', async (remote) => {
  const { customer } = await withBadCard(remote);
  const [failed] = await remote.payments.listInvoices(customer, 1);

  await expect(remote.payments.payInvoice(failed!.id, key())).rejects.toMatchObject({ code: 'payments.card_declined' });
});

check('a valid card makes a past due subscription active again ("How subscriptions work")', async (remote) => {
  const { subscription, customer, card } = await withBadCard(remote);
  const [failed] = await remote.payments.listInvoices(customer, 1);
  await remote.payments.setSubscriptionCard(subscription.id, card, key());

  const paid = await remote.payments.payInvoice(failed!.id, key());

  expect(paid).toMatchObject({ status: 'paid', paid: eur(499), nextAttemptAt: null });
  expect(await remote.payments.fetch.subscription(subscription.id)).toMatchObject({ status: 'active' });
});

check('a retry uses the new card ("Smart Retries")', async (remote) => {
  const { subscription, customer, card, clock } = await withBadCard(remote);
  await remote.payments.setSubscriptionCard(subscription.id, card, key());
  const [failed] = await remote.payments.listInvoices(customer, 1);

  await advanceClock(remote, clock, new Date(failed!.nextAttemptAt!.getTime() + 3_600_000));

  expect(await remote.payments.fetch.invoice(failed!.id)).toMatchObject({ status: 'paid', attempts: 2 });
});

check('a paid invoice cannot be paid again ("Pay an invoice")', async (remote) => {
  const { customer } = await newSubscriber(remote);
  const [invoice] = await remote.payments.listInvoices(customer, 1);

  await expect(remote.payments.payInvoice(invoice!.id, key())).rejects.toMatchObject({ code: 'payments.conflict' });
});

check('an open invoice outlives its subscription until it is voided ("Cancel subscriptions")', async (remote) => {
  const { subscription, customer } = await withBadCard(remote);
  await remote.payments.cancel(subscription.id, 'now', key());
  const [invoice] = await remote.payments.listInvoices(customer, 1);
  expect(invoice).toMatchObject({ status: 'open', nextAttemptAt: null });

  await remote.payments.voidOpenInvoices(subscription.id);
  await remote.payments.voidOpenInvoices(subscription.id);

  expect(await remote.payments.fetch.invoice(invoice!.id)).toMatchObject({ status: 'void' });
  await expect(remote.payments.payInvoice(invoice!.id, key())).rejects.toMatchObject({ code: 'payments.conflict' });
});

check('an invoice has a number, a page and a PDF', async (remote) => {
  const { customer } = await newSubscriber(remote);
  const [invoice] = await remote.payments.listInvoices(customer, 1);

  expect(invoice?.number).toMatch(/-\d{4}$/);
  expect(invoice?.pageUrl).toMatch(/^https?:/);
  expect(invoice?.pdfUrl).toMatch(/^https?:/);
  expect(invoice?.paidAt).not.toBeNull();
});

check('an invoice links to its payment, and the payment to its receipt', async (remote) => {
  const { customer } = await newSubscriber(remote);
  const [invoice] = await remote.payments.listInvoices(customer, 1);

  const payment = await paymentWithFee(remote, invoice!.payment!);

  expect(payment).toMatchObject({ status: 'succeeded', amount: eur(499), customer });
  expect(payment.receiptUrl).toMatch(/^https?:/);
});

check('invoices are listed newest first, up to the limit ("Pagination")', async (remote) => {
  const { clock, customer } = await newSubscriber(remote);
  await advanceClock(remote, clock, '2026-05-02T10:00:00Z');

  const two = await remote.payments.listInvoices(customer, 2);

  expect(two.map(({ createdAt }) => createdAt.toISOString().slice(0, 7))).toEqual(['2026-04', '2026-03']);
});

for (const [duration, length, totals] of [
  ['once', 'once', [250, 499, 499, 499]],
  ['for two months', { months: 2 }, [250, 250, 499, 499]],
  ['forever', 'forever', [250, 250, 250, 250]],
] as [string, CouponLength, number[]][])
  check(`half off ${duration} applies to the right months ("Coupons and promotion codes")`, async (remote) => {
    const { id } = await remote.payments.createCoupon({ id: `c-${key()}`, off: { percent: 50 }, length }, key());
    const { clock, customer } = await newSubscriber(remote, { coupon: id });

    await advanceClock(remote, clock, '2026-05-02T10:00:00Z');

    const off = (await invoicesOf(remote, customer)).map(({ total }) => total.minor);
    expect(off.map((total) => (Math.abs(total - 249.5) < 1 ? 250 : total))).toEqual(totals);
  });

check('a flat coupon never takes more than the price ("Coupons and promotion codes")', async (remote) => {
  const { id } = await remote.payments.createCoupon({ id: `c-${key()}`, off: eur(600), length: 'once' }, key());

  const { customer } = await newSubscriber(remote, { coupon: id });

  expect((await invoicesOf(remote, customer))[0]).toMatchObject({
    subtotal: eur(499),
    discount: eur(499),
    total: eur(0),
    status: 'paid',
  });
});

check('a one-time coupon applies after the trial ("Coupons and promotion codes")', async (remote) => {
  const { id } = await remote.payments.createCoupon({ id: `c-${key()}`, off: { percent: 50 }, length: 'once' }, key());
  const { clock, customer } = await newSubscriber(remote, { coupon: id, trialDays: 7, price: eur(1000) });

  await advanceClock(remote, clock, '2026-03-10T10:00:00Z');

  expect((await invoicesOf(remote, customer)).map(({ total }) => total.minor)).toEqual([0, 500, 1000]);
});

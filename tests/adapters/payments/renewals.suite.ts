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

/** A subscriber whose card was exchanged for one that fails, and whose first renewal did. */
export async function withBadCard(far: RemoteStripe) {
  const who = await newSubscriber(far);
  const bad = await far.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: who.customer });
  await far.payments.setSubscriptionCard(who.subscription.id, bad.id, key());
  await advanceClock(far, who.clock, '2026-02-28T13:00:00Z');
  return who;
}

export const renewalChecks = collectChecks();
const { check } = renewalChecks;

check('each month has its invoice, on its day ("Set the subscription billing renewal date")', async (far) => {
  const { clock, customer } = await newSubscriber(far);

  await advanceClock(far, clock, '2026-05-02T10:00:00Z');

  const invoices = await invoicesOf(far, customer);
  expect(invoices.map(({ createdAt }) => createdAt.toISOString().slice(0, 10))).toEqual([
    '2026-01-31',
    '2026-02-28',
    '2026-03-31',
    '2026-04-30',
  ]);
  expect(invoices.every(({ status, paid }) => status === 'paid' && paid.minor === 499)).toBe(true);
  expect(invoices.map(({ reason }) => reason)).toEqual(['start', 'renewal', 'renewal', 'renewal']);
});

check('a year later there is the second invoice of a yearly subscription', async (far) => {
  const { clock, customer } = await newSubscriber(far, { every: 'year', price: eur(4990) });

  await advanceClock(far, clock, '2027-02-01T10:00:00Z');

  expect((await invoicesOf(far, customer)).map(({ paid }) => paid)).toEqual([eur(4990), eur(4990)]);
});

check('the next invoice is known beforehand ("Create a preview invoice")', async (far) => {
  const { subscription } = await newSubscriber(far);

  const next = await far.payments.preview(subscription.id, null);

  expect(next).toMatchObject({ total: eur(499), due: eur(499), credit: eur(0), at: subscription.periodEnd });
  expect(next.lines.map(({ from, amount }) => ({ from, amount }))).toEqual([
    { from: subscription.periodEnd, amount: eur(499) },
  ]);
});

check('a subscription that ends has no next invoice ("Error codes": invoice_upcoming_none)', async (far) => {
  const { subscription } = await newSubscriber(far);
  await far.payments.cancel(subscription.id, 'at_period_end', key());

  await expect(far.payments.preview(subscription.id, null)).rejects.toMatchObject({ code: 'payments.conflict' });
});

check('a renewal that fails is past due, and will be tried again ("Smart Retries")', async (far) => {
  const { subscription, customer } = await withBadCard(far);

  const invoice = (await invoicesOf(far, customer)).at(-1);

  expect(await far.payments.fetch.subscription(subscription.id)).toMatchObject({ status: 'past_due' });
  expect(invoice).toMatchObject({ status: 'open', attempts: 1, paid: eur(0), due: eur(499) });
  expect(invoice?.nextAttemptAt?.getTime()).toBeGreaterThan(at('2026-02-28T10:00:00Z').getTime());
});

check('the payment of a failed renewal says why ("Decline codes")', async (far) => {
  const { customer } = await withBadCard(far);
  const [failed] = await far.payments.listInvoices(customer, 1);

  const payment = await far.payments.fetch.payment(failed!.payment!);

  expect(payment).toMatchObject({ status: 'needs_card', failure: { reason: 'declined', code: 'card_declined' } });
});

check('paying with the same bad card is refused ("Pay an invoice")', async (far) => {
  const { customer } = await withBadCard(far);
  const [failed] = await far.payments.listInvoices(customer, 1);

  await expect(far.payments.payInvoice(failed!.id, key())).rejects.toMatchObject({ code: 'payments.card_declined' });
});

check('a good card makes a past due subscription active again ("How subscriptions work")', async (far) => {
  const { subscription, customer, card } = await withBadCard(far);
  const [failed] = await far.payments.listInvoices(customer, 1);
  await far.payments.setSubscriptionCard(subscription.id, card, key());

  const paid = await far.payments.payInvoice(failed!.id, key());

  expect(paid).toMatchObject({ status: 'paid', paid: eur(499), nextAttemptAt: null });
  expect(await far.payments.fetch.subscription(subscription.id)).toMatchObject({ status: 'active' });
});

check('a retry finds the new card by itself ("Smart Retries")', async (far) => {
  const { subscription, customer, card, clock } = await withBadCard(far);
  await far.payments.setSubscriptionCard(subscription.id, card, key());
  const [failed] = await far.payments.listInvoices(customer, 1);

  await advanceClock(far, clock, new Date(failed!.nextAttemptAt!.getTime() + 3_600_000));

  expect(await far.payments.fetch.invoice(failed!.id)).toMatchObject({ status: 'paid', attempts: 2 });
});

check('a paid invoice can’t be paid again ("Pay an invoice")', async (far) => {
  const { customer } = await newSubscriber(far);
  const [invoice] = await far.payments.listInvoices(customer, 1);

  await expect(far.payments.payInvoice(invoice!.id, key())).rejects.toMatchObject({ code: 'payments.conflict' });
});

check('an invoice has a number, a page and a PDF', async (far) => {
  const { customer } = await newSubscriber(far);
  const [invoice] = await far.payments.listInvoices(customer, 1);

  expect(invoice?.number).toMatch(/-\d{4}$/);
  expect(invoice?.pageUrl).toMatch(/^https?:/);
  expect(invoice?.pdfUrl).toMatch(/^https?:/);
  expect(invoice?.paidAt).not.toBeNull();
});

check('an invoice leads to its payment, and that to its receipt', async (far) => {
  const { customer } = await newSubscriber(far);
  const [invoice] = await far.payments.listInvoices(customer, 1);

  const payment = await paymentWithFee(far, invoice!.payment!);

  expect(payment).toMatchObject({ status: 'succeeded', amount: eur(499), customer });
  expect(payment.receiptUrl).toMatch(/^https?:/);
});

check('invoices are listed newest first, as many as asked for ("Pagination")', async (far) => {
  const { clock, customer } = await newSubscriber(far);
  await advanceClock(far, clock, '2026-05-02T10:00:00Z');

  const two = await far.payments.listInvoices(customer, 2);

  expect(two.map(({ createdAt }) => createdAt.toISOString().slice(0, 7))).toEqual(['2026-04', '2026-03']);
});

for (const [said, length, totals] of [
  ['once', 'once', [250, 499, 499, 499]],
  ['for two months', { months: 2 }, [250, 250, 499, 499]],
  ['forever', 'forever', [250, 250, 250, 250]],
] as [string, CouponLength, number[]][])
  check(`half off ${said} is that over the months ("Coupons and promotion codes")`, async (far) => {
    const { id } = await far.payments.createCoupon({ id: `c-${key()}`, off: { percent: 50 }, length }, key());
    const { clock, customer } = await newSubscriber(far, { coupon: id });

    await advanceClock(far, clock, '2026-05-02T10:00:00Z');

    const off = (await invoicesOf(far, customer)).map(({ total }) => total.minor);
    expect(off.map((total) => (Math.abs(total - 249.5) < 1 ? 250 : total))).toEqual(totals);
  });

check('a flat coupon takes its amount, and never more than there is ("Coupons and promotion codes")', async (far) => {
  const { id } = await far.payments.createCoupon({ id: `c-${key()}`, off: eur(600), length: 'once' }, key());

  const { customer } = await newSubscriber(far, { coupon: id });

  expect((await invoicesOf(far, customer))[0]).toMatchObject({
    subtotal: eur(499),
    discount: eur(499),
    total: eur(0),
    status: 'paid',
  });
});

check('a coupon for once waits for the end of a trial ("Coupons and promotion codes")', async (far) => {
  const { id } = await far.payments.createCoupon({ id: `c-${key()}`, off: { percent: 50 }, length: 'once' }, key());
  const { clock, customer } = await newSubscriber(far, { coupon: id, trialDays: 7, price: eur(1000) });

  await advanceClock(far, clock, '2026-03-10T10:00:00Z');

  expect((await invoicesOf(far, customer)).map(({ total }) => total.minor)).toEqual([0, 500, 1000]);
});

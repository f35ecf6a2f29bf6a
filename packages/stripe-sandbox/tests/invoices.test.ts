import { expect, test } from 'vitest';
import { testSandbox } from './support/sandbox';

const { stripe, fetch } = await testSandbox();
const START = Date.parse('2026-01-31T10:00:00Z') / 1000;
const RENEWED = START + 29 * 86_400;

/** The open invoice of a renewal that was declined. */
async function overdue() {
  const { id: clock } = await stripe.testHelpers.testClocks.create({ frozen_time: START });
  const { id: customer } = await stripe.customers.create({ test_clock: clock });
  const { id: card } = await stripe.paymentMethods.attach('pm_card_sandbox_failsAtRenewal', { customer });
  const { id: product } = await stripe.products.create({ name: 'Ruido' });
  const { id: subscription } = await stripe.subscriptions.create({
    customer,
    default_payment_method: card,
    items: [{ price_data: { currency: 'eur', unit_amount: 499, recurring: { interval: 'month' }, product } }],
  });
  await stripe.testHelpers.testClocks.advance(clock, { frozen_time: RENEWED });
  const [invoice] = (await stripe.invoices.list({ customer, status: 'open' })).data;
  return { customer, subscription, invoice: invoice! };
}
const paymentsOf = async (id: string) => {
  const { payments } = await stripe.invoices.retrieve(id, { expand: ['payments'] });
  return payments!.data.map(({ is_default, status, payment }) => ({ is_default, status, of: payment.payment_intent }));
};

test('an invoice paid with another payment lists its own first, canceled ("Attach a payment")', async () => {
  const { customer, subscription, invoice } = await overdue();
  const [own] = await paymentsOf(invoice.id);
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  const paid = await stripe.paymentIntents.create({
    ...{ amount: 499, currency: 'eur', customer, payment_method: card, confirm: true },
  });

  const attached = await stripe.invoices.attachPayment(invoice.id, { payment_intent: paid.id });

  expect(attached).toMatchObject({ status: 'paid', amount_paid: 499 });
  expect(await paymentsOf(invoice.id)).toEqual([
    { is_default: true, status: 'canceled', of: own!.of },
    { is_default: false, status: 'paid', of: paid.id },
  ]);
  expect(await stripe.paymentIntents.retrieve(String(own!.of))).toMatchObject({ status: 'canceled' });
  expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
  const payment = { type: 'payment_intent' as const, payment_intent: paid.id };
  expect((await stripe.invoicePayments.list({ payment })).data).toMatchObject([{ invoice: invoice.id }]);
});

test('the page of an open invoice takes payments after its subscription was canceled, until it is voided', async () => {
  const [paid, voided] = [await overdue(), await overdue()];
  for (const { subscription } of [paid, voided]) await stripe.subscriptions.cancel(subscription);
  const payOn = async ({ customer, invoice }: Awaited<ReturnType<typeof overdue>>) => {
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } });
    await fetch(invoice.hosted_invoice_url!, { method: 'POST', redirect: 'manual' });
    return (await stripe.invoices.retrieve(invoice.id)).status;
  };

  await stripe.invoices.voidInvoice(voided.invoice.id);

  expect(await payOn(voided)).toBe('void');
  expect((await paymentsOf(voided.invoice.id)).map(({ status }) => status)).toEqual(['canceled']);
  expect(await payOn(paid)).toBe('paid');
});

import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { deepSeed, isDeep } from '../../support/deep';
import { simulateYear } from '../../support/simulated-year';
import { testStripe } from '../../support/stripe-sandbox';

/** A long timeout for busy machines. */
const LONG_TIMEOUT = 120_000;
const testSandbox = await testStripe();
const { client } = testSandbox;
const seed = deepSeed();
const count = isDeep ? 200 : 40;
const year = await simulateYear(testSandbox, { count, seed });
const withSeed = (sentence: string) => `${sentence} (seed ${seed})`;

async function all<T>(kind: string): Promise<T[]> {
  const rows = await client<{ text: string }[]>`
    select data::text as text from sandbox_stripe.objects where kind = ${kind} order by number`;
  return rows.map(({ text }) => JSON.parse(text) as T);
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const invoices = await all<Stripe.Invoice>('invoice');
const charges = await all<Stripe.Charge>('charge');
const refunds = await all<Stripe.Refund>('refund');
const movements = await all<Stripe.BalanceTransaction>('balance_transaction');
const intents = await all<Stripe.PaymentIntent>('payment_intent');
const links = await all<Stripe.InvoicePayment>('invoice_payment');

test(withSeed('the year covers all kinds of activity'), () => {
  expect(year.members).toHaveLength(count);
  expect(Object.keys(year.actions).length).toBeGreaterThanOrEqual(11);
  expect(invoices.length).toBeGreaterThan(count * 6);
  expect(new Set(invoices.map(({ status }) => status))).toEqual(new Set(['paid', 'open', 'void']));
  expect(refunds.length).toBeGreaterThan(count / 10);
});

test(withSeed('each paid invoice was charged once for its amount, and nothing else was charged'), () => {
  const paid = invoices.filter(({ status, amount_paid }) => status === 'paid' && amount_paid > 0);
  const byIntent = new Map(charges.filter((charge) => charge.paid).map((charge) => [charge.payment_intent, charge]));

  for (const invoice of paid) {
    const link = links.find((one) => one.invoice === invoice.id);
    expect(byIntent.get(link?.payment.payment_intent ?? '')?.amount).toBe(invoice.amount_paid);
  }
  expect(byIntent.size).toBe(charges.filter((charge) => charge.paid).length);
  expect(paid).toHaveLength(byIntent.size);
  expect(sum(intents.map(({ amount_received }) => amount_received))).toBe(
    sum(paid.map(({ amount_paid }) => amount_paid)),
  );
});

test(withSeed('the balance is the charges less refunds and fees'), async () => {
  const of = (type: string) => movements.filter((movement) => movement.type === type);
  const balance = await testSandbox.stripe.balance.retrieve();

  expect(sum(of('charge').map(({ amount }) => amount))).toBe(
    sum(charges.filter(({ paid }) => paid).map(({ amount }) => amount)),
  );
  expect(sum(of('refund').map(({ amount }) => amount))).toBe(0 - sum(refunds.map(({ amount }) => amount)));
  expect(sum(charges.map(({ amount_refunded }) => amount_refunded))).toBe(sum(refunds.map(({ amount }) => amount)));
  expect(sum([...balance.available, ...balance.pending].map(({ amount }) => amount))).toBe(
    sum(movements.map(({ net }) => net)),
  );
  expect(movements.every(({ amount, fee, net }) => net === amount - fee)).toBe(true);
});

test(withSeed('every invoice adds up'), () => {
  for (const invoice of invoices) {
    const off = sum((invoice.total_discount_amounts ?? []).map(({ amount }) => amount));
    expect(invoice.subtotal).toBe(sum(invoice.lines.data.map(({ amount }) => amount)));
    expect(invoice.total).toBe(invoice.subtotal - off);
    if (invoice.ending_balance === null) continue;
    expect(invoice.amount_due).toBe(invoice.total + invoice.starting_balance - invoice.ending_balance);
    expect(invoice.amount_due).toBeGreaterThanOrEqual(0);
  }
});

test(withSeed('a customer’s balance equals the ending balance of their last finalized invoice'), async () => {
  const customers = await all<Stripe.Customer>('customer');

  for (const customer of customers) {
    const finished = invoices.filter((invoice) => invoice.customer === customer.id && invoice.ending_balance !== null);
    const last = finished.sort((a, b) => Number(a.number?.slice(-4)) - Number(b.number?.slice(-4))).at(-1);
    expect(customer.balance).toBe(last?.ending_balance ?? 0);
    expect(customer.next_invoice_sequence).toBe(finished.length + 1);
  }
});

test(withSeed('a subscription’s periods have no gaps'), () => {
  for (const { subscription } of year.members) {
    const cycles = invoices
      .filter(
        ({ parent, billing_reason }) =>
          parent?.subscription_details?.subscription === subscription && billing_reason === 'subscription_cycle',
      )
      .sort((a, b) => a.created - b.created);
    for (const [i, invoice] of cycles.entries()) {
      const before = cycles[i - 1];
      if (before) expect(invoice.period_start).toBeGreaterThanOrEqual(before.period_end);
      expect(invoice.created).toBe(invoice.period_end);
    }
  }
});

test(withSeed('each invoice, payment and refund has its event once'), async () => {
  const events = await all<{ type: string; data: { object: { id: string } } }>('event');
  const of = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data.object.id);
  const ids = (objects: { id: string }[]) => objects.map(({ id }) => id).sort();

  expect(of('invoice.created').sort()).toEqual(ids(invoices));
  expect(of('invoice.paid').sort()).toEqual(ids(invoices.filter(({ status }) => status === 'paid')));
  expect(of('invoice.voided').sort()).toEqual(ids(invoices.filter(({ status }) => status === 'void')));
  expect(of('charge.succeeded').sort()).toEqual(ids(charges.filter(({ paid }) => paid)));
  expect(of('charge.failed').sort()).toEqual(ids(charges.filter(({ paid }) => !paid)));
  expect(of('refund.created').sort()).toEqual(ids(refunds));
});

test(withSeed('replaying all events rebuilds the same state'), { timeout: LONG_TIMEOUT }, async () => {
  const state = new Map<string, string>();
  const rows = await client<{ text: string }[]>`
    select data::text as text from sandbox_stripe.objects where kind = 'event' order by number`;
  const events = rows.map(
    ({ text }) => JSON.parse(text) as { type: string; data: { object: { id: string; object: string } } },
  );

  for (const { data } of events) state.set(data.object.id, JSON.stringify(data.object));

  const kinds = [
    'customer',
    'subscription',
    'invoice',
    'charge',
    'payment_intent',
    'refund',
    'coupon',
    'product',
    'price',
    'payment_method',
    'discount',
  ];
  const kept = await client<{ id: string; text: string }[]>`
    select id, data::text as text from sandbox_stripe.objects where kind = any(${kinds}) order by 1`;
  const different = kept.filter(({ id, text }) => state.get(id) !== text).map(({ id }) => id);
  expect(different).toEqual([]);
  expect(kept.length).toBeGreaterThan(count * 25);
  expect(events.length).toBeGreaterThan(count * 50);
});

test(withSeed('every update event has the previous values'), { timeout: LONG_TIMEOUT }, async () => {
  const rows = await client<{ text: string }[]>`
    select data::text as text from sandbox_stripe.objects
    where kind = 'event' and data->>'type' = 'customer.subscription.updated' order by number`;
  const last = new Map<string, Record<string, unknown>>();

  for (const { text } of rows) {
    const { data } = JSON.parse(text) as {
      data: { object: { id: string }; previous_attributes: Record<string, unknown> };
    };
    expect(Object.keys(data.previous_attributes)).not.toEqual([]);
    const before = last.get(data.object.id);
    for (const [name, value] of Object.entries(data.previous_attributes))
      if (before) expect(before[name] ?? null).toEqual(value);
    last.set(data.object.id, data.object as never);
  }
});

import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { addMonths } from '~/server/sandbox/stripe/arithmetic/billing-dates';
import { percentOf } from '~/server/sandbox/stripe/arithmetic/shares';
import { dice, simulateYear } from '../support/simulated-year';
import { testStripe } from '../support/stripe-sandbox';

/** For machines that have much else to do. */
const LONG = 120_000;
const ground = await testStripe();
const { client } = ground;
const year = await simulateYear(ground, { count: 200, seed: 20_261_121 });

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

test('the year had something of everything', () => {
  expect(year.members).toHaveLength(200);
  expect(Object.keys(year.actions).length).toBeGreaterThanOrEqual(11);
  expect(invoices.length).toBeGreaterThan(1200);
  expect(new Set(invoices.map(({ status }) => status))).toEqual(new Set(['paid', 'open', 'void']));
  expect(refunds.length).toBeGreaterThan(20);
});

test('each paid invoice was charged once, for its amount, and nothing else was charged', () => {
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

test('the balance is what came in, less what went back, less fees', async () => {
  const of = (type: string) => movements.filter((movement) => movement.type === type);
  const balance = await ground.stripe.balance.retrieve();

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

test('every invoice adds up', () => {
  for (const invoice of invoices) {
    const off = sum((invoice.total_discount_amounts ?? []).map(({ amount }) => amount));
    expect(invoice.subtotal).toBe(sum(invoice.lines.data.map(({ amount }) => amount)));
    expect(invoice.total).toBe(invoice.subtotal - off);
    if (invoice.ending_balance === null) continue;
    expect(invoice.amount_due).toBe(invoice.total + invoice.starting_balance - invoice.ending_balance);
    expect(invoice.amount_due).toBeGreaterThanOrEqual(0);
  }
});

test('a customer’s balance is where their last finished invoice left it', async () => {
  const customers = await all<Stripe.Customer>('customer');

  for (const customer of customers) {
    const finished = invoices.filter((invoice) => invoice.customer === customer.id && invoice.ending_balance !== null);
    const last = finished.sort((a, b) => Number(a.number?.slice(-4)) - Number(b.number?.slice(-4))).at(-1);
    expect(customer.balance).toBe(last?.ending_balance ?? 0);
    expect(customer.next_invoice_sequence).toBe(finished.length + 1);
  }
});

test('the periods of a subscription follow one another without gaps', () => {
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

test('replaying the events from nothing makes the same state', { timeout: LONG }, async () => {
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
    select id, data::text as text from sandbox_stripe.objects where kind = any(${kinds})`;
  const different = kept.filter(({ id, text }) => state.get(id) !== text).map(({ id }) => id);
  expect(different).toEqual([]);
  expect(kept.length).toBeGreaterThan(5000);
  expect(events.length).toBeGreaterThan(10_000);
});

test('every update tells what was before', { timeout: LONG }, async () => {
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

test('a calm year comes to its closed form, to the cent', { timeout: LONG }, async () => {
  const { stripe, payments, sandbox, clock } = await testStripe();
  const chance = dice(7);
  const begin = clock.now;
  const made: { customer: string; expected: number }[] = [];
  for (let i = 0; i < 80; i += 1) {
    const price = 100 + chance.below(9000);
    const percent = 1 + chance.below(99);
    const months = chance.below(13);
    const trialDays = chance.below(40);
    const { id: customer } = await stripe.customers.create({});
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const length = months === 0 ? ('forever' as const) : { months };
    const { id: coupon } = await payments.createCoupon({ id: `c${i}`, off: { percent }, length }, `c${i}`);
    const said = {
      customer,
      card,
      coupon,
      name: 'x',
      every: 'month' as const,
      reference: {},
      price: { minor: price, currency: 'eur' as const },
    };
    await payments.subscribe({ ...said, ...(trialDays > 0 && { trialDays }) }, `s${i}`);
    made.push({ customer, expected: closedForm({ begin, price, percent, months, trialDays }) });
  }

  clock.now = new Date(addMonths(begin.getTime() / 1000, 12) * 1000);
  await sandbox.tick();

  for (const { customer, expected } of made) {
    const total = sum((await payments.listInvoices(customer, 50)).map((invoice) => invoice.total.minor));
    expect(total).toBe(expected);
  }
});

/** So many whole periods begin within the year; those before the coupon's end are discounted. */
function closedForm(said: { begin: Date; price: number; percent: number; months: number; trialDays: number }): number {
  const begin = said.begin.getTime() / 1000;
  const first = begin + said.trialDays * 86_400;
  const couponEnd = said.months === 0 ? Number.POSITIVE_INFINITY : addMonths(begin, said.months);
  const starts = Array.from({ length: 13 }, (_, i) => addMonths(first, i)).filter(
    (start) => start <= addMonths(begin, 12),
  );
  return sum(starts.map((start) => said.price - (start < couponEnd ? percentOf(said.price, said.percent) : 0)));
}

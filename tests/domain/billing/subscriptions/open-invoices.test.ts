import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales, subscriptions } from '~/db/schema/billing';
import { DAYS, HOURS, later } from '~/server/base/time';
import { remindAllOverdue, remindOrEnd } from '~/server/domain/billing/payers/overdue';
import { tellEnd } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { remindOverdue } from '~/server/queue/jobs/billing';
import { runJobs } from '../../../support/run-jobs';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, make, paidPodcast, fetch, clock, settle, buy, pass, payments, stripe } = await shop();
const { db } = runtime;
const RENEWAL_FAILS = '4000000000000044';
const rowOf = async (userId: number) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.userId, userId)))[0]!;
const salesOf = (userId: number) => db.select().from(sales).where(eq(sales.userId, userId)).orderBy(sales.id);

/** A subscriber whose renewal was declined, and its open invoice. */
async function overdue() {
  const { id } = await make.person();
  await buy(showItem(paidPodcast, { userId: id }), RENEWAL_FAILS);
  await settle();
  await pass(later((await rowOf(id)).periodEnd, HOURS(2)));
  const { customerId, latestInvoice } = await rowOf(id);
  const invoice = await stripe.invoices.retrieve(latestInvoice!);
  expect(invoice.status).toBe('open');
  return { id, customer: customerId, invoice };
}
const newCard = async (customer: string) => {
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } });
  return card;
};

test('a renewal that is paid with another payment is recorded with that payment', async () => {
  const { id, customer, invoice } = await overdue();
  const paid = await stripe.paymentIntents.create({
    ...{ amount: invoice.amount_due, currency: 'eur', customer, confirm: true },
    payment_method: await newCard(customer),
  });

  await stripe.invoices.attachPayment(invoice.id, { payment_intent: paid.id });
  await settle();

  expect((await rowOf(id)).pastDueSince).toBeNull();
  expect((await salesOf(id)).map(({ paymentId }) => paymentId)).toContain(paid.id);
  const { periodEnd } = await rowOf(id);
  const [part] = (await payments.previewEnd((await rowOf(id)).providerId, later(periodEnd, -DAYS(10)))).refunds;
  expect(part).toMatchObject({ payment: paid.id });
});

test.each(['unpaid', 'canceled'])('nobody can pay for a subscription that has ended (%s)', async (how) => {
  const { id, customer, invoice } = await overdue();
  if (how === 'canceled') await tellEnd(ctx, await rowOf(id), { when: 'now' });
  else {
    await pass(later(clock.now, DAYS(14)));
    await remindAllOverdue(ctx);
    await runJobs(runtime, remindOverdue.name, (payload, of) => remindOrEnd(of, payload));
  }
  await settle();
  expect((await rowOf(id)).endedAt).not.toBeNull();

  await newCard(customer);
  await fetch(invoice.hosted_invoice_url!, { method: 'POST', redirect: 'manual' });
  await settle();

  expect((await stripe.invoices.retrieve(invoice.id)).status).toBe('void');
  expect(await salesOf(id)).toHaveLength(1);
});

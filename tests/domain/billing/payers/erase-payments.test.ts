import { and, eq, ne } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { checkouts, paymentCards, paymentCustomers } from '~/db/schema/checkouts';
import { outbox } from '~/db/schema/notifications';
import { type CheckoutItem, openCheckout } from '~/server/domain/billing/checkout/checkouts';
import {
  closeErased,
  eraseCustomer,
  erasePayments,
  recoverErasures,
} from '~/server/domain/billing/payers/erase-payments';
import { reportCheckout } from '~/server/domain/billing/payers/report-checkout';
import { endQueued } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { endSubscriptionsOf } from '~/server/domain/billing/subscriptions/show-endings';
import {
  closeErasedCheckout,
  deleteCustomer,
  endSubscription,
  reportCheckout as reportJob,
} from '~/server/queue/jobs/billing';
import { runJobs } from '../../../support/run-jobs';
import { ADDRESSES, GOOD_CARD, shop, showItem } from '../../../support/shop';

const { runtime, ctx, clock, make, lucia, paidPodcast, fetch, payments, buy, settle } = await shop();
const { db } = runtime;
const customersOf = (userId: number) =>
  db.select().from(paymentCustomers).where(eq(paymentCustomers.userId, userId)).orderBy(paymentCustomers.providerId);
const closePages = () => runJobs(runtime, closeErasedCheckout.name, (payload, job) => closeErased(job, payload));
const eraseCustomers = () => runJobs(runtime, deleteCustomer.name, (payload, job) => eraseCustomer(job, payload));
const endAll = () => runJobs(runtime, endSubscription.name, (payload, job) => endQueued(job, payload));
const isGone = async (customer: string) => (await payments.fetch.customer(customer)).deleted;

async function leaver() {
  const person = await make.person();
  await db.update(users).set({ emailVerifiedAt: clock.now }).where(eq(users.id, person.id));
  return person;
}
/** This room's part of an account deletion, without its last step. */
async function erase(userId: number): Promise<void> {
  await erasePayments(ctx, { userId });
  await endSubscriptionsOf(ctx, { userId });
  await db.update(users).set({ deletedAt: clock.now, emailVerifiedAt: null }).where(eq(users.id, userId));
}
const donation = (buyer: CheckoutItem['buyer'], every: 'month' | null = null): Omit<CheckoutItem, 'paths'> => ({
  purpose: 'donation',
  buyer,
  creatorId: lucia.creatorId,
  terms: {
    name: 'Lucía',
    priceMinor: 700,
    currency: 'eur',
    every,
    donation: { name: 'Anita', message: 'Ánimo', isAnonymous: false },
  },
});

test('the customers of a deleted account are deleted at the provider, once nothing runs', async () => {
  const [person, other] = [await leaver(), await leaver()];
  await buy(showItem(paidPodcast, { userId: person.id }));
  await buy(donation({ email: person.email, browserHash: 'guest' }));
  await buy(showItem(paidPodcast, { userId: other.id }));
  await settle();
  await erase(person.id);
  const own = (await customersOf(person.id)).map(({ providerId }) => providerId);
  expect(own).toHaveLength(2);
  const [{ customerId } = { customerId: '' }] = await db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.userId, person.id));

  await eraseCustomers();
  expect(await isGone(customerId)).toBe(false);

  await endAll();
  await recoverErasures(ctx);
  await eraseCustomers();
  await settle();

  expect(await Promise.all(own.map(isGone))).toEqual([true, true]);
  expect(await customersOf(person.id)).toEqual([]);
  expect(await db.$count(paymentCards, eq(paymentCards.userId, person.id))).toBe(0);
  const [kept] = await customersOf(other.id);
  await recoverErasures(ctx);
  await eraseCustomers();
  expect(await isGone(kept!.providerId)).toBe(false);
});

test('the receipts of a deleted customer stay, and their payments can be refunded', async () => {
  const person = await leaver();
  await buy(showItem(paidPodcast, { userId: person.id }));
  await settle();
  await erase(person.id);
  await endAll();
  await recoverErasures(ctx);
  await eraseCustomers();

  const [sale] = await db.select().from(sales).where(eq(sales.userId, person.id));
  await payments.refund(sale!.paymentId, { reference: {} }, `refund/${sale!.id}`);
  await settle();

  const [after] = await db.select().from(sales).where(eq(sales.userId, person.id));
  expect(after).toMatchObject({ refundedMinor: sale!.amountMinor, receiptNumber: sale!.receiptNumber });
});

test('the open payment pages of a deleted account close, and the rows written for them are deleted', async () => {
  const person = await leaver();
  const { id } = await openCheckout(ctx, { ...donation({ userId: person.id }, 'month'), paths: ADDRESSES });
  await erase(person.id);
  await closePages();

  const [row] = await db.select().from(checkouts).where(eq(checkouts.id, id));
  expect(row).toMatchObject({ status: 'closed', browserHash: null });
  expect(JSON.stringify(row)).not.toMatch(/Anita|Ánimo/);
  expect(await payments.fetch.checkout(row!.providerId!)).toMatchObject({ status: 'expired' });
});

test.each([
  ['a subscription', (userId: number) => showItem(paidPodcast, { userId })],
  ['a monthly donation', (userId: number) => donation({ userId }, 'month')],
  ['a donation', (userId: number) => donation({ userId })],
])('%s that is paid while the account is deleted ends, is refunded, and no email reports it', async (_, itemOf) => {
  const person = await leaver();
  const { id, url } = await openCheckout(ctx, { ...itemOf(person.id), paths: ADDRESSES });
  await erase(person.id);
  await payByForms(fetch, url, { number: GOOD_CARD, email: 'oyente@mail.example', proven: true });
  await settle();
  await settle();
  while ((await runJobs(runtime, reportJob.name, (payload, job) => reportCheckout(job, payload))) > 0);

  const [row] = await db.select().from(checkouts).where(eq(checkouts.id, id));
  expect(row).toMatchObject({ status: 'settled', refusedFor: 'not_for_sale' });
  expect(JSON.stringify(row)).not.toMatch(/Anita|Ánimo/);
  const [sale] = await db.select().from(sales).where(eq(sales.checkoutId, id));
  expect(sale!.refundedMinor).toBe(sale!.amountMinor);
  const running = and(eq(subscriptions.userId, person.id), eq(subscriptions.status, 'active'));
  expect(await db.$count(subscriptions, running)).toBe(0);
  const reports = and(eq(outbox.userId, person.id), ne(outbox.topic, 'verify_email'));
  expect(await db.$count(outbox, reports)).toBe(0);
});

test('with the account, the name goes that the buyer told on the payment page', async () => {
  const person = await leaver();
  const item = showItem(paidPodcast, { userId: person.id });
  await buy({ ...item, terms: { ...item.terms, buyerName: 'Rosa Prat' } });
  await settle();

  await erase(person.id);

  const rows = await db.select().from(checkouts).where(eq(checkouts.userId, person.id)).orderBy(checkouts.id);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain('Rosa');
});

import { eq, isNull, like } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { paymentEvents } from '~/db/schema/checkouts';
import { ledgerEntries } from '~/db/schema/ledger';
import { outbox } from '~/db/schema/notifications';
import { providerEntries, reconciliationDifferences, reconciliations } from '~/db/schema/reconciliation';
import { noPayments } from '~/server/adapters/payments/stripe';
import { DAYS, HOURS, later } from '~/server/base/time';
import { reconcileBooks, reconcileNightly } from '~/server/domain/billing/books/reconcile-books';
import { enterProviderFee } from '~/server/domain/payouts/provider-movements';
import { transact } from '~/server/runtime/ctx';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, make, lucia, paidPodcast, payments, stripe, sandbox, clock, settle, buy, pass } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 1500 });
const DISPUTED = '4000000000000259';
const open = () =>
  db
    .select()
    .from(reconciliationDifferences)
    .where(isNull(reconciliationDifferences.resolvedAt))
    .orderBy(reconciliationDifferences.key);

async function sold(show: typeof paidPodcast = series, card?: string) {
  const { id } = await make.person();
  await buy(showItem(show, { userId: id }), card);
  return id;
}
const saleOf = async (userId: number) => (await db.select().from(sales).where(eq(sales.userId, userId)))[0]!;
/** Waits until both books have settled. */
const aDay = () => pass(later(clock.now, HOURS(26)));

test('sales, fees, refunds, failed refunds, disputes and payouts are the same in both books', async () => {
  const [buyer, unlucky] = [await sold(), await sold(series, '4000000000005126')];
  await sold(paidPodcast);
  await settle();
  for (const text of ['winning_evidence', 'losing_evidence'] as const) {
    const id = await sold(series, DISPUTED);
    await settle();
    const { paymentId } = await saleOf(id);
    const { data } = await stripe.disputes.list({ payment_intent: paymentId });
    await payments.answerDispute(data[0]!.id, text, text);
  }
  for (const id of [buyer, unlucky]) {
    const { paymentId } = await saleOf(id);
    await payments.refund(paymentId, { amount: { minor: 400, currency: 'eur' }, reference: {} }, `refund/${id}`);
  }
  await pass(later(clock.now, DAYS(10)));
  await payments.payOut({ minor: 500, currency: 'eur' }, 'out');
  await aDay();

  expect(await reconcileBooks(ctx)).toEqual({ entries: expect.any(Number), differences: 0 });

  expect((await db.select().from(providerEntries)).length).toBeGreaterThan(12);
  const kinds = (await db.select().from(ledgerEntries).orderBy(ledgerEntries.id)).map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['refund_failed', 'dispute_won', 'dispute_fee', 'provider_payout']));
  // copied rows are not copied again
  expect((await reconcileBooks(ctx)).entries).toBe(0);
});

test('a payment whose events were all lost is found, and written', async () => {
  const id = await sold();
  await sandbox.capture();
  await db.delete(paymentEvents);
  clock.now = later(clock.now, HOURS(26));
  expect(await db.$count(sales, eq(sales.userId, id))).toBe(0);

  expect((await reconcileBooks(ctx)).differences).toBe(0);

  expect(await saleOf(id)).toMatchObject({ amountMinor: 1500 });
});

test('an unexplained difference is shown with its creator and show until both books agree', async () => {
  const id = await sold();
  await settle();
  const sale = await saleOf(id);
  const [charge] = await db
    .select()
    .from(ledgerEntries)
    .where(eq(ledgerEntries.key, `fee/${sale.paymentId}`));
  expect(charge).toBeDefined();
  await transact(ctx, (tx) => enterProviderFee(tx, { id: 'invented', minor: 77, currency: 'eur', at: clock.now }));
  await aDay();
  await reconcileBooks(ctx);
  // the provider changes the recorded charges
  await db
    .update(providerEntries)
    .set({ amountMinor: -1 })
    .where(eq(providerEntries.key, `fee/${sale.paymentId}`));
  await reconcileBooks(ctx);

  expect(await open()).toMatchObject([
    {
      ...{ key: `fee/${sale.paymentId}`, oursMinor: -sale.providerFeeMinor!, theirsMinor: -1 },
      ...{ creatorId: lucia.creatorId, productId: series.id },
    },
    { key: 'provider-fee/invented', oursMinor: -77, theirsMinor: null, creatorId: null },
  ]);
  const emails = await db.select().from(outbox).where(eq(outbox.topic, 'books_differ')).orderBy(outbox.createdAt);
  expect(emails.map(({ to }) => to)).toEqual([ctx.settings.operator.email, ctx.settings.operator.email]);

  const right = { amountMinor: -sale.providerFeeMinor! };
  await db
    .update(providerEntries)
    .set(right)
    .where(eq(providerEntries.key, `fee/${sale.paymentId}`));
  expect((await reconcileBooks(ctx)).differences).toBe(1);
  expect((await db.select().from(outbox).where(eq(outbox.topic, 'books_differ'))).length).toBe(2);
});

test('a difference stays open until both books agree, even after the compared period', async () => {
  const id = await sold();
  await settle();
  const { paymentId } = await saleOf(id);
  await aDay();
  await reconcileBooks(ctx);
  const theirs = eq(providerEntries.key, `sale/${paymentId}`);
  const key = { key: `sale/${paymentId}` };
  await db.update(providerEntries).set({ amountMinor: 1400 }).where(theirs);
  await reconcileBooks(ctx);
  expect(await open()).toContainEqual(expect.objectContaining({ ...key, oursMinor: 1500, theirsMinor: 1400 }));

  await pass(later(clock.now, DAYS(130)));
  await reconcileBooks(ctx);
  expect(await open()).toContainEqual(expect.objectContaining({ ...key, oursMinor: 1500, theirsMinor: 1400 }));
  await db.update(providerEntries).set({ amountMinor: 1300 }).where(theirs);
  await reconcileBooks(ctx);
  expect(await open()).toContainEqual(expect.objectContaining({ ...key, oursMinor: 1500, theirsMinor: 1300 }));
  await db.update(providerEntries).set({ amountMinor: 1500 }).where(theirs);
  await reconcileBooks(ctx);
  expect(await open()).not.toContainEqual(expect.objectContaining(key));
});

test('differences beyond a thousand are stored night by night, and those that are stored stay open', async () => {
  const before = await open();
  const invented = Array.from({ length: 1200 }, (_, i) => ({
    ...{ id: `txn_invented${i}`, kind: 'other' as const, key: `unknown/txn_invented${i}`, amountMinor: 1 },
    ...{ currency: 'eur', at: later(clock.now, -DAYS(10)) },
  }));
  await db.insert(providerEntries).values(invented);

  expect((await reconcileBooks(ctx)).differences).toBe(before.length + 1000);
  expect((await reconcileBooks(ctx)).differences).toBe(before.length + 1200);
  expect((await reconcileBooks(ctx)).differences).toBe(before.length + 1200);
  await db.update(providerEntries).set({ amountMinor: 0 }).where(like(providerEntries.id, 'txn_invented%'));
  expect((await reconcileBooks(ctx)).differences).toBe(before.length);
});

test('an interrupted comparison is repeated from where the last whole one began', async () => {
  await sold();
  await settle();
  await aDay();
  const broken = { ...runtime.ports.payments, listBookEntries: async () => Promise.reject(new Error('killed')) };
  const before = await db.$count(providerEntries);
  await expect(reconcileBooks({ ...ctx, ports: { ...ctx.ports, payments: broken } })).rejects.toThrow('killed');

  const { differences, entries } = await reconcileBooks(ctx);

  expect([differences, entries]).toEqual([1, (await db.$count(providerEntries)) - before]);
  expect(entries).toBeGreaterThan(0);
  expect(await db.$count(reconciliations, isNull(reconciliations.finishedAt))).toBe(1);
});

test('without payments, the night passes quietly', async () => {
  await expect(reconcileNightly({ ...ctx, ports: { ...ctx.ports, payments: noPayments() } })).resolves.toBeUndefined();
});

import { and, eq } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { ledgerEntries } from '~/db/schema/ledger';
import { DAYS, HOURS, later } from '~/server/base/time';
import { reconcileBooks } from '~/server/domain/billing/books/reconcile-books';
import { learnFee } from '~/server/domain/billing/provider-sync/learn-fee';
import { syncPayment } from '~/server/domain/billing/provider-sync/sync-checkout';
import { writeEntry } from '~/server/domain/payouts/ledger';
import { balancesOf } from '~/server/domain/payouts/queries';
import { transact } from '~/server/runtime/ctx';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, make, lucia, paidPodcast, payments, sandbox, clock, handleEvents, settle, buy, pauseAt } =
  await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 1500 });

afterEach(() => sandbox.injectFaults({ duplicates: 0, reorder: false, lose: 0 }));

const saleOf = async (userId: number) => (await db.select().from(sales).where(eq(sales.userId, userId)))[0];
async function bought(show: typeof paidPodcast = series): Promise<number> {
  const { id } = await make.person();
  await buy(showItem(show, { userId: id }));
  return id;
}
/** A payment that is not captured yet. */
async function soldBeforeCapture(show: typeof paidPodcast = series) {
  const id = await bought(show);
  await handleEvents();
  const found = await saleOf(id);
  expect(found).toMatchObject({ providerFeeMinor: null, providerFeeCurrency: null, availableAt: null });
  return found!;
}
/** The fee of the sale, and its entries in the books. */
async function feeOf(userId: number) {
  const { id, ...sale } = (await saleOf(userId))!;
  const { fee, availableAt } = await payments.fetch.payment(sale.paymentId);
  expect([sale.providerFeeMinor, sale.providerFeeCurrency]).toEqual([fee!.minor, fee!.currency]);
  expect(sale.availableAt).toEqual(availableAt);
  const isFee = and(eq(ledgerEntries.saleId, id), eq(ledgerEntries.kind, 'processor_fee'));
  return { minor: fee!.minor, entries: await db.$count(ledgerEntries, isFee) };
}
const ONCE = { minor: expect.any(Number), entries: 1 };

test.each(['purchase', 'subscription'])('the fee of a %s is written once the charge is captured', async (what) => {
  const { userId } = await soldBeforeCapture(what === 'purchase' ? series : paidPodcast);

  await sandbox.capture();
  await sandbox.injectFaults({ duplicates: 2 });
  await handleEvents();

  expect(await feeOf(userId!)).toEqual(ONCE);
});

test('the news of the capture may arrive before that of the payment', async () => {
  const ids = [await bought(), await bought(paidPodcast)];
  await sandbox.capture();
  await sandbox.injectFaults({ reorder: true });

  await handleEvents();

  for (const id of ids) expect(await feeOf(id)).toEqual(ONCE);
});

test('a capture that is reported while the sale is being written, from an answer without the fee, is not missed', async () => {
  const { id: userId } = await make.person();
  await buy(showItem(series, { userId }));
  const [newest] = await payments.listPayments({ limit: 1 });
  const payment = newest!.id;
  const pause = pauseAt('payment.fetched');
  const older = syncPayment(ctx, payment);
  await pause.reachedBy(older);
  await sandbox.capture();

  await learnFee(ctx, payment);
  pause.goOn();
  await older;

  expect(await feeOf(userId)).toEqual(ONCE);
});

test('two workers that learn a fee at the same time write it once', async () => {
  const { userId, paymentId } = await soldBeforeCapture();
  await sandbox.capture();
  const pause = pauseAt('fee.fetched');
  const slow = learnFee(ctx, paymentId);
  await pause.reachedBy(slow);

  await learnFee(ctx, paymentId);
  pause.goOn();
  await slow;

  expect(await feeOf(userId!)).toEqual(ONCE);
});

test('a process that is killed before it writes the fee has written nothing, and the next one does', async () => {
  const { userId, paymentId } = await soldBeforeCapture();
  await sandbox.capture();
  const killed = async () => Promise.reject(new Error('killed'));
  await expect(learnFee({ ...ctx, reach: killed }, paymentId)).rejects.toThrow('killed');
  expect(await saleOf(userId!)).toMatchObject({ providerFeeMinor: null, availableAt: null });

  await handleEvents();

  expect(await feeOf(userId!)).toEqual(ONCE);
});

test('fees whose events were lost are entered from the provider’s books, however many', async () => {
  const lost = [await soldBeforeCapture(), await soldBeforeCapture(paidPodcast)];
  await sandbox.capture();
  await sandbox.injectFaults({ lose: 100 });
  await handleEvents();
  clock.now = later(clock.now, HOURS(26));
  const refused = async () => Promise.reject(new Error('not asked for each payment'));
  const busy = { ...payments, fetch: { ...payments.fetch, payment: refused } };

  const { differences } = await reconcileBooks({ ...ctx, ports: { ...ctx.ports, payments: busy } });

  expect(differences).toBe(0);
  for (const { userId } of lost) expect(await feeOf(userId!)).toEqual(ONCE);
});

test('a share whose fee the former release has entered meanwhile moves to its day at night, once', async () => {
  const sale = await soldBeforeCapture();
  const { id, paymentId, creatorId, currency, paidAt: at } = sale;
  await sandbox.capture();
  await sandbox.injectFaults({ lose: 100 });
  await handleEvents();
  const { fee, availableAt } = await payments.fetch.payment(paymentId);
  await transact(ctx, async (tx) => {
    await tx.db.update(sales).set({ providerFeeMinor: fee!.minor }).where(eq(sales.id, id));
    await writeEntry(tx, { kind: 'processor_fee', key: `fee/${paymentId}`, at, currency, sale }, [
      { account: 'provider_fees', minor: fee!.minor },
      { account: 'provider_balance', minor: -fee!.minor },
    ]);
  });
  const waiting = async () =>
    (await balancesOf(ctx, creatorId))[0]!.pending.filter((part) => part.availableAt === null);
  expect(await waiting()).toEqual([{ minor: expect.any(Number), availableAt: null }]);
  const { pendingMinor } = (await balancesOf(ctx, creatorId))[0]!;

  for (let night = 0; night < 2; night += 1) {
    clock.now = later(clock.now, HOURS(26));
    expect(await reconcileBooks(ctx)).toMatchObject({ differences: 0 });
  }

  expect(await saleOf(sale.userId!)).toMatchObject({ providerFeeMinor: fee!.minor, availableAt });
  expect(await waiting()).toEqual([]);
  expect((await balancesOf(ctx, creatorId))[0]).toMatchObject({ pendingMinor });
});

test('a payment that is not captured for some days is no difference of the books; later it is', async () => {
  sandbox.setTiming({ captureSeconds: 10 * 86_400 });
  await settle();
  await soldBeforeCapture();
  sandbox.setTiming({ captureSeconds: 3 });
  clock.now = later(clock.now, DAYS(2));
  expect(await reconcileBooks(ctx)).toMatchObject({ differences: 0 });

  clock.now = later(clock.now, DAYS(2));
  expect(await reconcileBooks(ctx)).toMatchObject({ differences: 1 });

  await settle();
  clock.now = later(clock.now, DAYS(1));
  expect(await reconcileBooks(ctx)).toMatchObject({ differences: 0 });
});

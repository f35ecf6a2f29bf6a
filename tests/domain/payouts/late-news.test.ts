import { eq, sum } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { disputes, sales } from '~/db/schema/billing';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { DAYS, later } from '~/server/base/time';
import { lookupCheckout } from '~/server/domain/billing/base/queries';
import { recordSale } from '~/server/domain/billing/base/sales';
import { settleCheckout } from '~/server/domain/billing/checkout/settle-checkout';
import { enterDisputeWon, enterRefund } from '~/server/domain/payouts/ledger';
import { balancesOf } from '~/server/domain/payouts/queries';
import { transact } from '~/server/runtime/ctx';
import { shop, showItem } from '../../support/shop';

const REFUND_FAILS = '4000000000005126';
const { runtime, ctx, make, payments, clock, settle, buy, pass } = await shop();
const { db } = runtime;

async function newSeries() {
  const creator = await make.creator({ name: 'Nueva' });
  const show = await make.product(creator, { kind: 'audio_series', name: 'Serie', priceMinor: 1000 });
  const { id: userId } = await make.person();
  const saleOf = async () => (await db.select().from(sales).where(eq(sales.userId, userId)))[0]!;
  return { creatorId: creator.creatorId, item: showItem(show, { userId }), saleOf };
}
const kindsOf = async (saleId: number) => {
  const rows = await db.select().from(ledgerEntries).where(eq(ledgerEntries.saleId, saleId)).orderBy(ledgerEntries.id);
  return rows.map(({ kind }) => kind);
};

test('a fee that the provider names later enters the books', async () => {
  const { item, saleOf } = await newSeries();
  const checkoutId = await buy(item);
  const checkout = await transact(ctx, (tx) => settleCheckout(tx, { checkoutId, subscription: null }));
  const { providerId } = (await lookupCheckout(ctx, checkoutId))!;
  const { payment: paid } = await payments.fetch.checkout(providerId!);
  const payment = await payments.fetch.payment(paid!);
  await recordSale(ctx, { payment, invoice: null, checkout, subscription: null });
  const sale = await saleOf();
  expect([sale.providerFeeMinor, await kindsOf(sale.id)]).toEqual([null, ['sale']]);

  await settle();

  expect((await saleOf()).providerFeeMinor).toBe((await payments.fetch.payment(paid!)).fee!.minor);
  expect(await kindsOf(sale.id)).toEqual(['sale', 'processor_fee']);
});

test('an amount returned from a pending sale is pending as long as the sale', async () => {
  const { creatorId, item, saleOf } = await newSeries();
  await buy(item, REFUND_FAILS);
  await settle();
  const [before] = await balancesOf(ctx, creatorId);
  const { paymentId } = await saleOf();
  await payments.refund(paymentId, { amount: { minor: 400, currency: 'eur' }, reference: {} }, 'fails');
  await settle();
  expect((await balancesOf(ctx, creatorId))[0]).toMatchObject({ availableMinor: 0 });

  await pass(later(clock.now, DAYS(3)));

  expect(await kindsOf((await saleOf()).id)).toContain('refund_failed');
  expect((await balancesOf(ctx, creatorId))[0]).toEqual(before);
});

test('a refund between a won dispute and the return of its money leaves nothing of the sale to anybody', async () => {
  const { item, saleOf } = await newSeries();
  await buy(item, '4000000000000259');
  await settle();
  const sale = await saleOf();
  const [dispute] = await db.select().from(disputes).where(eq(disputes.saleId, sale.id));
  const { amountMinor: minor } = sale;

  await transact(ctx, (tx) => enterRefund(tx, sale, { id: 're_between', minor, soFarMinor: minor, at: clock.now }));
  for (let times = 0; times < 2; times += 1)
    await transact(ctx, (tx) => enterDisputeWon(tx, sale, { id: dispute!.providerId, at: clock.now }));

  const left = await db
    .select({ account: ledgerLines.account, minor: sum(ledgerLines.amountMinor).mapWith(Number) })
    .from(ledgerLines)
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerLines.entryId))
    .where(eq(ledgerEntries.saleId, sale.id))
    .groupBy(ledgerLines.account)
    .orderBy(ledgerLines.account);
  const fees = ['provider_balance', 'provider_fees'];
  expect(left.filter(({ account, minor: rest }) => rest !== 0 && !fees.includes(account))).toEqual([]);
});

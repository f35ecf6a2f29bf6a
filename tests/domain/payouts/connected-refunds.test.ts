import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { syncDispute } from '~/server/domain/billing/provider-sync/disputes';
import { syncRefunds } from '~/server/domain/billing/refunds/refunds';
import { enterSale } from '~/server/domain/payouts/ledger';
import { onAccount } from '~/server/domain/payouts/seller-status';
import { transact } from '~/server/runtime/ctx';
import { movingShop } from '../../support/moving-shop';
import { showItem } from '../../support/shop';

const { runtime, ctx, make, connect, newCreator, payments, stripe, sandbox, settle, buy } = await movingShop();
const { db } = runtime;

const template = await soldHere();
/** A sale on our account; sales on the creator's own account share its data. */
async function soldHere() {
  const { creator } = await newCreator();
  const series = await make.product(creator, { kind: 'audio_series', name: 'Serie', priceMinor: 1001 });
  await buy(showItem(series, { userId: (await make.person()).id }));
  await settle();
  const [sale] = await db.select().from(sales).where(eq(sales.productId, series.id));
  return sale!;
}

/** A payment of 10.01 € to the creator's own account, of which we get 0.55 €. */
async function soldThere(card = 'pm_card_visa') {
  const account = await connect(await newCreator());
  const payment = { amount: 1001, currency: 'eur', confirm: true, payment_method: card, application_fee_amount: 55 };
  const { id: paymentId } = await stripe.paymentIntents.create(payment, { stripeAccount: account });
  await sandbox.capture();
  const { id: _, receiptNumber, ...facts } = template;
  const there = { paymentId, sellerAccount: account, legalEntity: account, receiptNumber: 1 };
  const [sale] = await db
    .insert(sales)
    .values({ ...facts, ...there, vatMinor: 0, commissionMinor: 55 })
    .returning();
  await transact(ctx, (tx) => enterSale(tx, sale!));
  return { account, sale: sale! };
}

/** Our share of a payment, according to our books and to the provider. */
async function ours(account: string, saleId: number) {
  const [booked] = await db
    .select({ minor: sql<number>`sum(${ledgerLines.amountMinor})`.mapWith(Number) })
    .from(ledgerLines)
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerLines.entryId))
    .where(sql`${ledgerEntries.saleId} = ${saleId} and ${ledgerLines.account} = 'provider_balance'`);
  const fees = await payments.listApplicationFees({ limit: 100 });
  const [fee] = fees.filter((each) => each.account === account);
  return [booked!.minor, fee!.amount.minor - fee!.refunded.minor];
}

test('our fee goes back in parts that add up to it, in the books as at the provider', async () => {
  const { account, sale } = await soldThere();
  expect(await ours(account, sale.id)).toEqual([55, 55]);

  const left: number[][] = [];
  for (const [part, minor] of [7, 7, 7, 333, 333, 314].entries()) {
    const request = { amount: { minor, currency: 'eur' as const }, reference: { fee: 'returned' }, returnFee: true };
    await payments.on(account).refund(sale.paymentId, request, `part/${part}`);
    await syncRefunds(ctx, sale.paymentId);
    left.push(await ours(account, sale.id));
  }

  for (const [booked, held] of left) expect(booked).toBe(held);
  expect(left.at(-1)).toEqual([0, 0]);
});

test('a dispute on the creator’s own account takes nothing of ours', async () => {
  const { account, sale } = await soldThere('pm_card_createDispute');
  const { data } = await stripe.disputes.list({ payment_intent: sale.paymentId }, { stripeAccount: account });

  await syncDispute(onAccount(ctx, account), data[0]!.id);

  expect(await ours(account, sale.id)).toEqual([55, 55]);
});

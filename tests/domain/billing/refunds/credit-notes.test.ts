import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { creditNotes } from '~/db/schema/credit-notes';
import { DAYS, later } from '~/server/base/time';
import { findMyReceipt, listMyReceipts } from '~/server/domain/billing/payers/receipts';
import { syncRefunds } from '~/server/domain/billing/refunds/refunds';
import { shop, showItem } from '../../../support/shop';

const SPANISH_CARD = '4000007240000007';
const REFUND_FAILS = '4000000000005126';
const { runtime, ctx, ctxOf, make, lucia, payments, clock, settle, pass, buy } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie', priceMinor: 1000 });

async function bought(card = SPANISH_CARD) {
  const { id: userId } = await make.person({ country: 'ES' });
  await buy(showItem(series, { userId }), card, 'ES');
  await settle();
  const [sale] = await db.select().from(sales).where(eq(sales.userId, userId));
  return { sale: sale!, own: ctxOf({ id: userId, creatorId: null }) };
}
const refund = (payment: string, minor: number, key: string) =>
  payments.refund(payment, { amount: { minor, currency: 'eur' }, reference: {} }, key);

test('each refund has a credit note, whose amounts add up to the receipt, in both lists of its buyer only', async () => {
  const { sale, own } = await bought();
  for (const [index, minor] of [333, 333, 334].entries()) {
    await refund(sale.paymentId, minor, `part/${index}`);
    await settle();
  }

  const receipt = await findMyReceipt(own, { id: sale.id });

  expect(sale.vatMinor).toBe(174);
  expect(receipt.creditNotes.map(({ amountMinor }) => amountMinor)).toEqual([333, 333, 334]);
  expect(receipt.creditNotes.reduce((sum, { vatMinor }) => sum + vatMinor, 0)).toBe(174);
  expect((await listMyReceipts(own, { page: 1 })).items[0]!.creditNotes).toEqual(receipt.creditNotes);
  const { own: other, sale: another } = await bought();
  expect(await findMyReceipt(other, { id: another.id })).toMatchObject({ creditNotes: [] });
});

test('a refund that fails is corrected again, and repetitions write nothing', async () => {
  const { sale, own } = await bought(REFUND_FAILS);
  await refund(sale.paymentId, 500, 'fails');
  await settle();
  await pass(later(clock.now, DAYS(3)));
  for (let times = 0; times < 2; times += 1) await syncRefunds(ctx, sale.paymentId);

  const { creditNotes: notes } = await findMyReceipt(own, { id: sale.id });

  expect(notes.map(({ amountMinor }) => amountMinor)).toEqual([500, -500]);
  expect(notes.reduce((sum, { vatMinor }) => sum + vatMinor, 0)).toBe(0);
});

test('concurrent refunds of one seller have numbers without a gap', async () => {
  const pairs = [await bought(), await bought(), await bought()];
  for (const { sale } of pairs) await refund(sale.paymentId, 100, `concurrent/${sale.id}`);

  await Promise.all(pairs.flatMap(({ sale }) => [syncRefunds(ctx, sale.paymentId), syncRefunds(ctx, sale.paymentId)]));

  const rows = await db.select().from(creditNotes).orderBy(asc(creditNotes.number));
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
  expect(await db.$count(creditNotes, eq(creditNotes.saleId, pairs[0]!.sale.id))).toBe(1);
});

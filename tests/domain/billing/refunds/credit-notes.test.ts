import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { disputes, refunds, sales } from '~/db/schema/billing';
import { creditNotes } from '~/db/schema/credit-notes';
import type { Dispute } from '~/server/adapters/payments/objects';
import type { AnyMoney } from '~/server/base/money';
import { DAYS, later } from '~/server/base/time';
import { findUser, type UserRow } from '~/server/domain/accounts/base/queries';
import { contentsOf } from '~/server/domain/accounts/personal-data/data-contents';
import { findMyReceipt, listMyReceipts } from '~/server/domain/billing/payers/receipts';
import { syncDispute } from '~/server/domain/billing/provider-sync/disputes';
import { issueCreditNotes, issueDisputeNotes } from '~/server/domain/billing/refunds/credit-notes';
import { syncRefunds } from '~/server/domain/billing/refunds/refunds';
import { transact } from '~/server/runtime/ctx';
import { shop, showItem } from '../../../support/shop';

const SPANISH_CARD = '4000007240000007';
const REFUND_FAILS = '4000000000005126';
const DISPUTED = '4000000000000259';
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

test('a payment that the bank takes back has a note at once, and another one when the bank returns it', async () => {
  const { sale, own } = await bought(DISPUTED);
  const [dispute] = await db.select().from(disputes).where(eq(disputes.saleId, sale.id));
  const notes = async () =>
    (await findMyReceipt(own, { id: sale.id })).creditNotes.map(({ kind, amountMinor, vatMinor }) => [
      kind,
      amountMinor,
      vatMinor,
    ]);
  const taken = ['dispute', 1000, sale.vatMinor];

  expect(await notes()).toEqual([taken]);
  for (let times = 0; times < 2; times += 1) await syncDispute(ctx, dispute!.providerId);
  expect(await notes()).toEqual([taken]);
  await payments.answerDispute(dispute!.providerId, 'winning_evidence', 'answer');
  await settle();

  expect(await notes()).toEqual([taken, ['dispute_won', -1000, 0 - sale.vatMinor]]);
});

test('concurrent refunds of one seller have numbers without a gap', async () => {
  const pairs = [await bought(), await bought(), await bought()];
  for (const { sale } of pairs) await refund(sale.paymentId, 100, `concurrent/${sale.id}`);

  await Promise.all(pairs.flatMap(({ sale }) => [syncRefunds(ctx, sale.paymentId), syncRefunds(ctx, sale.paymentId)]));

  const rows = await db.select().from(creditNotes).orderBy(asc(creditNotes.number));
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
  expect(await db.$count(creditNotes, eq(creditNotes.saleId, pairs[0]!.sale.id))).toBe(1);
});

test('the export of a buyer’s data has the receipts with refunds and notes, also of donations by email', async () => {
  const { sale } = await bought();
  await refund(sale.paymentId, 400, 'exported');
  await settle();
  const { id, userId, ...copy } = sale;
  const user = await findUser(ctx, userId!);
  const guest = { userId: null, email: user.email, paymentId: 'pi_guest', receiptNumber: 900_000 };
  const { id: formerOwner } = await make.person();
  const ofFormerOwner = { userId: formerOwner, email: user.email, paymentId: 'pi_former', receiptNumber: 900_001 };
  await db.insert(sales).values([
    { ...copy, ...guest },
    { ...copy, ...ofFormerOwner },
  ]);

  const found = await receiptsOf(user);

  expect(found).toMatchObject([
    {
      ...{ id, amountMinor: 1000, vatMinor: 174, buyer: { name: user.name } },
      ...{ refunds: [{ amountMinor: 400 }], creditNotes: [{ kind: 'refund', amountMinor: 400 }] },
    },
    { paymentId: 'pi_guest', refunds: [], creditNotes: [] },
  ]);
  expect(found.flatMap(Object.keys)).not.toContain('commissionMinor');
});
async function receiptsOf(user: UserRow): Promise<object[]> {
  for await (const file of contentsOf(ctx, user)) {
    if (file.name !== 'receipts.json' || !('rows' in file)) continue;
    let text = '';
    for await (const part of file.rows()) text += part;
    return JSON.parse(text);
  }
  return [];
}

test('a bank that takes back what a refund has left corrects the rest of the VAT', async () => {
  const { sale, own } = await bought(DISPUTED);
  const { providerId: disputeId } = (await db.select().from(disputes).where(eq(disputes.saleId, sale.id)))[0]!;
  await db.delete(creditNotes).where(eq(creditNotes.saleId, sale.id));
  const at = { createdAt: clock.now, updatedAt: clock.now };
  const refunded = { providerId: 're_before', amountMinor: 333, status: 'succeeded', refundedAt: clock.now } as const;
  await db.insert(refunds).values({ ...refunded, saleId: sale.id, ...at });
  await transact(ctx, (tx) => issueCreditNotes(tx, sale));

  await syncDispute(ctx, disputeId);

  const { creditNotes: notes } = await findMyReceipt(own, { id: sale.id });
  expect(notes.map(({ kind }) => kind)).toEqual(['refund', 'dispute']);
  expect(notes.reduce((sum, { vatMinor }) => sum + vatMinor, 0)).toBe(sale.vatMinor);
});

test('money that did not move has no note: an inquiry of the bank, and a refund that had failed before it was known', async () => {
  const { sale } = await bought();
  const at = { createdAt: clock.now, updatedAt: clock.now };
  const failed = { providerId: 're_failed', amountMinor: 500, status: 'failed', refundedAt: clock.now } as const;
  await db.insert(refunds).values({ ...failed, saleId: sale.id, ...at });

  await transact(ctx, async (tx) => {
    await issueCreditNotes(tx, sale);
    await issueDisputeNotes(tx, sale, { ...disputeOf('dp_inquiry', 1000), status: 'warning', taken: null });
  });

  expect(await db.$count(creditNotes, eq(creditNotes.saleId, sale.id))).toBe(0);
});

test('a second dispute of a payment has a note of its own, and no more VAT goes back than was paid', async () => {
  const { sale, own } = await bought(DISPUTED);
  const facts = {
    providerId: 'dp_second',
    saleId: sale.id,
    amountMinor: 100,
    reason: 'general',
    status: 'lost',
  } as const;
  await db.insert(disputes).values({ ...facts, disputedAt: clock.now, createdAt: clock.now, updatedAt: clock.now });

  for (let times = 0; times < 2; times += 1)
    await transact(ctx, (tx) => issueDisputeNotes(tx, sale, disputeOf('dp_second', 100)));

  const { creditNotes: notes } = await findMyReceipt(own, { id: sale.id });
  expect(notes.map(({ amountMinor, vatMinor }) => [amountMinor, vatMinor])).toEqual([
    [1000, sale.vatMinor],
    [100, 0],
  ]);
});

function disputeOf(id: string, minor: number): Dispute {
  const [amount, fee] = [minor, 1500].map((part) => ({ minor: part, currency: 'eur' })) as [AnyMoney, AnyMoney];
  const taken = { amount, fee, at: clock.now };
  const facts = { reason: 'general', status: 'lost', returned: null, answerBy: null, createdAt: clock.now } as const;
  return { id, payment: null, amount, taken, ...facts };
}

import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { disputes, sales } from '~/db/schema/billing';
import { ledgerEntries } from '~/db/schema/ledger';
import { outbox } from '~/db/schema/notifications';
import { disputeCommands } from '~/server/admin/book-commands';
import { DAYS, HOURS, later } from '~/server/base/time';
import { reconcileBooks } from '~/server/domain/billing/books/reconcile-books';
import { refundSale } from '~/server/domain/billing/refunds/refund-sale';
import { enterDispute } from '~/server/domain/payouts/ledger';
import { transact } from '~/server/runtime/ctx';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, ctxOf, make, lucia, payments, clock, settle, buy, pass } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 1500 });
const [ASKED, DISPUTED] = ['4000000000001976', '4000000000000259'];

async function sold(card: string) {
  const { id } = await make.person();
  await buy(showItem(series, { userId: id }), card);
  await settle();
  const [sale] = await db.select().from(sales).where(eq(sales.userId, id));
  const [dispute] = await db.select().from(disputes).where(eq(disputes.saleId, sale!.id));
  return { sale: sale!, id: dispute!.providerId };
}
const answer = async (id: string, text: string) => {
  await payments.answerDispute(id, text, `answer/${id}/${text}`);
  await settle();
};
const stored = async (id: string) => {
  const [row] = await db
    .select({ dispute: disputes, disputedAt: sales.disputedAt })
    .from(disputes)
    .innerJoin(sales, eq(sales.id, disputes.saleId))
    .where(eq(disputes.providerId, id));
  const { status, closedAt } = row!.dispute;
  return { status, isClosed: closedAt !== null, isDisputed: row!.disputedAt !== null };
};
const kindsOf = async ({ id }: typeof sales.$inferSelect) =>
  (await db.select().from(ledgerEntries).where(eq(ledgerEntries.saleId, id)).orderBy(ledgerEntries.id)).map(
    ({ kind }) => kind,
  );
const listed = async (id: string) =>
  (await disputeCommands.list!.run({ ctx, env: {} as never, operator: { name: 'olga' } }, [], {})).find(
    (row) => row.id === id,
  );

test('an answered inquiry takes nothing, and its payment can be refunded meanwhile and afterwards', async () => {
  const { sale, id } = await sold(ASKED);
  expect(await stored(id)).toEqual({ status: 'warning', isClosed: false, isDisputed: false });

  await answer(id, 'The customer has listened for a month.');

  expect(await stored(id)).toEqual({ status: 'warning_under_review', isClosed: false, isDisputed: false });
  expect(await kindsOf(sale)).toEqual(['sale', 'processor_fee']);
  const part = { id: series.id, kind: 'audio_series', saleId: sale.id, amount: 500 } as const;
  await refundSale(ctxOf({ ...lucia }), { ...part, refundedMinor: 0 });
  await pass(later(clock.now, DAYS(121)));
  expect(await stored(id)).toEqual({ status: 'closed', isClosed: true, isDisputed: false });
  await refundSale(ctxOf({ ...lucia }), { ...part, refundedMinor: 500 });
  expect(await kindsOf(sale)).toEqual(['sale', 'processor_fee', 'refund', 'refund']);
  const topics = await db.select().from(outbox).where(eq(outbox.userId, lucia.id)).orderBy(outbox.createdAt);
  expect(topics.filter(({ topic }) => topic.startsWith('dispute_'))).toEqual([]);
});

test('an inquiry that becomes a chargeback is entered when the bank takes the money', async () => {
  const { sale, id } = await sold(ASKED);
  const openedAt = clock.now;
  await pass(later(clock.now, DAYS(3)));

  await answer(id, 'escalate_inquiry_evidence');

  expect(await stored(id)).toEqual({ status: 'needs_answer', isClosed: false, isDisputed: true });
  const entries = await db
    .select()
    .from(ledgerEntries)
    .where(eq(ledgerEntries.saleId, sale.id))
    .orderBy(ledgerEntries.id);
  expect(entries.map(({ kind }) => kind)).toEqual(['sale', 'processor_fee', 'dispute', 'dispute_fee']);
  expect(entries[2]!.at.getTime()).toBeGreaterThan(openedAt.getTime());
  await answer(id, 'losing_evidence');
  expect(await stored(id)).toEqual({ status: 'lost', isClosed: true, isDisputed: true });
});

test('an accepted inquiry is closed, and nothing is entered', async () => {
  const { sale, id } = await sold(ASKED);

  await payments.acceptDispute(id, `accept/${id}`);
  await settle();

  expect(await stored(id)).toEqual({ status: 'closed', isClosed: true, isDisputed: false });
  expect(await kindsOf(sale)).toEqual(['sale', 'processor_fee']);
});

test('an inquiry that was entered as a lost payment is reversed once it is closed', async () => {
  const { sale, id } = await sold(ASKED);
  // as we entered answered inquiries before
  await transact(ctx, async (tx) => {
    await enterDispute(tx, sale, { id, minor: 1500, at: clock.now });
    await tx.db.update(disputes).set({ status: 'under_review' }).where(eq(disputes.providerId, id));
    await tx.db.update(sales).set({ disputedAt: clock.now }).where(eq(sales.id, sale.id));
  });

  await answer(id, 'losing_evidence');

  expect(await stored(id)).toEqual({ status: 'closed', isClosed: true, isDisputed: false });
  expect(await kindsOf(sale)).toEqual(['sale', 'processor_fee', 'dispute', 'dispute_won']);
});

test('once a dispute is answered, the operator is no longer asked for it', async () => {
  const { id } = await sold(DISPUTED);
  expect(await listed(id)).toMatchObject({
    status: expect.stringContaining('answer or accept'),
    answerBy: expect.any(String),
  });

  await answer(id, 'The customer has listened for a month.');

  expect(await listed(id)).toMatchObject({ status: 'The bank decides', answerBy: null });
});

test('the fee of a dispute is the provider’s, and comes back with a won dispute in both books', async () => {
  const { sale, id } = await sold(DISPUTED);

  await answer(id, 'winning_evidence');
  await pass(later(clock.now, HOURS(26)));

  expect(await kindsOf(sale)).toEqual([
    ...['sale', 'processor_fee', 'dispute', 'dispute_fee', 'dispute_won', 'dispute_fee'],
  ]);
  expect(await reconcileBooks(ctx)).toMatchObject({ differences: 0 });
});

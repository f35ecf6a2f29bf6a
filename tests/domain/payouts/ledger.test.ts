import { and, eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { disputes, sales } from '~/db/schema/billing';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { DAYS, later } from '~/server/base/time';
import { syncRefunds } from '~/server/domain/billing/refunds/refunds';
import {
  enterAdjustment,
  enterDispute,
  enterDisputeWon,
  enterFee,
  enterRefund,
  enterRefundFailure,
  enterSale,
} from '~/server/domain/payouts/ledger';
import { balancesOf } from '~/server/domain/payouts/queries';
import { transact } from '~/server/runtime/ctx';
import { deepSeed, deepTimes, isDeep } from '../../support/deep';
import { ledgerSums } from '../../support/ledger-sums';
import { shop, showItem } from '../../support/shop';

const { runtime, ctx, make, lucia, paidPodcast, payments, clock, settle, buy, pass } = await shop();
const { db } = runtime;
const paidSeries = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 1500 });
const DISPUTED = '4000000000000259';
let people = 0;

const sumsOf = (saleId: number) => ledgerSums(runtime, saleId);
const kindsOf = async (saleId: number) => {
  const rows = await db.select().from(ledgerEntries).where(eq(ledgerEntries.saleId, saleId)).orderBy(ledgerEntries.id);
  return rows.map(({ kind }) => kind);
};

async function sold(card?: string) {
  const { id } = await make.person();
  await buy(showItem(paidSeries, { userId: id }), card);
  await settle();
  const [sale] = await db.select().from(sales).where(eq(sales.userId, id));
  return sale!;
}

test('a sale, its fee and its refunds are in the books, each once', async () => {
  const sale = await sold();
  const share = 1500 - sale.commissionMinor - sale.vatMinor;
  const fee = sale.providerFeeMinor!;
  expect(await sumsOf(sale.id)).toMatchObject({
    provider_balance: 1500 - fee,
    commission: -sale.commissionMinor,
    creator_payable: -share,
    provider_fees: fee,
  });

  await payments.refund(sale.paymentId, { amount: { minor: 500, currency: 'eur' }, reference: {} }, 'a');
  await settle();
  await Promise.all([syncRefunds(ctx, sale.paymentId), syncRefunds(ctx, sale.paymentId)]);
  await payments.refund(sale.paymentId, { reference: {} }, 'b');
  await settle();

  expect(await kindsOf(sale.id)).toEqual(['sale', 'processor_fee', 'refund', 'refund']);
  expect(await sumsOf(sale.id)).toMatchObject({
    provider_balance: -fee,
    commission: 0,
    creator_payable: 0,
    provider_fees: fee,
  });
});

test('a refund that fails is with us again', async () => {
  const sale = await sold('4000000000005126');
  const before = await sumsOf(sale.id);
  await payments.refund(sale.paymentId, { amount: { minor: 500, currency: 'eur' }, reference: {} }, 'fails');
  await settle();

  await pass(later(clock.now, DAYS(3)));

  expect(await kindsOf(sale.id)).toEqual(['sale', 'processor_fee', 'refund', 'refund_failed']);
  expect(await sumsOf(sale.id)).toEqual(before);
});

test.each([
  ['winning_evidence', ['sale', 'processor_fee', 'dispute', 'dispute_won'], 1],
  ['losing_evidence', ['sale', 'processor_fee', 'dispute'], 0],
] as const)('a disputed payment leaves the balance, and with %s:', async (text, kinds, isBack) => {
  const sale = await sold(DISPUTED);
  const share = 1500 - sale.commissionMinor - sale.vatMinor;
  const { creator_payable: open, commission } = await sumsOf(sale.id);
  expect([open, commission]).toEqual([0, 0]);
  const [dispute] = await db.select().from(disputes).where(eq(disputes.saleId, sale.id));

  await payments.answerDispute(dispute!.providerId, text, `answer/${sale.id}`);
  await settle();

  expect((await kindsOf(sale.id)).filter((kind) => kind !== 'dispute_fee')).toEqual(kinds);
  expect((await sumsOf(sale.id)).creator_payable).toBe(isBack ? -share : 0);
});

test('a share is pending for seven days, to the moment; a refund takes from where the share is', async () => {
  const person = await make.creator({ name: 'Nueva' });
  const show = await make.product(person, { kind: 'audio_series', name: 'Otra', priceMinor: 1000 });
  const { id } = await make.person();
  await buy(showItem(show, { userId: id }));
  await settle();
  const [sale] = await db.select().from(sales).where(eq(sales.userId, id));
  const share = 1000 - sale!.commissionMinor - sale!.vatMinor;
  const at = later(sale!.paidAt, DAYS(7));
  const balance = async (now: Date) => (await balancesOf({ ...ctx, now: () => now }, person.creatorId))[0];

  expect(await balance(new Date(at.getTime() - 1))).toEqual({
    currency: 'eur',
    availableMinor: 0,
    pendingMinor: share,
    pending: [{ minor: share, availableAt: at }],
  });
  expect(await balance(at)).toEqual({ currency: 'eur', availableMinor: share, pendingMinor: 0, pending: [] });
  await payments.refund(sale!.paymentId, { reference: {} }, 'pending');
  await settle();
  expect(await balance(clock.now)).toMatchObject({ availableMinor: 0, pendingMinor: 0 });
});

test('the books cannot be changed: the database rejects it', async () => {
  const sale = await sold();
  const own = eq(ledgerEntries.saleId, sale.id);
  const isFinal = { cause: { code: '23001' } };
  await expect(db.update(ledgerEntries).set({ note: 'x' }).where(own)).rejects.toMatchObject(isFinal);
  await expect(db.delete(ledgerEntries).where(own)).rejects.toMatchObject(isFinal);
  await expect(db.update(ledgerLines).set({ amountMinor: 1 })).rejects.toMatchObject(isFinal);
  await expect(db.delete(ledgerLines)).rejects.toMatchObject(isFinal);
  await expect(db.execute(sql`truncate ledger_lines`)).rejects.toMatchObject(isFinal);

  const entry = { kind: 'adjustment', at: clock.now } as const;
  await expect(db.insert(ledgerEntries).values({ ...entry, key: 'empty' })).rejects.toThrow();
  const unbalanced = db.transaction(async (tx) => {
    const [row] = await tx
      .insert(ledgerEntries)
      .values({ ...entry, key: 'odd' })
      .returning();
    const line = { entryId: row!.id, currency: 'eur' };
    await tx.insert(ledgerLines).values([
      { ...line, account: 'bank', amountMinor: 2 },
      { ...line, account: 'commission', amountMinor: -1 },
    ]);
  });
  // the constraint is checked at commit
  await expect(unbalanced).rejects.toMatchObject({ code: '23514' });
});

test('an adjustment is written once, with its reason and who made it', async () => {
  const { creatorId } = await make.creator({ name: 'Ajustada' });
  const adjustment = { key: 'x', creatorId, currency: 'usd', minor: -250, note: 'Doble pago', actor: 'ana' } as const;
  const write = () => transact(ctx, (tx) => enterAdjustment(tx, adjustment));

  expect([await write(), await write()]).toEqual([true, false]);

  expect(await balancesOf(ctx, creatorId)).toMatchObject([{ currency: 'usd', availableMinor: -250, pendingMinor: 0 }]);
});

type Step = { what: 'refund' | 'fail' | 'dispute' | 'win'; of: number; minor: number };
const steps = fc.array(
  fc.record({
    what: fc.constantFrom('refund', 'fail', 'dispute', 'win'),
    of: fc.nat({ max: 3 }),
    minor: fc.integer({ min: 1, max: 3000 }),
  }) as fc.Arbitrary<Step>,
  { maxLength: 12 },
);
const amounts = fc.record({
  amountMinor: fc.integer({ min: 1, max: 5000 }),
  vat: fc.integer({ min: 0, max: 100 }),
  commission: fc.integer({ min: 0, max: 100 }),
});

test('whatever happens to a payment in whatever order, the books balance, and all that went back is all of each part', async () => {
  const { creatorId } = await make.creator({ name: 'Azar' });
  const template = await sold();
  await fc.assert(
    fc.asyncProperty(amounts, steps, async ({ amountMinor, vat, commission }, actions) => {
      people += 1;
      const vatMinor = Math.floor((amountMinor * vat) / 400);
      const commissionMinor = Math.floor(((amountMinor - vatMinor) * commission) / 100);
      const { id: _, receiptNumber, ...facts } = template;
      const [sale] = await db
        .insert(sales)
        .values({
          ...facts,
          ...{ creatorId, amountMinor, vatMinor, vatCountry: 'ES', commissionMinor, refundedMinor: 0 },
          ...{ paymentId: `pi_${people}`, receiptNumber: 1_000_000 + people, productId: null },
        })
        .returning();
      await transact(ctx, async (tx) => {
        await enterSale(tx, sale!);
        await enterFee(tx, sale!, { minor: 40, currency: 'eur' });
      });
      const back = new Map<string, { kind: 'refund' | 'dispute'; minor: number }>();
      const returned = () => [...back.values()].reduce((sum, { minor }) => sum + minor, 0);
      for (const [index, { what, of, minor }] of actions.entries()) {
        const id = `${people}/${index}`;
        const at = later(clock.now, DAYS(index));
        const rest = amountMinor - returned();
        const part = Math.min(minor, rest);
        const kindOf = what === 'fail' ? 'refund' : 'dispute';
        const known = [...back].filter(([, { kind }]) => kind === kindOf)[of]?.[0];
        await transact(ctx, async (tx) => {
          if (what === 'refund' && part > 0)
            await enterRefund(tx, sale!, { id, minor: part, soFarMinor: returned() + part, at });
          else if (what === 'dispute' && rest > 0) await enterDispute(tx, sale!, { id, minor: rest, at });
          else if (what === 'fail' && known) await enterRefundFailure(tx, sale!, { id: known, at });
          else if (what === 'win' && known) await enterDisputeWon(tx, sale!, { id: known, at });
        });
        if (what === 'refund' && part > 0) back.set(id, { kind: 'refund', minor: part });
        if (what === 'dispute' && rest > 0) back.set(id, { kind: 'dispute', minor: rest });
        if (known && (what === 'fail' || what === 'win')) back.delete(known);
      }

      const sums = await sumsOf(sale!.id);
      const left = amountMinor - returned();
      expect(Object.values(sums).reduce((sum, minor) => sum + minor, 0)).toBe(0);
      expect(sums.provider_balance).toBe(left - 40 || 0);
      if (left === amountMinor) {
        expect(sums.vat_payable ?? 0).toBe(-vatMinor || 0);
        expect(sums.commission ?? 0).toBe(-commissionMinor || 0);
      }
      if (left === 0)
        expect([sums.vat_payable ?? 0, sums.commission ?? 0, sums.creator_payable ?? 0]).toEqual([0, 0, 0]);
    }),
    { numRuns: isDeep ? 200 * deepTimes : 25, seed: deepSeed() },
  );
}, 600_000);

test('no sale is missing in the books, and every entry is of its sale', async () => {
  const missing = await db
    .select({ id: sales.id })
    .from(sales)
    .leftJoin(ledgerEntries, and(eq(ledgerEntries.saleId, sales.id), eq(ledgerEntries.kind, 'sale')))
    .where(sql`${ledgerEntries.id} is null`)
    .orderBy(sales.id);

  expect(missing).toEqual([]);
  expect(await db.$count(sales, eq(sales.productId, paidPodcast.id))).toBe(0);
});

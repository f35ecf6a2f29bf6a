import { and, eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billingDetails } from '~/db/schema/accounts';
import { sales } from '~/db/schema/billing';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { payouts } from '~/db/schema/payouts';
import { DAYS, later } from '~/server/base/time';
import { enterDispute, enterDisputeWon, enterFee, enterRefund, enterSale } from '~/server/domain/payouts/ledger';
import { balancesOf } from '~/server/domain/payouts/queries';
import { requestPayout } from '~/server/domain/payouts/request-payout';
import { approvePayout, markPayoutPaid, reversePayout } from '~/server/domain/payouts/settle-payout';
import { commissionOn } from '~/server/domain/plans/rules';
import { vatContained } from '~/server/domain/vat/rules';
import { PLANS, type PlanCode } from '~/server/limits/plans';
import { transact } from '~/server/runtime/ctx';
import { deepSeed, deepTimes, isDeep } from '../../support/deep';
import { shop, showItem } from '../../support/shop';

const { runtime, ctx, ctxOf, make, lucia, clock, settle, buy } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie', priceMinor: 1500 });
const buyer = await make.person();
await buy(showItem(series, { userId: buyer.id }));
await settle();
/** Properties of the random sales. */
const [template] = await db.select().from(sales).where(eq(sales.userId, buyer.id));
const operator = { name: 'olga' };
let count = 0;

type Step =
  | { what: 'sale'; minor: number; rate: number }
  | { what: 'plan'; plan: PlanCode }
  | { what: 'refund' | 'dispute' | 'win'; of: number; part: number }
  | { what: 'payout'; ending: 'requested' | 'paid' | 'reversed' }
  | { what: 'wait'; days: number };
const position = fc.record({ of: fc.nat({ max: 5 }), part: fc.integer({ min: 1, max: 100 }) });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    what: fc.constant('sale' as const),
    minor: fc.integer({ min: 1, max: 30_000 }),
    rate: fc.constantFrom(0, 2100, 2550),
  }),
  fc.record({ what: fc.constant('plan' as const), plan: fc.constantFrom<PlanCode[]>('FREE', 'BASIC', 'PRO') }),
  fc
    .tuple(fc.constantFrom('refund', 'dispute', 'win') as fc.Arbitrary<'refund'>, position)
    .map(([what, rest]) => ({ what, ...rest })),
  fc.record({
    what: fc.constant('payout' as const),
    ending: fc.constantFrom('requested', 'paid', 'reversed') as fc.Arbitrary<'paid'>,
  }),
  fc.record({ what: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }),
);

type Sold = { sale: typeof sales.$inferSelect; left: number; disputes: { id: string; minor: number }[] };

/** One creator, who gets all of these sales and payouts. */
async function live(steps: Step[]) {
  const creator = await make.creator({ name: 'Azar' });
  await db.insert(billingDetails).values({ userId: creator.id, iban: 'ES9121000418450200051332' });
  const own = ctxOf({ ...creator });
  const sold: Sold[] = [];
  let plan: PlanCode = 'PRO';
  for (const next of steps) {
    count += 1;
    if (next.what === 'wait') clock.now = later(clock.now, DAYS(next.days));
    else if (next.what === 'plan') plan = next.plan;
    else if (next.what === 'sale') sold.push(await sell(creator.creatorId, next, plan));
    else if (next.what === 'payout') await payOut(own, next.ending);
    else if (sold.length > 0) await happen(sold[next.of % sold.length]!, next);
  }
  return creator.creatorId;
}

async function sell(creatorId: number, { minor, rate }: { minor: number; rate: number }, plan: PlanCode) {
  const { id: _, receiptNumber, ...facts } = template!;
  const vatMinor = vatContained(minor, rate);
  const commissionMinor = Math.min(commissionOn(PLANS[plan], minor), minor - vatMinor);
  expect(commissionMinor).toBeLessThanOrEqual(minor);
  const amounts = { amountMinor: minor, vatMinor, vatCountry: 'ES', commissionMinor, refundedMinor: 0 };
  const own = { creatorId, productId: null, paymentId: `pi_${count}`, receiptNumber: 1_000_000 + count };
  const [sale] = await db
    .insert(sales)
    .values({ ...facts, ...amounts, ...own, paidAt: clock.now })
    .returning();
  await transact(ctx, async (tx) => {
    await enterSale(tx, sale!);
    await enterFee(tx, sale!, { minor: 30, currency: 'eur' });
  });
  return { sale: sale!, left: minor, disputes: [] };
}

async function happen(it: Sold, { what, part }: { what: 'refund' | 'dispute' | 'win'; part: number }) {
  const minor = what === 'dispute' ? it.left : Math.ceil((it.left * part) / 100);
  const id = `it_${count}`;
  await transact(ctx, async (tx) => {
    if (what === 'win') {
      const won = it.disputes.pop();
      if (!won) return;
      await enterDisputeWon(tx, it.sale, { id: won.id, at: clock.now });
      it.left += won.minor;
      return;
    }
    if (minor === 0) return;
    if (what === 'refund')
      await enterRefund(tx, it.sale, { id, minor, at: clock.now, soFarMinor: it.sale.amountMinor - it.left + minor });
    else await enterDispute(tx, it.sale, { id, minor, at: clock.now });
    if (what === 'dispute') it.disputes.push({ id, minor });
    it.left -= minor;
  });
}

/** Makes two requests at the same time, of which at most one is paid. */
async function payOut(own: ReturnType<typeof ctxOf>, ending: 'requested' | 'paid' | 'reversed') {
  const ask = () => requestPayout(own, { currency: 'eur' }).catch(() => null);
  const asked = (await Promise.all([ask(), ask()])).filter((payout) => payout !== null);
  expect(asked.length).toBeLessThanOrEqual(1);
  const [payout] = asked;
  if (!payout || ending === 'requested') return;
  await approvePayout(ctx, { operator, id: payout.id });
  await markPayoutPaid(ctx, { operator, id: payout.id });
  if (ending === 'reversed') await reversePayout(ctx, { operator, id: payout.id, reason: 'Returned' });
}

const sumOf = async (creatorId: number, where: ReturnType<typeof sql>) => {
  const [row] = await db
    .select({ minor: sql<number>`coalesce(-sum(${ledgerLines.amountMinor}), 0)`.mapWith(Number) })
    .from(ledgerLines)
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerLines.entryId))
    .where(and(eq(ledgerLines.creatorId, creatorId), where));
  return row!.minor;
};

test('whatever is sold, refunded, disputed and paid out, no cent is paid twice, and the books balance', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const creatorId = await live(steps);

      const sent = await db.select().from(payouts).where(eq(payouts.creatorId, creatorId)).orderBy(payouts.id);
      const counted = sent.filter(({ status }) => status !== 'reversed');
      const paid = counted.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
      const [balance = { availableMinor: 0, pendingMinor: 0 }] = await balancesOf(ctx, creatorId);
      const earned = await sumOf(creatorId, sql`${ledgerEntries.kind} not like 'payout%'`);
      expect(paid + balance.availableMinor + balance.pendingMinor).toBe(earned);
      expect(new Set(counted.map(({ month }) => month)).size).toBe(counted.length);
      expect(sent.filter(({ amountMinor }) => amountMinor <= 5000)).toEqual([]);
    }),
    { numRuns: isDeep ? 150 * deepTimes : 12, seed: deepSeed() },
  );
  const [all] = await db.select({ minor: sql<string>`sum(${ledgerLines.amountMinor})` }).from(ledgerLines);
  expect(Number(all!.minor)).toBe(0);
}, 600_000);

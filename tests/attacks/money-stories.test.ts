import { and, eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { refunds, sales, subscriptions } from '~/db/schema/billing';
import { creatorPlans } from '~/db/schema/plans';
import { DAYS, HOURS, later, MINUTES } from '~/server/base/time';
import { returnPlanCredit } from '~/server/domain/billing/plan-billing/refund-credit';
import { endWithRefund } from '~/server/domain/billing/subscriptions/ending-refunds';
import { syncShowSubscriptions } from '~/server/domain/billing/subscriptions/show-endings';
import type { BuyablePlan } from '~/server/limits/plans';
import { refundEnd, refundPlanCredit, syncShowSubscriptions as syncJob } from '~/server/queue/jobs/billing';
import { ledgerSums } from '../support/ledger-sums';
import type { Creator } from '../support/make';
import { runJobs } from '../support/run-jobs';
import { GOOD_CARD, shop, showItem } from '../support/shop';
import { shownRefunds } from '../support/unused-payments';

// All amounts are worked out by hand. A sale of 4.00 to Spain, on PRO: VAT 4.00 × 21 ÷ 121 = 0.69, commission
// 4.00 × 3 % + 0.30 = 0.42, share 4.00 − 0.69 − 0.42 = 2.89. The provider's fee is 4.00 × 2.9 % + 0.30 = 0.42.
const SOLD = { provider_balance: 400, creator_payable: -289, commission: -42, vat_payable: -69, provider_fees: 0 };
const PAID = { ...SOLD, provider_balance: 358, provider_fees: 42 };
const NOTHING = { creator_payable: 0, commission: 0, vat_payable: 0 };

const { runtime, ctxOf, make, lucia, payments, stripe, sandbox, fetch, clock, settle, handleEvents, buy, pass } =
  await shop();
const { db } = runtime;
await db.insert(creatorPlans).values({ creatorId: lucia.creatorId, plan: 'PRO', since: clock.now });

const booksOf = async (saleId: number) => ({ provider_fees: 0, ...(await ledgerSums(runtime, saleId)) });

async function sellSeries(card: string) {
  const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie', priceMinor: 400 });
  const { id: userId } = await make.person({ country: 'ES' });
  await buy(showItem(series, { userId }), card, 'ES');
  await handleEvents();
  const saleOf = async () => (await db.select().from(sales).where(eq(sales.userId, userId)))[0]!;
  return { series, saleOf, sale: await saleOf() };
}

async function disputeOf({ paymentId }: typeof sales.$inferSelect): Promise<Stripe.Dispute> {
  return (await stripe.disputes.list({ payment_intent: paymentId })).data[0]!;
}

async function answered(sale: typeof sales.$inferSelect, evidence: string) {
  const { id } = await disputeOf(sale);
  await payments.answerDispute(id, evidence, `answer/${id}/${evidence}`);
  await settle();
  return booksOf(sale.id);
}

async function inquiryThatIsWon() {
  const { series, sale } = await sellSeries('4000000000001976');
  await settle();
  const asked = await booksOf(sale.id);
  const taken = await answered(sale, 'escalate_inquiry_evidence');
  const won = await answered(sale, 'winning_evidence');
  await lucia.api.buyers.refund({ id: series.id, kind: 'audio_series', saleId: sale.id, refundedMinor: 0 });
  await settle();
  return { asked, taken, won, refunded: await booksOf(sale.id) };
}

async function feeOfTheNextDay() {
  sandbox.setTiming({ captureSeconds: 86_400 });
  const { sale, saleOf } = await sellSeries(GOOD_CARD);
  sandbox.setTiming({ captureSeconds: 3 });
  const books = { atOnce: await booksOf(sale.id) };
  await tick(later(sale.paidAt, DAYS(1) - MINUTES(1)));
  const waiting = await booksOf(sale.id);
  await tick(later(sale.paidAt, DAYS(1) + MINUTES(1)));
  await settle();
  return { ...books, waiting, captured: await booksOf(sale.id), fee: (await saleOf()).providerFeeMinor };
}

/** Completes no capture before its time. */
async function tick(to: Date): Promise<void> {
  clock.now = to;
  await sandbox.tick();
  await handleEvents();
}

const changePlan = async (owner: Creator, plan: BuyablePlan) => {
  const { dueMinor, creditMinor, at } = await owner.api.plans.preview({ plan });
  await owner.api.plans.change({ plan, dueMinor, creditMinor, at });
  await settle();
  return { dueMinor, creditMinor };
};

async function creditOfFormerPlan() {
  const owner = await make.creator();
  const start = new Date('2026-04-01T09:00:00Z');
  await pass(start);
  const { dueMinor } = await owner.api.plans.preview({ plan: 'PRO' });
  const { url } = await owner.api.plans.start({ plan: 'PRO', dueMinor, payWith: 'page' });
  await payByForms(fetch, url!, { number: GOOD_CARD, proven: true });
  await settle();
  await pass(later(start, DAYS(10) + MINUTES(18)));
  const { dueMinor: upgrade } = await changePlan(owner, 'PLUS');
  const { creditMinor: credit } = await changePlan(owner, 'BASIC');
  await pass(new Date('2026-05-02T09:00:00Z'));
  const { minor: left } = (await owner.api.plans.credit())!;
  const { endsAt } = await owner.api.plans.cancel({ reason: '' });
  await pass(later(endsAt, HOURS(2)));
  await runJobs(runtime, refundPlanCredit.name, (payload, of) => returnPlanCredit(of, payload));
  await settle();
  const isPlan = and(eq(sales.creatorId, owner.creatorId), eq(sales.purpose, 'plan'));
  return {
    first: dueMinor,
    upgrade,
    credit,
    left,
    refunded: await refundedOf(isPlan),
    after: await owner.api.plans.credit(),
  };
}

const refundedOf = async (of: ReturnType<typeof and>) => {
  const rows = await db
    .select({ minor: refunds.amountMinor })
    .from(refunds)
    .innerJoin(sales, eq(sales.id, refunds.saleId))
    .where(of)
    .orderBy(refunds.providerId);
  return rows.reduce((sum, { minor }) => sum + minor, 0);
};

async function freeAfterUpgrade() {
  await pass(new Date('2026-06-03T09:00:00Z'));
  const show = await make.product(lucia, { name: 'De pago', priceMinor: 400, annualPriceMinor: 4000 });
  const buyer = await make.person();
  await buy(showItem(show, { userId: buyer.id }));
  await settle();
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, buyer.id));
  const { id } = row!;
  await pass(later(row!.periodEnd, -DAYS(20)));
  const { at, due, yearly } = await buyer.api.subscriptions.yearlyPreview({ id });
  await buyer.api.subscriptions.changeToYearly({ id, at, dueMinor: due.minor, yearlyMinor: yearly.minor });
  await settle();
  await pass(later(at, DAYS(51) + HOURS(2) + MINUTES(24)));
  const free = { id: show.id, kind: 'podcast' } as const;
  const { totals } = await shownRefunds(runtime, ctxOf({ ...lucia }), free);
  await lucia.api.products.startFreeConversion({ ...free, how: 'refund', isConfirmed: true });
  await runJobs(runtime, syncJob.name, (payload, of) => syncShowSubscriptions(of, payload));
  await runJobs(runtime, refundEnd.name, (payload, of) => endWithRefund(of, payload));
  await settle();
  const shown = totals.map(({ refund }) => refund.minor);
  return { yearly: yearly.minor, due: due.minor, shown, refunded: await refundedOf(eq(sales.userId, buyer.id)) };
}

test.each<[string, () => Promise<object>, object]>([
  [
    'an inquiry becomes a dispute (20.00 fee), is won, and the payment is refunded',
    inquiryThatIsWon,
    {
      asked: PAID,
      // 3.58 − 4.00 − 20.00; fees 0.42 + 20.00
      taken: { ...NOTHING, provider_balance: -2042, provider_fees: 2042 },
      won: PAID,
      // the provider keeps its fee of the sale
      refunded: { ...NOTHING, provider_balance: -42, provider_fees: 42 },
    },
  ],
  [
    'a fee that the provider names a day after the payment',
    feeOfTheNextDay,
    { atOnce: SOLD, waiting: SOLD, captured: PAID, fee: 42 },
  ],
  [
    // with 19 d 23 h 42 min of 30 days left, 66.625 %: 49.00 is 32.65, 19.00 is 12.66 and 9.00 is 6.00
    'PRO, PLUS and BASIC within a month, a month of BASIC, and the end of the plan',
    creditOfFormerPlan,
    // 32.65 − 12.66; 32.65 − 6.00; 26.65 − 9.00
    { first: 1900, upgrade: 1999, credit: 2665, left: 1765, refunded: 1765, after: null },
  ],
  [
    // 4.00 × 20 of 30 days is 2.67; 40.00 − 2.67; 313.9 of 365 days are 86 %, and 86 % of 40.00 is 34.40
    'at most 34.40 goes back of a year of 40.00, of which 2.67 was paid with the month before',
    freeAfterUpgrade,
    { yearly: 4000, due: 3733, shown: [3440], refunded: 3440 },
  ],
])('%s', async (_, live, expected) => {
  expect(await live()).toEqual(expected);
});

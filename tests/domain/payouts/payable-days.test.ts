import { eq } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { billingDetails } from '~/db/schema/accounts';
import { sales } from '~/db/schema/billing';
import { payouts } from '~/db/schema/payouts';
import { DAYS, later, MINUTES } from '~/server/base/time';
import { syncRefunds } from '~/server/domain/billing/refunds/refunds';
import { balancesOf } from '~/server/domain/payouts/queries';
import { requestPayout } from '~/server/domain/payouts/request-payout';
import { statementOf } from '~/server/domain/payouts/statements';
import { shop, showItem } from '../../support/shop';

const DISPUTED = '4000000000000259';
const { runtime, ctx, ctxOf, make, payments, sandbox, clock, handleEvents, settle, buy, pauseAt } = await shop();
const { db } = runtime;

afterEach(() => sandbox.setTiming({ captureSeconds: 3, settlementDays: 7 }));

/** A creator who may be paid out, and sells for 100.00. */
async function selling() {
  const creator = await make.creator({ name: 'Nueva' });
  await db.insert(billingDetails).values({ userId: creator.id, iban: 'ES9121000418450200051332' });
  const show = await make.product(creator, { kind: 'audio_series', name: 'Serie', priceMinor: 100_00 });
  const { creatorId } = creator;
  return {
    own: ctxOf({ ...creator }),
    balance: async (now = clock.now) => (await balancesOf({ ...ctx, now: () => now }, creatorId))[0]!,
    async sell(card?: string) {
      const { id } = await make.person();
      await buy(showItem(show, { userId: id }), card);
      await handleEvents();
      return (await db.select().from(sales).where(eq(sales.userId, id)))[0]!;
    },
    async sent() {
      const rows = await db.select().from(payouts).where(eq(payouts.creatorId, creatorId)).orderBy(payouts.id);
      return rows.map(({ amountMinor }) => amountMinor);
    },
  };
}
const shareOf = (sale: typeof sales.$inferSelect) => sale.amountMinor - sale.vatMinor - sale.commissionMinor;
const BELOW = { code: 'payout.below_threshold' };

test.each([
  ['2 days', 2, 7],
  ['7 days', 7, 7],
  ['14 days', 14, 14],
])(
  'of an account whose money arrives after %s, a payout is refused a minute before, and made a minute after',
  async (_, settlementDays, days) => {
    sandbox.setTiming({ settlementDays });
    const { own, balance, sell, sent } = await selling();
    const sale = await sell();
    await settle();
    const from = later(sale.paidAt, DAYS(days));
    expect((await balance()).pending).toEqual([{ minor: shareOf(sale), availableAt: from }]);

    clock.now = later(from, -MINUTES(1));
    await expect(requestPayout(own, { currency: 'eur' })).rejects.toMatchObject(BELOW);
    clock.now = later(from, MINUTES(1));
    await requestPayout(own, { currency: 'eur' });

    expect(await sent()).toEqual([shareOf(sale)]);
  },
);

test('while the provider has not captured a payment, its money is not payable, whatever the time', async () => {
  sandbox.setTiming({ captureSeconds: 30 * 86_400 });
  const { own, balance, sell, sent } = await selling();
  const sale = await sell();
  expect(await balance()).toMatchObject({
    availableMinor: 0,
    pendingMinor: shareOf(sale),
    pending: [{ minor: shareOf(sale), availableAt: null }],
  });
  clock.now = later(sale.paidAt, DAYS(29));
  await expect(requestPayout(own, { currency: 'eur' })).rejects.toMatchObject(BELOW);

  clock.now = later(sale.paidAt, DAYS(31));
  await settle();
  const { pending } = await balance();
  expect(pending).toEqual([{ minor: shareOf(sale), availableAt: expect.any(Date) }]);
  await expect(requestPayout(own, { currency: 'eur' })).rejects.toMatchObject(BELOW);
  clock.now = pending[0]!.availableAt!;
  await requestPayout(own, { currency: 'eur' });

  expect(await sent()).toEqual([shareOf(sale)]);
  expect(await balance()).toMatchObject({ availableMinor: 0, pendingMinor: 0, pending: [] });
});

test('a refund before the day is known, or before it, takes from what waits', async () => {
  sandbox.setTiming({ settlementDays: 14 });
  const { own, balance, sell } = await selling();
  const sale = await sell();
  const refund = async (minor: number) => {
    await payments.refund(sale.paymentId, { amount: { minor, currency: 'eur' }, reference: {} }, `part/${minor}`);
    await syncRefunds(ctx, sale.paymentId);
  };
  await refund(40_00);
  // the refund completes the capture at the provider, but its event has not been handled
  expect((await balance()).pending).toEqual([{ minor: expect.any(Number), availableAt: null }]);
  await settle();
  const [first] = (await balance()).pending;
  await refund(10_00);

  const { availableMinor, pendingMinor, pending } = await balance();
  expect(availableMinor).toBe(0);
  expect(pending).toEqual([{ minor: pendingMinor, availableAt: later(sale.paidAt, DAYS(14)) }]);
  expect(pendingMinor).toBeLessThan(first!.minor);
  expect(await balance(later(sale.paidAt, DAYS(14)))).toMatchObject({ availableMinor: pendingMinor, pendingMinor: 0 });
  const { entries, openingMinor, closingMinor } = await statementOf(own, { page: 1, currency: 'eur' });
  expect(entries.items.map(({ kind }) => kind)).toEqual(['sale', 'refund', 'refund']);
  expect([entries.total, closingMinor - openingMinor]).toEqual([3, pendingMinor]);
});

test('a refund that is written while the day becomes known takes from the same day', async () => {
  const { balance, sell } = await selling();
  const sale = await sell();
  await payments.refund(sale.paymentId, { reference: {} }, 'all');
  const pause = pauseAt('refunds.listed');
  const refunded = syncRefunds(ctx, sale.paymentId);
  await pause.reachedBy(refunded);
  await settle();
  pause.goOn();
  await refunded;

  expect(await balance()).toMatchObject({ availableMinor: 0, pendingMinor: 0, pending: [] });
  expect(await balance(later(clock.now, DAYS(30)))).toMatchObject({ availableMinor: 0, pendingMinor: 0 });
});

test('a won dispute returns the share to the day of its sale', async () => {
  sandbox.setTiming({ settlementDays: 14 });
  const { balance, sell } = await selling();
  const sale = await sell(DISPUTED);
  await settle();
  expect(await balance()).toMatchObject({ availableMinor: 0, pendingMinor: 0, pending: [] });
  const { source } = (await payments.listBookEntries({ limit: 10 })).find(({ kind }) => kind === 'dispute')!;

  await payments.answerDispute(source!, 'winning_evidence', 'won');
  await settle();

  const from = later(sale.paidAt, DAYS(14));
  expect((await balance()).pending).toEqual([{ minor: shareOf(sale), availableAt: from }]);
});

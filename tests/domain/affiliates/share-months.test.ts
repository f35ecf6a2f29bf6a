import { expect, test } from 'vitest';
import { DAYS, HOURS, later, monthsLater } from '~/server/base/time';
import { eraseAffiliate } from '~/server/domain/affiliates/erase-affiliate';
import { shareOf } from '~/server/domain/affiliates/rules';
import { reconcileBooks } from '~/server/domain/billing/books/reconcile-books';
import { closeCreatorPage } from '~/server/domain/creators/close-page';
import { balancesOf } from '~/server/domain/payouts/queries';
import { affiliateShop } from '../../support/affiliate-shop';
import { GOOD_CARD, shop } from '../../support/shop';

const opened = await shop();
const { ctx, payments, clock, pass } = opened;
const { paid, settleAll, salesOf, owedTo, kindsOf } = affiliateShop(opened);
// before the clock of the database, which starts no job of the future
clock.now = new Date('2025-03-02T09:00:00Z');
const MONTHS = Array.from({ length: 14 }, (_, at) => at + 1);

test('twelve monthly payments bring a share and the thirteenth none, and the books agree with the provider', async () => {
  const { affiliate, brought, sale } = await paid(GOOD_CARD, 'BASIC');

  for (const month of MONTHS) await pass(later(monthsLater(sale.paidAt, month), HOURS(3)));
  await settleAll();

  const all = await salesOf(brought);
  expect(all.length).toBeGreaterThan(12);
  expect(await kindsOf(affiliate)).toEqual(Array(12).fill('affiliate_commission'));
  expect(await owedTo(affiliate)).toBe(all.slice(0, 12).reduce((sum, each) => sum + shareOf(each), 0));
  await pass(later(clock.now, DAYS(2)));
  expect(await reconcileBooks(ctx)).toEqual({ entries: expect.any(Number), differences: 0 });
});

test('a refund after thirty days takes from the counted balance at once', async () => {
  const { affiliate, sale } = await paid(GOOD_CARD, 'BASIC');
  await pass(later(sale.paidAt, DAYS(30) + 1));
  await settleAll();
  const before = await balancesOf(ctx, affiliate.creatorId);

  await payments.refund(sale.paymentId, { reference: {} }, 'late');
  await settleAll();

  expect(before).toMatchObject([{ availableMinor: shareOf(sale) }]);
  expect(await balancesOf(ctx, affiliate.creatorId)).toMatchObject([{ availableMinor: 0, pendingMinor: 0 }]);
});

test('an affiliate whose account was deleted gets no new shares, and old ones are still taken back', async () => {
  const { affiliate, brought, sale } = await paid(GOOD_CARD, 'BASIC');
  await eraseAffiliate(ctx, { userId: affiliate.id });
  await closeCreatorPage(ctx, { userId: affiliate.id });

  await pass(later(monthsLater(sale.paidAt, 1), HOURS(3)));
  await payments.refund(sale.paymentId, { reference: {} }, 'of a deleted affiliate');
  await settleAll();

  expect((await salesOf(brought)).length).toBeGreaterThan(1);
  expect(await kindsOf(affiliate)).toEqual(['affiliate_commission', 'affiliate_return']);
  expect(await owedTo(affiliate)).toBe(0);
});

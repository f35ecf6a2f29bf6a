import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { later, monthsLater } from '~/server/base/time';
import { soldByCountry } from '~/server/domain/vat/registrations';
import { shop, showItem } from '../../support/shop';

const { runtime, ctx, make, lucia, clock, settle, buy, payments } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie', priceMinor: 100_000 });
const CARDS = { GB: '4000008260000000', DE: '4000002760000016' };

async function saleTo(country: keyof typeof CARDS) {
  const { id: userId } = await make.person({ country });
  await buy(showItem(series, { userId }), CARDS[country], country);
  await settle();
  return (await db.select().from(sales).where(eq(sales.userId, userId)))[0]!;
}

test('sales count without VAT, fees of the provider and refunds, in their year; donations are none', async () => {
  const british = await saleTo('GB');
  const german = await saleTo('DE');
  const donated = await saleTo('GB');
  await db.update(sales).set({ vatBasis: 'donation' }).where(eq(sales.id, donated.id));
  await payments.refund(british.paymentId, { amount: { minor: 30_000, currency: 'eur' }, reference: {} }, 'a part');
  await settle();
  const sums = async (at: Date) =>
    (await soldByCountry(ctx, at)).map((to) => [to.country, to.basis, to.twelveMonths, to.thisYear, to.lastYear]);
  const [net, left] = [german.amountMinor - german.vatMinor, british.amountMinor - 30_000];
  const { paidAt } = british;

  expect(german.vatMinor).toBe(15_966);
  expect(await sums(later(clock.now, 1))).toEqual([
    ['DE', 'charged', net, net, 0],
    ['GB', 'outside_eu', left, left, 0],
  ]);
  expect(await sums(paidAt)).toEqual([]);
  expect(await sums(monthsLater(paidAt, 13))).toEqual([
    ['DE', 'charged', 0, 0, net],
    ['GB', 'outside_eu', 0, 0, left],
  ]);
});

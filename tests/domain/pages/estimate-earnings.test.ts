import { eq, inArray, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { creatorPlans } from '~/db/schema/plans';
import { later, monthsLater, SECONDS } from '~/server/base/time';
import type { CheckoutItem } from '~/server/domain/billing/checkout/checkouts';
import { estimateEarnings } from '~/server/domain/pages/estimate-earnings';
import { earningsInput } from '~/server/domain/pages/schema';
import type { PlanCode } from '~/server/limits/plans';
import { GOOD_CARD, shop, showItem } from '../../support/shop';

/** The calculator against real sales in the ledger, to the cent. */
const { runtime, ctx, make, clock, settle, buy, pass } = await shop();
const { db } = runtime;
const SPANISH_CARD = '4000007240000007';

type Sold = Omit<CheckoutItem, 'paths'>;
type Place = { card: string; country: string };

async function sellerOn(plan: PlanCode) {
  const creator = await make.creator({ name: plan });
  await db.insert(creatorPlans).values({ creatorId: creator.creatorId, plan, since: clock.now });
  const podcast = await make.product(creator, { name: 'Club', priceMinor: 599 });
  const series = await make.product(creator, { kind: 'audio_series', name: 'Serie', priceMinor: 1999 });
  return { creator, podcast, series };
}

/** What the ledger has entered for the sales of a creator. */
async function booked(creatorId: number) {
  const own = await db.select({ id: sales.id }).from(sales).where(eq(sales.creatorId, creatorId)).orderBy(sales.id);
  const rows = await db
    .select({ account: ledgerLines.account, minor: sql<number>`-sum(${ledgerLines.amountMinor})`.mapWith(Number) })
    .from(ledgerLines)
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerLines.entryId))
    .where(
      inArray(
        ledgerEntries.saleId,
        own.map(({ id }) => id),
      ),
    )
    .groupBy(ledgerLines.account)
    .orderBy(ledgerLines.account);
  const of = (account: string) => rows.find((row) => row.account === account)?.minor ?? 0;
  return {
    payments: own.length,
    vatMinor: of('vat_payable'),
    commissionMinor: of('commission'),
    shareMinor: of('creator_payable'),
  };
}

const estimate = (figures: Record<string, unknown>) =>
  estimateEarnings(ctx, earningsInput.parse({ subscribers: 0, donations: 0, sales: 0, ...figures }));

const PLACES: Record<string, Place> = {
  ES: { card: SPANISH_CARD, country: 'ES' },
  other: { card: GOOD_CARD, country: 'US' },
};

test.each<[PlanCode, 'eur' | 'usd', keyof typeof PLACES]>([
  ['FREE', 'eur', 'ES'],
  ['BASIC', 'eur', 'ES'],
  ['PRO', 'usd', 'ES'],
  ['PLUS', 'eur', 'other'],
])('%s in %s from %s: a month of sales brings what the calculator says', async (plan, currency, country) => {
  const { creator, podcast, series } = await sellerOn(plan);
  const sell = async (item: (buyer: Sold['buyer']) => Sold) => {
    const { id } = await make.person({ country: PLACES[country]!.country });
    await buy(item({ userId: id }), PLACES[country]!.card, PLACES[country]!.country);
  };
  const donation = (buyer: Sold['buyer']): Sold => ({
    purpose: 'donation',
    buyer,
    creatorId: creator.creatorId,
    terms: {
      name: 'Ada',
      priceMinor: 333,
      currency,
      every: null,
      donation: { name: 'Ana', message: '', isAnonymous: false },
    },
  });
  for (const _ of [1, 2]) await sell((buyer) => showItem(podcast, buyer, { currency }));
  await sell((buyer) => showItem(series, buyer, { currency }));
  await sell(donation);
  await settle();

  const { month, year } = estimate({
    ...{ plan, currency, country },
    ...{ subscribers: 2, price: '5.99', sales: 1, salePrice: '19.99', donations: 1, donation: '3.33' },
  });

  const { vatMinor, commissionMinor, shareMinor } = month;
  expect(await booked(creator.creatorId)).toEqual({ payments: 4, vatMinor, commissionMinor, shareMinor });
  expect(year.shareMinor).toBe(12 * shareMinor);
  expect(vatMinor > 0).toBe(country === 'ES');
});

test('each renewal of a subscription brings a month of what the calculator says', async () => {
  const { creator, podcast } = await sellerOn('BASIC');
  const { id } = await make.person({ country: 'ES' });
  await buy(showItem(podcast, { userId: id }), SPANISH_CARD, 'ES');
  await settle();
  const start = clock.now;
  for (let month = 1; month < 3; month += 1) await pass(later(monthsLater(start, month), SECONDS(3600)));

  const { vatMinor, commissionMinor, shareMinor } = estimate({ subscribers: 3, price: '5.99', country: 'ES' }).month;
  expect(await booked(creator.creatorId)).toEqual({ payments: 3, vatMinor, commissionMinor, shareMinor });
});

test('a yearly price is one payment a year', async () => {
  const { creator, podcast } = await sellerOn('PRO');
  const { id } = await make.person({ country: 'ES' });
  await buy(showItem(podcast, { userId: id }, { priceMinor: 5999, every: 'year' }), SPANISH_CARD, 'ES');
  await settle();

  const figures = { plan: 'PRO', subscribers: 1, every: 'year', price: '59.99', country: 'ES' };
  const { vatMinor, commissionMinor, shareMinor } = estimate(figures).year;
  expect(await booked(creator.creatorId)).toEqual({ payments: 1, vatMinor, commissionMinor, shareMinor });
});

test('figures beyond the bounds of prices are rejected together, each at its field', () => {
  const codes = (figures: Record<string, unknown>) => {
    try {
      estimate(figures);
      return [];
    } catch (error) {
      const { field, others } = error as { field: string; others: { field: string }[] };
      return [field, ...others.map((other) => other.field)];
    }
  };

  expect(codes({ price: '0.99', donation: '500.01', salePrice: '1000.01' })).toEqual([
    'price',
    'donation',
    'salePrice',
  ]);
  expect(codes({ price: '500.01' })).toEqual(['price']);
  expect(codes({ price: '500.01', every: 'year' })).toEqual([]);
  expect(codes({ price: '9.99', every: 'year' })).toEqual(['price']);
  expect(codes({ price: '1', donation: '500', salePrice: '1000' })).toEqual([]);
});

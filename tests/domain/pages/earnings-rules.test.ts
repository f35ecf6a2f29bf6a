import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  earningsOf,
  type Figures,
  monthOf,
  partsOfPayment,
  paymentFee,
  platformFees,
} from '~/server/domain/pages/rules';
import { PLANS, PRICED_PLANS } from '~/server/limits/plans';
import { type PaymentKind, PLATFORMS } from '~/server/limits/platform-fees';

const at = new Date('2026-11-01T12:00:00Z');
const operator = { country: 'ES', vatNumber: 'ESB12345674', vatAtHome: [] };
const unregistered = { ...operator, vatNumber: null };
const NONE: Figures = {
  subscribers: 0,
  priceMinor: 500,
  every: 'month',
  donations: 0,
  donationMinor: 500,
  sales: 0,
  salePriceMinor: 1500,
};
const figures = (change: Partial<Figures>): Figures => ({ ...NONE, ...change });

test.each<[string, Parameters<typeof partsOfPayment>, [vat: number, commission: number, share: number]]>([
  [
    '5.00 from Spain',
    [
      { kind: 'subscriptions', amountMinor: 500 },
      { plan: PLANS.BASIC, operator, country: 'ES', at },
    ],
    [87, 45, 368],
  ],
  [
    '5.00 from Hungary',
    [
      { kind: 'subscriptions', amountMinor: 500 },
      { plan: PLANS.BASIC, operator, country: 'HU', at },
    ],
    [106, 45, 349],
  ],
  [
    '5.00 from elsewhere',
    [
      { kind: 'subscriptions', amountMinor: 500 },
      { plan: PLANS.BASIC, operator, country: 'ZZ', at },
    ],
    [0, 45, 455],
  ],
  [
    '5.00 without a VAT number',
    [
      { kind: 'sales', amountMinor: 500 },
      { plan: PLANS.PRO, operator: unregistered, country: 'ES', at },
    ],
    [0, 45, 455],
  ],
  [
    'a donation of 5.00 on FREE',
    [
      { kind: 'donations', amountMinor: 500 },
      { plan: PLANS.FREE, operator, country: 'ES', at },
    ],
    [0, 80, 420],
  ],
  [
    'a donation of 1.00 on FREE',
    [
      { kind: 'donations', amountMinor: 100 },
      { plan: PLANS.FREE, operator, country: 'ES', at },
    ],
    [0, 40, 60],
  ],
  // the commission takes at most what VAT leaves
  [
    '0.33 from Spain on FREE',
    [
      { kind: 'sales', amountMinor: 33 },
      { plan: PLANS.FREE, operator, country: 'ES', at },
    ],
    [6, 27, 0],
  ],
])('%s', (_, [payment, selling], [vatMinor, commissionMinor, shareMinor]) => {
  expect(partsOfPayment(payment, selling)).toEqual({
    amountMinor: payment.amountMinor,
    vatMinor,
    commissionMinor,
    shareMinor,
  });
});

test('a year has twelve monthly payments or one yearly payment of each subscriber, and the plan twelve times', () => {
  const selling = { operator, country: 'ES', at };
  const monthly = earningsOf(figures({ subscribers: 100, donations: 2 }), PLANS.BASIC, selling);
  const yearly = earningsOf(figures({ subscribers: 100, every: 'year', priceMinor: 5000 }), PLANS.BASIC, selling);

  expect(monthly.income.map(({ kind, count }) => [kind, count])).toEqual([
    ['subscriptions', 1200],
    ['donations', 24],
  ]);
  expect(monthly).toMatchObject({ amountMinor: 612_000, vatMinor: 1200 * 87, planMinor: 108_00 });
  expect(monthly.leftMinor).toBe(1200 * 368 + 24 * 455 - 108_00);
  expect(yearly.income.map(({ count }) => count)).toEqual([100]);
  expect(earningsOf(NONE, PLANS.PLUS, selling)).toMatchObject({ amountMinor: 0, income: [], leftMinor: -588_00 });
});

const counts = fc.integer({ min: 0, max: 100_000 });
const anyFigures = fc.record({
  subscribers: counts,
  donations: counts,
  sales: counts,
  every: fc.constantFrom('month' as const, 'year' as const),
  priceMinor: fc.integer({ min: 100, max: 500_000 }),
  donationMinor: fc.integer({ min: 100, max: 50_000 }),
  salePriceMinor: fc.integer({ min: 100, max: 100_000 }),
});

test('all parts of a year and of a month add up to what listeners pay', () => {
  fc.assert(
    fc.property(
      anyFigures,
      fc.constantFrom(...PRICED_PLANS),
      fc.constantFrom('ES', 'HU', 'ZZ'),
      (all, code, country) => {
        const year = earningsOf(all, PLANS[code], { operator, country, at });
        for (const { amountMinor, vatMinor, commissionMinor, planMinor, leftMinor } of [year, monthOf(year)]) {
          expect(vatMinor + commissionMinor + planMinor + leftMinor).toBe(amountMinor);
          expect(Number.isSafeInteger(amountMinor)).toBe(true);
        }
      },
    ),
  );
});

const platformOf = (id: string) => PLATFORMS.find((platform) => platform.id === id)!;
const incomeOf = (kinds: Partial<Figures>) =>
  earningsOf(figures(kinds), PLANS.BASIC, { operator, country: 'ES', at }).income;

test.each<[string, Partial<Figures>, fee: number, missing: PaymentKind[]]>([
  // 12 × (0.50 + 0.15 + 0.30), and the card's fee is lower for small payments: 12 × (0.30 + 0.15 + 0.10)
  ['patreon', { subscribers: 1 }, 12 * 95, []],
  ['patreon', { subscribers: 1, priceMinor: 300 }, 12 * 55, []],
  ['substack', { subscribers: 1 }, 12 * (53 + 15 + 30), []],
  ['memberful', { subscribers: 1 }, 12 * (25 + 15 + 30) + 12 * 4900, []],
  ['kofi', { donations: 1 }, 12 * (15 + 30), []],
  ['memberful', { subscribers: 1, donations: 1 }, 12 * (25 + 15 + 30) + 12 * 4900, ['donations']],
])('%s charges for %o', (id, payments, feeMinor, missing) => {
  expect(platformFees(platformOf(id), incomeOf(payments))).toEqual({ feeMinor, missing });
});

const OWN_HOSTS: Record<string, RegExp> = {
  patreon: /(?:^|\.)patreon\.com$/,
  substack: /(?:^|\.)substack\.com$/,
  memberful: /(?:^|\.)memberful\.com$/,
  buymeacoffee: /(?:^|\.)buymeacoffee\.com$/,
  kofi: /(?:^|\.)ko-fi\.com$/,
};

test('no fee is more than the payment, and each platform names where and when it states its fees', () => {
  for (const { id, fees, sources } of PLATFORMS) {
    for (const fee of Object.values(fees)) if (fee) expect(paymentFee(fee, 20)).toBeLessThanOrEqual(20);
    expect(Object.values(fees).some(Boolean), id).toBe(true);
    expect(sources.length, id).toBeGreaterThan(0);
    for (const { url, asOf } of sources) {
      // of the platform itself, not of somebody who writes about it
      expect(new URL(url).hostname).toMatch(OWN_HOSTS[id]!);
      expect(asOf).toMatch(/^20\d\d(?:-(?:0[1-9]|1[0-2]))?$/);
    }
  }
});

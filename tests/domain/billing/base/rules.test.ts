import { expect, test } from 'vitest';
import {
  type Bill,
  chargesOf,
  highestPrice,
  isLeft,
  pricesOnSale,
  type SaleFacts,
} from '~/server/domain/billing/base/rules';

const NOW = new Date('2026-01-31T10:00:00Z');
const day = (text: string) => new Date(`${text}T10:00:00Z`);
const SHOW: SaleFacts = {
  kind: 'podcast',
  priceMinor: 500,
  annualPriceMinor: 5000,
  freeConversion: null,
  archivedAt: null,
  takenDownAt: null,
  retiredAt: null,
};

test.each<[string, Partial<SaleFacts>, string]>([
  ['a podcast', {}, 'month 500, year 5000'],
  ['one without a yearly price', { annualPriceMinor: null }, 'month 500'],
  ['an audio series', { kind: 'audio_series', annualPriceMinor: null }, 'once 500'],
  ['a free show', { priceMinor: null, annualPriceMinor: null }, ''],
  ['one that becomes free', { freeConversion: 'at_period_end' }, ''],
  ['an archived one', { archivedAt: NOW }, ''],
  ['a deleted one', { retiredAt: NOW }, ''],
])('the prices of %s', (_, over, expected) => {
  const prices = pricesOnSale({ ...SHOW, ...over });
  expect(prices.map(({ interval, minor }) => `${interval} ${minor}`).join(', ')).toBe(expected);
});

test('a buyer who chooses the amount stays within the bounds of prices', () => {
  expect((['month', 'year', 'once'] as const).map(highestPrice)).toEqual([50_000, 500_000, 100_000]);
});

const once = { duration: 'once', months: null } as const;
const three = { duration: 'repeating', months: 3 } as const;
const lifetime = { duration: 'lifetime', months: null } as const;

test.each<[string, Partial<Bill>, string]>([
  ['a purchase', { interval: 'once' }, 'today 500'],
  ['a purchase with a coupon', { interval: 'once', reducedMinor: 400, coupon: once }, 'today 400'],
  ['a month', {}, 'today 500 | renewal 500 2026-02-28'],
  ['a year', { interval: 'year' }, 'today 500 | renewal 500 2027-01-31'],
  ['a trial', { trialDays: 7 }, 'today 0 | first 500 2026-02-07 | renewal 500 2026-03-07'],
  ['a coupon for one payment', { reducedMinor: 0, coupon: once }, 'today 0 | renewal 500 2026-02-28'],
  [
    'a coupon for three months',
    { reducedMinor: 250, coupon: three },
    'today 250 | renewal 250 2026-02-28 | regular 500 2026-04-30',
  ],
  [
    'a coupon for three months, of a year',
    { interval: 'year', reducedMinor: 250, coupon: three },
    'today 250 | renewal 500 2027-01-31',
  ],
  ['a coupon for ever', { reducedMinor: 250, coupon: lifetime }, 'today 250 | renewal 250 2026-02-28'],
  [
    'a trial with a coupon for one payment',
    { trialDays: 7, reducedMinor: 250, coupon: once },
    'today 0 | first 250 2026-02-07 | renewal 500 2026-03-07',
  ],
  [
    'a trial that is longer than the coupon',
    { trialDays: 90, reducedMinor: 250, coupon: { duration: 'repeating', months: 1 } },
    'today 0 | first 500 2026-05-01 | renewal 500 2026-06-01',
  ],
])('the amounts charged for %s', (_, over, expected) => {
  const bill: Bill = {
    interval: 'month',
    amountMinor: 500,
    reducedMinor: 500,
    coupon: null,
    trialDays: 0,
    ...over,
  };

  const { todayMinor, ...later } = chargesOf(bill, NOW);

  const lines = Object.entries(later).flatMap(([name, charge]) =>
    charge ? [`${name} ${charge.minor} ${charge.at.toISOString().slice(0, 10)}`] : [],
  );
  expect([`today ${todayMinor}`, ...lines].join(' | ')).toBe(expected);
  expect(later.first === null || later.first.at > day('2026-01-31')).toBe(true);
});

const RUNNING = { endsAt: null, endedAt: null };
const CANCELLED = {
  ...{ purpose: 'show', productId: 1, status: 'active', endReason: 'subscriber' },
  ...{ endsAt: day('2026-02-28'), endedAt: null },
} as const;

test.each<[string, object, object | null, boolean]>([
  ['a subscriber who cancels', {}, RUNNING, true],
  ['one who cancels at the payment provider', { endReason: null }, RUNNING, true],
  ['one who has cancelled before', {}, { ...RUNNING, endsAt: day('2026-02-28') }, false],
  ['one whose subscription goes on', { endsAt: null, endReason: null }, RUNNING, false],
  ['one whose show becomes free', { endReason: 'show_becomes_free' }, RUNNING, false],
  ['one whose card failed', { endReason: 'unpaid', endedAt: NOW }, RUNNING, false],
  ['a new one', {}, null, false],
  ['a plan', { purpose: 'plan', productId: null }, RUNNING, false],
])('whether %s leaves a show', (_, over, before, expected) => {
  expect(isLeft({ ...CANCELLED, ...over } as never, before as never)).toBe(expected);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMonths, periodAround, periodEnd } from '../src/billing/billing-dates';
import { discountLines } from '../src/billing/discount-amounts';
import { percentOf, prorate, proration, roundCents, splitByWeight } from '../src/money/proportions';
import { deepSeed, isDeep } from './support/deep';

const RUNS = { numRuns: isDeep ? 20_000 : 2000, seed: deepSeed() };
const DAY = 86_400;
const cents = fc.integer({ min: 0, max: 50_000_000 });
const moment = fc.integer({ min: Date.UTC(2020, 0, 1) / 1000, max: Date.UTC(2090, 0, 1) / 1000 });
const sum = (numbers: number[]) => numbers.reduce((all, number) => all + number, 0);

test('addMonths keeps the day of the month or uses the last one', () => {
  fc.assert(
    fc.property(moment, fc.integer({ min: 0, max: 400 }), (from, months) => {
      const [before, after] = [new Date(from * 1000), new Date(addMonths(from, months) * 1000)];
      const last = new Date(Date.UTC(after.getUTCFullYear(), after.getUTCMonth() + 1, 0)).getUTCDate();

      expect(after.getUTCDate()).toBe(Math.min(before.getUTCDate(), last));
      expect(after.getUTCFullYear() * 12 + after.getUTCMonth()).toBe(
        before.getUTCFullYear() * 12 + before.getUTCMonth() + months,
      );
      expect((after.getTime() - before.getTime()) % (DAY * 1000)).toBe(0);
    }),
    RUNS,
  );
});

test('periods have no gaps and never drift from the anchor', () => {
  fc.assert(
    fc.property(
      moment,
      fc.constantFrom('day', 'week', 'month', 'year'),
      fc.integer({ min: 1, max: 60 }),
      (anchor, interval, count) => {
        const end = periodEnd(anchor, interval, count);

        expect(periodAround(anchor, interval, 1, end)).toEqual({
          start: end,
          end: periodEnd(anchor, interval, count + 1),
        });
        expect(periodAround(anchor, interval, 1, end - 1)).toEqual({
          start: periodEnd(anchor, interval, count - 1),
          end,
        });
      },
    ),
    RUNS,
  );
});

test('twelve months equal one year', () => {
  fc.assert(
    fc.property(moment, (anchor) => {
      expect(periodEnd(anchor, 'month', 12)).toBe(periodEnd(anchor, 'year', 1));
    }),
    RUNS,
  );
});

test('prorated parts add up to the whole, within half a cent per part', () => {
  const cuts = fc.array(fc.integer({ min: 0, max: 31 * DAY }), { maxLength: 20 });
  fc.assert(
    fc.property(cents, cuts, (price, at) => {
      const whole = 31 * DAY;
      const edges = [0, ...at.sort((a, b) => a - b), whole];
      const parts = edges.slice(1).map((edge, i) => prorate(price, edge - (edges[i] ?? 0), whole));

      expect(Math.abs(sum(parts) - price)).toBeLessThanOrEqual(parts.length / 2);
    }),
    RUNS,
  );
});

test('prorate equals the closed form, rounded half away from zero', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 1, max: 400 }),
      (amount, part, whole) => {
        const doubled = 2 * Math.abs(amount) * part + whole;
        const expected = Math.sign(amount) * Math.floor(doubled / (2 * whole)) + 0;

        expect(prorate(amount, part, whole)).toBe(expected);
      },
    ),
    RUNS,
  );
});

test('changing a price and changing it back at the same moment costs nothing', () => {
  fc.assert(
    fc.property(
      cents,
      cents,
      moment,
      fc.integer({ min: 1, max: 366 * DAY }),
      fc.nat(),
      (before, after, start, length, into) => {
        const period = { start, end: start + length, at: start + (into % length) };
        const there = proration(before, after, period);
        const back = proration(after, before, period);

        expect(there.credit + there.charge + back.credit + back.charge).toBe(0);
      },
    ),
    RUNS,
  );
});

test('many changes in a period cost the time at each price, within half a cent per line', () => {
  const changes = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 * DAY }), cents), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(cents, changes, (first, list) => {
      const [start, end] = [0, 30 * DAY];
      const ordered = [...list].sort(([a], [b]) => a - b);
      let price = first;
      let charged = first;
      let exact = 0;
      let from = start;
      for (const [at, next] of ordered) {
        const { credit, charge } = proration(price, next, { start, end, at });
        charged += credit + charge;
        exact += (price * (at - from)) / end;
        [price, from] = [next, at];
      }
      exact += (price * (end - from)) / end;

      expect(Math.abs(charged - exact)).toBeLessThanOrEqual(ordered.length + 0.001);
    }),
    RUNS,
  );
});

test('a change at the end of a period costs nothing, and at its start the full difference', () => {
  fc.assert(
    fc.property(cents, cents, (before, after) => {
      expect(proration(before, after, { start: 0, end: DAY, at: DAY })).toEqual({ credit: 0, charge: 0 });
      expect(proration(before, after, { start: 0, end: DAY, at: 0 })).toEqual({ credit: 0 - before, charge: after });
    }),
    RUNS,
  );
});

test('a percentage is within half a cent and never exceeds the amount', () => {
  fc.assert(
    fc.property(cents, fc.integer({ min: 1, max: 10_000 }), (amount, hundredths) => {
      const off = percentOf(amount, hundredths / 100);

      expect(off).toBeGreaterThanOrEqual(0);
      expect(off).toBeLessThanOrEqual(amount);
      expect(Math.abs(off - (amount * hundredths) / 10_000)).toBeLessThanOrEqual(0.5);
    }),
    RUNS,
  );
});

test('a split distributes every cent once', () => {
  fc.assert(
    fc.property(cents, fc.array(cents, { minLength: 1, maxLength: 10 }), (total, weights) => {
      const parts = splitByWeight(total, weights);

      expect(sum(parts)).toBe(sum(weights) === 0 ? 0 : total);
      expect(parts.every((part, i) => part >= 0 && (weights[i] !== 0 || part === 0))).toBe(true);
    }),
    RUNS,
  );
});

test('reductions never exceed a line, and flat ones take exactly their amount if there is enough', () => {
  const reduction = fc.oneof(
    fc.integer({ min: 1, max: 100 }).map((percent) => ({ id: 'p', percent, amount: null })),
    fc.integer({ min: 1, max: 1_000_000 }).map((amount) => ({ id: 'a', percent: null, amount })),
  );
  fc.assert(
    fc.property(
      fc.array(cents, { minLength: 1, maxLength: 6 }),
      fc.array(reduction, { maxLength: 4 }),
      (amounts, reductions) => {
        const taken = discountLines(amounts, reductions);

        for (const [i, amount] of amounts.entries()) expect(sum(taken[i] ?? [])).toBeLessThanOrEqual(amount);
        const [first] = reductions;
        if (first?.amount) expect(sum(taken.map((row) => row[0] ?? 0))).toBe(Math.min(first.amount, sum(amounts)));
      },
    ),
    RUNS,
  );
});

test('credits are never discounted', () => {
  expect(discountLines([-500, 1000], [{ id: 'p', percent: 50, amount: null }])).toEqual([[0], [500]]);
});

test('half cents are rounded away from zero', () => {
  expect([0.5, 1.5, 2.5, -0.5, -1.5].map(roundCents)).toEqual([1, 2, 3, -1, -2]);
});

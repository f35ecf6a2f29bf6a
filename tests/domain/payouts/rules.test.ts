import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  boundsOf,
  type Charge,
  destinationOf,
  maskedDestination,
  monthsBetween,
  nextMonth,
  partsOf,
  payableFrom,
  payoutProblem,
  refundSplit,
  takenAt,
  UNKNOWN_DAY,
} from '~/server/domain/payouts/rules';
import { commissionOn } from '~/server/domain/plans/rules';
import { PLANS } from '~/server/limits/plans';
import { deepSeed, isDeep } from '../../support/deep';

const RUNS = { numRuns: isDeep ? 20_000 : 2000, seed: deepSeed() };

test.each([
  ['everything', { amountMinor: 1500, vatMinor: 0, commissionMinor: 75 }, 0, 1500, [0, 75, 1425]],
  ['a third', { amountMinor: 1500, vatMinor: 0, commissionMinor: 75 }, 0, 500, [0, 25, 475]],
  ['everything, with VAT', { amountMinor: 1210, vatMinor: 210, commissionMinor: 66 }, 0, 1210, [210, 66, 934]],
  ['half, with VAT', { amountMinor: 1210, vatMinor: 210, commissionMinor: 66 }, 0, 605, [105, 33, 467]],
  ['cents, whose halves are rounded once', { amountMinor: 100, vatMinor: 0, commissionMinor: 33 }, 0, 50, [0, 17, 33]],
  ['the rest of them', { amountMinor: 100, vatMinor: 0, commissionMinor: 33 }, 50, 50, [0, 16, 34]],
  [
    'everything after a third, by a bank',
    { amountMinor: 1210, vatMinor: 210, commissionMinor: 66 },
    400,
    1210,
    [141, 44, 1025],
  ],
  ['a charge that was all commission', { amountMinor: 40, vatMinor: 0, commissionMinor: 40 }, 0, 40, [0, 40, 0]],
])('the parts of a refund: %s', (_, charge, refundedMinor, minor, [vatMinor, commissionMinor, shareMinor]) => {
  expect(refundSplit({ ...charge, refundedMinor }, minor)).toEqual({ vatMinor, commissionMinor, shareMinor });
});

const charges: fc.Arbitrary<Charge> = fc
  .record({
    amountMinor: fc.integer({ min: 1, max: 500_000 }),
    rate: fc.integer({ min: 0, max: 2700 }),
    plan: fc.constantFrom(...Object.values(PLANS)),
  })
  .map(({ amountMinor, rate, plan }) => {
    const vatMinor = Math.round((amountMinor * rate) / (10_000 + rate));
    return {
      amountMinor,
      vatMinor,
      commissionMinor: Math.min(commissionOn(plan, amountMinor), amountMinor - vatMinor),
    };
  });

test('no part of a charge is negative, however small it is, and together they are the charge', () => {
  fc.assert(
    fc.property(charges, (charge) => {
      const { vatMinor, commissionMinor, shareMinor } = partsOf(charge);

      expect(vatMinor + commissionMinor + shareMinor).toBe(charge.amountMinor);
      expect(Math.min(vatMinor, commissionMinor, shareMinor)).toBeGreaterThanOrEqual(0);
      expect(commissionMinor).toBeLessThanOrEqual(charge.amountMinor);
    }),
    RUNS,
  );
});

test('refunds in any parts take as much as one of everything', () => {
  fc.assert(
    fc.property(charges, fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 8 }), (charge, wanted) => {
      let refundedMinor = 0;
      const total = { vatMinor: 0, commissionMinor: 0, shareMinor: 0 };
      for (const want of [...wanted, charge.amountMinor]) {
        const minor = Math.min(want, charge.amountMinor - refundedMinor);
        const split = refundSplit({ ...charge, refundedMinor }, minor);
        for (const part of ['vatMinor', 'commissionMinor', 'shareMinor'] as const) total[part] += split[part];
        expect(split.vatMinor + split.commissionMinor + split.shareMinor).toBe(minor);
        refundedMinor += minor;
      }

      expect(total).toEqual(partsOf(charge));
    }),
    RUNS,
  );
});

test.each([
  ['while its sale is pending, with it', '2026-03-04T00:00:00Z', '2026-03-08T12:00:00Z'],
  ['to the moment, at once', '2026-03-08T12:00:00Z', '2026-03-08T12:00:00Z'],
  ['later, at once', '2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z'],
])('a refund is taken %s', (_, at, expected) => {
  const sale = { paidAt: new Date('2026-03-01T12:00:00Z'), availableAt: null, providerFeeMinor: 40 };

  expect(takenAt(sale, new Date(at))).toEqual(new Date(expected));
});

test.each([
  ['after a week, if its money is there sooner', '2026-03-03T00:00:00Z', 40, '2026-03-08T12:00:00Z'],
  ['with its money, if that takes longer', '2026-03-15T00:00:00Z', 40, '2026-03-15T00:00:00Z'],
  ['on no day while the provider has named none', null, null, UNKNOWN_DAY],
  ['after a week, if the day was not recorded', null, 40, '2026-03-08T12:00:00Z'],
])('a sale is payable %s', (_, day, providerFeeMinor, expected) => {
  const sale = {
    paidAt: new Date('2026-03-01T12:00:00Z'),
    availableAt: day === null ? null : new Date(day),
    providerFeeMinor,
  };

  expect(payableFrom(sale)).toEqual(new Date(expected));
});

const FREE = { availableMinor: 50_01, hasRequested: false, hasAddress: true };
test.each([
  ['50.01', {}, null],
  ['exactly 50.00', { availableMinor: 50_00 }, 'payout.below_threshold'],
  ['nothing', { availableMinor: 0 }, 'payout.below_threshold'],
  ['a debt', { availableMinor: -60_00 }, 'payout.below_threshold'],
  ['a second request of the month', { hasRequested: true }, 'payout.already_requested'],
  ['a second request, with nothing left', { hasRequested: true, availableMinor: 0 }, 'payout.already_requested'],
  ['no address', { hasAddress: false }, 'payout.address_missing'],
  ['too little, and no address', { availableMinor: 1, hasAddress: false }, 'payout.below_threshold'],
])('whether a payout can be requested: %s', (_, over, code) => {
  expect(payoutProblem({ ...FREE, ...over })?.code ?? null).toBe(code);
});

const [iban, paypalEmail] = ['ES9121000418450200051332', 'lucia@mail.example'];
test.each([
  ['eur', { iban, paypalEmail }, 'iban'],
  ['usd', { iban, paypalEmail }, 'paypal'],
  ['usd', { iban, paypalEmail: null }, 'iban'],
  ['eur', { iban: null, paypalEmail }, 'paypal'],
  ['eur', { iban: null, paypalEmail: null }, undefined],
] as const)('where %s of %j go: %s', (currency, addresses, method) => {
  expect(destinationOf(addresses, currency)?.method).toBe(method);
});

test.each([
  ['iban', iban, 'ES91 … 1332'],
  ['paypal', paypalEmail, 'l…@mail.example'],
  ['paypal', '😀x@mail.example', '😀…@mail.example'],
] as const)('a page shows of the address %s %s: %s', (method, destination, shown) => {
  expect(maskedDestination({ method, destination })).toBe(shown);
});

test.each([
  ['2026-01-31T23:59:59.999Z', '2026-02-01'],
  ['2026-02-01T00:00:00.000Z', '2026-03-01'],
  ['2026-12-31T23:59:59.999Z', '2027-01-01'],
  // already February in Madrid
  ['2026-01-31T23:30:00.000Z', '2026-02-01'],
])('the month after %s begins on %s', (at, first) => {
  expect(nextMonth(new Date(at))).toEqual(new Date(`${first}T00:00:00Z`));
});

test('a month has its bounds', () => {
  expect(boundsOf('2026-12')).toEqual({ from: new Date('2026-12-01'), to: new Date('2027-01-01') });
});

test('statements go back to the first month, over the ends of years', () => {
  expect(monthsBetween('2026-11', '2027-02')).toEqual(['2027-02', '2027-01', '2026-12', '2026-11']);
  expect(monthsBetween('2027-02', '2027-02')).toEqual(['2027-02']);
  expect(monthsBetween('1990-01', '2027-02')).toHaveLength(120);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rateAt } from '~/server/domain/vat/kinds';
import { isOutsideVatArea, vatCountryOf } from '~/server/domain/vat/places';
import {
  euVatNumber,
  locationOf,
  mayCorrect,
  quarterOf,
  type VatFacts,
  vatContained,
  vatDecision,
} from '~/server/domain/vat/rules';
import { sellerOf } from '~/server/domain/vat/seller';
import { deepSeed } from '../../support/deep';

test.each([
  ['ES', '2026-11-23', 2100],
  ['EE', '2023-12-31', 2000],
  ['EE', '2024-01-01', 2200],
  ['EE', '2025-06-30', 2200],
  ['EE', '2025-07-01', 2400],
  ['FI', '2024-08-31', 2400],
  ['FI', '2024-09-01', 2550],
  ['LU', '2023-06-01', 1600],
  ['LU', '2026-06-01', 1700],
  ['RO', '2025-07-31', 1900],
  ['RO', '2025-08-01', 2100],
  ['SK', '2024-12-31', 2000],
  ['SK', '2025-01-01', 2300],
  ['GB', '2026-01-01', null],
  ['US', '2026-01-01', null],
  ['constructor', '2026-01-01', null],
])('the rate of %s on %s', (country, day, expected) => {
  expect(rateAt(country, new Date(`${day}T00:00:00Z`))).toBe(expected);
});

const at = new Date('2026-11-01T00:00:00Z');
const facts: VatFacts = {
  seller: 'operator',
  operator: { country: 'ES', vatNumber: 'ESB12345674', vatAtHome: [] },
  isDonation: false,
  country: 'FR',
  isOutsideArea: false,
  isBusiness: false,
  at,
};
test.each([
  ['a consumer abroad', {}, { basis: 'charged', country: 'FR', basisPoints: 2000 }],
  ['a consumer at home', { country: 'ES' }, { basis: 'charged', country: 'ES', basisPoints: 2100 }],
  ['a business abroad', { isBusiness: true }, { basis: 'reverse_charge', country: 'FR', basisPoints: 0 }],
  ['a business at home', { country: 'ES', isBusiness: true }, { basis: 'charged', country: 'ES', basisPoints: 2100 }],
  ['outside the Union', { country: 'AR' }, { basis: 'outside_eu', country: 'AR', basisPoints: 0 }],
  ['a region outside the VAT area', { isOutsideArea: true }, { basis: 'outside_eu', country: 'FR', basisPoints: 0 }],
  ['a buyer in an unknown country', { country: null }, { basis: 'charged', country: 'ES', basisPoints: 2100 }],
  ['a donation', { isDonation: true }, { basis: 'donation', country: 'FR', basisPoints: 0 }],
  [
    'an operator without a VAT number',
    { operator: { ...facts.operator, vatNumber: null } },
    { basis: 'not_registered', country: 'FR', basisPoints: 0 },
  ],
  ['a sale by the creator', { seller: 'creator' }, { basis: 'seller_is_creator', country: 'FR', basisPoints: 0 }],
] as const)('VAT of %s', (_, over, expected) => {
  expect(vatDecision({ ...facts, ...over })).toEqual(expected);
});

const ES_AT_HOME = {
  ...facts.operator,
  vatAtHome: [{ from: new Date('2026-01-01T00:00:00Z'), until: new Date('2026-09-14T10:30:00Z') }],
};
const during = { operator: ES_AT_HOME, at: new Date('2026-09-14T10:29:59Z') };
test.each([
  ['a consumer abroad', during, { basis: 'charged_at_home', country: 'ES', basisPoints: 2100 }],
  ['after its end', { ...during, at: new Date('2026-09-14T10:30:00Z') }, { basis: 'charged', country: 'FR' }],
  ['before its beginning', { ...during, at: new Date('2025-12-31T23:59:59Z') }, { basis: 'charged', country: 'FR' }],
  ['a consumer at home', { ...during, country: 'ES' }, { basis: 'charged', country: 'ES', basisPoints: 2100 }],
  ['a business abroad', { ...during, isBusiness: true }, { basis: 'reverse_charge', country: 'FR', basisPoints: 0 }],
  ['outside the Union', { ...during, country: 'GB' }, { basis: 'outside_eu', country: 'GB' }],
  ['a region outside the VAT area', { ...during, isOutsideArea: true }, { basis: 'outside_eu', country: 'FR' }],
  ['a seller outside the Union', { ...during, operator: { ...ES_AT_HOME, country: 'GB' } }, { basis: 'charged' }],
] as const)('below the threshold of the Union, VAT of %s', (_, over, expected) => {
  expect(vatDecision({ ...facts, ...over })).toMatchObject(expected);
});

test('the operator sells if its account is paid, and the creator if the creator’s account is', () => {
  expect([sellerOf({ connectedAccount: null }), sellerOf({ connectedAccount: 'acct_1' })]).toEqual([
    'operator',
    'creator',
  ]);
});

const piece = (kind: 'billing_country' | 'card_country' | 'ip_country' | 'declared_country', country: string) => ({
  kind,
  country,
});
test.each([
  ['nothing', [], { country: null, isConfirmed: false }],
  ['one piece', [piece('ip_country', 'FR')], { country: 'FR', isConfirmed: false }],
  ['two that agree', [piece('ip_country', 'FR'), piece('card_country', 'FR')], { country: 'FR', isConfirmed: true }],
  [
    'two that agree against the card',
    [piece('card_country', 'DE'), piece('ip_country', 'FR'), piece('billing_country', 'FR')],
    { country: 'FR', isConfirmed: true },
  ],
  [
    'two that contradict each other: nowhere',
    [piece('declared_country', 'ES'), piece('card_country', 'DE')],
    { country: null, isConfirmed: false },
  ],
])('where a buyer is, by %s', (_, evidence, expected) => {
  expect(locationOf(evidence)).toEqual(expected);
});

test.each([
  ['ES', ['35001'], true, 'Las Palmas'],
  ['ES', ['38 001'], true, 'Tenerife'],
  ['ES', ['51001'], true, 'Ceuta'],
  ['ES', ['52001'], true, 'Melilla'],
  ['ES', ['E-35001'], true, 'Las Palmas with the country'],
  ['ES', ['28035'], false, 'Madrid'],
  ['ES', ['35001', '28013'], false, 'codes that contradict each other'],
  ['ES', [], false, 'no code'],
  ['FI', ['AX-22100'], true, 'Åland'],
  ['FI', ['00100'], false, 'Helsinki'],
  ['FR', ['97400'], true, 'Réunion'],
  ['FR', ['97600'], true, 'Mayotte'],
  ['FR', ['98714'], true, 'Tahiti'],
  ['FR', ['98000'], false, 'Monaco'],
  ['FR', ['75001'], false, 'Paris'],
  ['IT', ['23041'], true, 'Livigno'],
  ['IT', ['22061'], true, 'Campione'],
  ['DE', ['78266'], true, 'Büsingen'],
  ['DE', ['D-27498'], true, 'Helgoland'],
  ['GR', ['630 86'], true, 'Mount Athos'],
  ['PT', ['35001'], false, 'a country without such regions'],
  ['GB', ['BT1 1AA'], false, 'Northern Ireland, where services are outside anyway'],
  ['constructor', ['35001'], false, 'no country'],
])('%s %j is outside the VAT area: %s (%s)', (country, codes, expected) => {
  const pieces = codes.map((postalCode) => ({ ...piece('billing_country', country), postalCode }));

  expect(isOutsideVatArea(country, pieces)).toBe(expected);
});

test('Monaco counts as France, and no other country is changed', () => {
  expect(['MC', 'IM', 'ES'].map(vatCountryOf)).toEqual(['FR', 'GB', 'ES']);
});

test.each([
  [1210, 2100, 210],
  [499, 2100, 87],
  [499, 2550, 101],
  [100, 0, 0],
  [1, 2700, 0],
  [3, 2100, 1],
])('%i with %i basis points contains %i', (gross, basisPoints, expected) => {
  expect(vatContained(gross, basisPoints)).toBe(expected);
});

test('VAT never exceeds the price, and the price without it has the rate to the cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500_000 }), fc.integer({ min: 0, max: 2700 }), (gross, basisPoints) => {
      const vat = vatContained(gross, basisPoints);

      expect(vat).toBeGreaterThanOrEqual(0);
      expect(vat).toBeLessThan(gross);
      expect(Math.abs((gross - vat) * basisPoints - vat * 10_000)).toBeLessThanOrEqual((10_000 + basisPoints) / 2);
    }),
    { numRuns: 1000, seed: deepSeed() },
  );
});

test.each([
  ['ES', 'B12345674', { country: 'ES', number: 'B12345674' }],
  ['ES', 'esb-12345674', { country: 'ES', number: 'B12345674' }],
  ['GR', '094014201', { country: 'EL', number: '094014201' }],
  ['GR', 'EL094014201', { country: 'EL', number: '094014201' }],
  ['US', '12-3456789', null],
  ['ES', null, null],
  [null, 'B12345674', null],
  ['ES', 'A'.repeat(30), null],
])('the number of %s %s in the register', (country, number, expected) => {
  expect(euVatNumber(country, number)).toEqual(expected);
});

test.each([
  ['2026-Q1', '2026-01-01', '2026-04-01'],
  ['2026-Q4', '2026-10-01', '2027-01-01'],
])('the quarter %s', (text, from, to) => {
  expect(quarterOf(text)).toEqual({ from: new Date(from), to: new Date(to) });
});
test.each(['2026-Q5', '2026Q1', '1999-Q1', '', '2026-Q1x'])('no quarter: %j', (text) => {
  expect(quarterOf(text)).toBeNull();
});

test.each([
  ['2026-Q1', '2026-Q2', true],
  ['2026-Q1', '2029-Q1', true],
  ['2026-Q1', '2029-Q2', false],
  ['2026-Q4', '2029-Q4', true],
  ['2026-Q4', '2030-Q1', false],
])('a quarter of %s is corrected in the return of %s: %s', (corrected, returned, expected) => {
  expect(mayCorrect(quarterOf(returned)!, quarterOf(corrected)!)).toBe(expected);
});

import { expect, test } from 'vitest';
import { csvLine } from '~/server/base/csv';
import { goalOf, shownName, stateOf } from '~/server/domain/donations/rules';
import { giveDonation, updateDonationSettings } from '~/server/domain/donations/schema';

const input = { creatorId: '7', currency: 'eur', every: 'once', email: 'Ana_B+radio@mail.example' };
const parsed = (over: object) => giveDonation.safeParse({ ...input, amount: '5', ...over });
const faultOf = (over: object) => parsed(over).error?.issues.map(({ path, message }) => `${path}: ${message}`) ?? [];

const RANGE = 'amount: donation.amount_out_of_range';
const FORMAT = 'amount: field.amount_invalid';
test.each([
  ['0.99', RANGE],
  ['1.00', 100],
  ['1,00', 100],
  [1, 100],
  ['500.00', 50_000],
  ['500.01', RANGE],
  ['0', RANGE],
  ['-1', FORMAT],
  ['1e9', FORMAT],
  [1e9, FORMAT],
  ['NaN', FORMAT],
  [Number.NaN, FORMAT],
  ['1.005', FORMAT],
  ['1.000,00', FORMAT],
  ['', FORMAT],
  ['5 €', FORMAT],
  [null, FORMAT],
])('the amount %s is %s', (amount, expected) => {
  const result = parsed({ amount });

  if (typeof expected === 'string') expect(faultOf({ amount })).toEqual([expected]);
  else expect(result.data?.amount).toBe(expected);
});

test('donors have any valid address, and texts lose what would reverse the text around them', () => {
  expect(parsed({}).data?.email).toBe('ana_b+radio@mail.example');
  expect(faultOf({ email: 'nobody' })).toEqual(['email: field.email_invalid']);
  expect(parsed({ email: '' }).data?.email).toBeUndefined();
  expect(parsed({ name: 'A\u202eda\u2069\n B', message: '\u202e שלום 👩‍👩‍👧 <b>\u0000' }).data).toMatchObject({
    name: 'Ada B',
    message: 'שלום 👩‍👩‍👧 <b>',
    isAnonymous: false,
  });
});

test.each([
  ['message', 500],
  ['name', 80],
])('the %s has at most %i characters', (field, max) => {
  expect(faultOf({ [field]: 'a'.repeat(max) })).toEqual([]);
  expect(faultOf({ [field]: 'a'.repeat(max + 1) })).toEqual([`${field}: field.too_long`]);
});

test.each([
  ['', null],
  [null, null],
  ['1.500', undefined],
  ['1500', 150_000],
  ['0.5', undefined],
  ['1000000', 100_000_000],
  ['1000000.01', undefined],
])('the goal %s is %s', (donationGoal, expected) => {
  expect(updateDonationSettings.safeParse({ donationGoal }).data?.donationGoal).toBe(expected);
});

test.each([
  [0, 0],
  [9_999, 99],
  [10_000, 100],
  [25_000, 100],
  [-100, 0],
])('%i of a goal of 10,000 is %i%', (given, percent) => {
  expect(goalOf({ title: '', goalMinor: 10_000, currency: 'eur' }, given).percent).toBe(percent);
});

const NOW = new Date('2026-03-02');
test('a donation is given once, or runs until it ends', () => {
  expect(stateOf(null, null)).toBe('once');
  expect(stateOf('month', null)).toBe('active');
  const running = { endedAt: null, pastDueSince: null, endReason: null, confirmationUrl: null };
  expect(stateOf('month', { ...running, pastDueSince: NOW })).toBe('overdue');
  expect(stateOf('month', { ...running, pastDueSince: NOW, confirmationUrl: 'https://pay.example' })).toBe(
    'unconfirmed',
  );
  expect(stateOf('month', { ...running, endedAt: NOW, pastDueSince: NOW })).toBe('ended');
  expect(stateOf('month', { ...running, endReason: 'subscriber' })).toBe('ended');
  expect([shownName({ name: 'Ada', isAnonymous: true }), shownName({ name: '', isAnonymous: false })]).toEqual([
    null,
    null,
  ]);
});

test('a line of CSV quotes what separates, and no cell is a formula', () => {
  expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 5, true, null, NOW])).toBe(
    '"a,b","say ""hi""","two\nlines",5,true,,2026-03-02T00:00:00.000Z\r\n',
  );
  expect(csvLine(['=HYPERLINK("x")', '+1', '-1', '-1+2', '@a', '\tb', 'a=b'])).toBe(
    `"'=HYPERLINK(""x"")",'+1,-1,'-1+2,'@a,'\tb,a=b\r\n`,
  );
});

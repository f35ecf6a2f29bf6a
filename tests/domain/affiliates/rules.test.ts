import { expect, test } from 'vitest';
import {
  codeBase,
  defaultCode,
  isInTime,
  linkCode,
  mailboxOf,
  returnAvailableAt,
  shareLeft,
  shareOf,
} from '~/server/domain/affiliates/rules';

test.each([
  [1900, 0, 380],
  [1900, 330, 314],
  [900, 0, 180],
  [4, 0, 0],
  [5, 0, 1],
  [1999, 1, 399],
  [0, 0, 0],
])('of %d with %d of VAT, the share is %d, rounded down', (amountMinor, vatMinor, share) => {
  expect(shareOf({ amountMinor, vatMinor })).toBe(share);
});

test.each([
  [0, 0, 314],
  [950, 165, 157],
  [1899, 330, 0],
  [1900, 330, 0],
  [2500, 330, 0],
  [-100, 0, 314],
])('when %d with %d of VAT were returned of 1900, %d are left', (amountMinor, vatMinor, left) => {
  expect(shareLeft({ amountMinor: 1900, vatMinor: 330 }, { amountMinor, vatMinor })).toBe(left);
});

test.each([
  ['2026-01-31T10:00:00Z', '2027-01-30T23:59:59Z', true],
  ['2026-01-31T10:00:00Z', '2027-01-31T09:59:59Z', false],
  ['2026-01-31T10:00:00Z', '2027-01-31T10:00:00Z', false],
  ['2024-02-29T00:00:00Z', '2025-02-27T23:59:59Z', true],
  ['2024-02-29T00:00:00Z', '2025-02-28T00:00:00Z', false],
  ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00Z', true],
])('with the first payment at %s, one at %s brings a share: %s', (first, at, is) => {
  expect(isInTime(new Date(at), new Date(first))).toBe(is);
});

test('a return takes from the pending share, and later from the counted one', () => {
  const paidAt = new Date('2026-05-01T00:00:00Z');
  const at = (day: string) => returnAvailableAt(paidAt, new Date(day)).toISOString();

  expect([at('2026-05-03T00:00:00Z'), at('2026-06-20T00:00:00Z')]).toEqual([
    '2026-05-31T00:00:00.000Z',
    '2026-06-20T00:00:00.000Z',
  ]);
});

test.each([
  [' Lucia-4 ', 'lucia-4'],
  ['abc', null],
  ['a'.repeat(32), 'a'.repeat(32)],
  ['a'.repeat(33), null],
  ['señal', null],
  ['a b c d', null],
  ['', null],
])('the code of %j is %j', (text, code) => {
  expect(linkCode(text)).toBe(code);
});

test.each([
  ['lucia', [], 'lucia'],
  ['lucia', ['lucia'], 'lucia-102'],
  ['lucia', ['lucia', 'lucia-102'], 'lucia-103'],
  ['ab', [], 'ab-101'],
  ['x'.repeat(40), ['x'.repeat(24)], `${'x'.repeat(24)}-102`],
])('the first code of %s, if %j are taken, is %s', (domain, taken, code) => {
  expect(defaultCode(domain, new Set(taken))).toBe(code);
  expect([linkCode(code), code.startsWith(codeBase(domain))]).toEqual([code, true]);
});

test.each([
  ['Ana+podcast@Mail.example', 'ana@mail.example'],
  ['a.n.a@mail.example', 'a.n.a@mail.example'],
  ['a.n.a+x@googlemail.com', 'ana@gmail.com'],
  ['ana@gmail.com', 'ana@gmail.com'],
])('the mailbox of %s is %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});

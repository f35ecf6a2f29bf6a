import { expect, test } from 'vitest';
import { contrast, domainFault, readableOn, toPageBrand } from '~/server/domain/creators/rules';

test.each([
  ['lucia', null],
  ['el-club-2', null],
  ['123', null],
  ['ab', 'creator.domain_invalid'],
  ['a'.repeat(31), 'creator.domain_invalid'],
  ['-lucia', 'creator.domain_invalid'],
  ['lucia-', 'creator.domain_invalid'],
  ['lucía', 'creator.domain_invalid'],
  ['Lucia', 'creator.domain_invalid'],
  ['lu cia', 'creator.domain_invalid'],
  ['lu.cia', 'creator.domain_invalid'],
  ['staging-lucia', 'creator.domain_invalid'],
  ['app', 'creator.domain_reserved'],
  ['dev-app', 'creator.domain_reserved'],
  ['staging', 'creator.domain_reserved'],
  ['staging-app', 'creator.domain_reserved'],
  ['www', 'creator.domain_reserved'],
  ['embed', 'creator.domain_reserved'],
])('the domain %j gives the error %j', (domain, fault) => {
  expect(domainFault(domain)).toBe(fault);
});

test('text on a brand colour is always readable', () => {
  const greys = Array.from({ length: 256 }, (_, level) => `#${level.toString(16).padStart(2, '0').repeat(3)}`);
  for (const background of ['#C93A27', '#D98E1F', '#FFE7E1', ...greys]) {
    expect(contrast(background, readableOn(background, '#777777'))).toBeGreaterThanOrEqual(4.5);
  }
});

test('text is readable on a colour of equal lightness, and on the same colour', () => {
  for (const [background, preferred] of [
    ['#777777', '#777777'],
    ['#777777', '#E00052'],
    ['#E00052', '#777777'],
    ['#0076A8', '#777777'],
  ] as const) {
    expect(contrast(background, preferred)).toBeLessThan(1.3);
    expect(contrast(background, readableOn(background, preferred))).toBeGreaterThanOrEqual(4.5);
  }
});

test('a creator’s own text colour is kept if it is readable', () => {
  expect(readableOn('#0B6665', '#FFE7E1')).toBe('#FFE7E1');
  expect(readableOn('#0B6665', '#0B6666')).toBe('#FFFFFF');
});

test.each([
  ['#0B6665', { light: true, dark: false }],
  ['#FFD400', { light: false, dark: true }],
  ['#C93A27', { light: true, dark: true }],
  // visible on the dark page, but not on the player above it
  ['#7A6A5A', { light: true, dark: false }],
])('lines in %s are drawn only where they are visible on the page and on the player', (button, contrasts) => {
  expect(toPageBrand({ button, text: '#FFFFFF' }).contrasts).toEqual(contrasts);
});

import { expect, test } from 'vitest';
import { pageRows, type Visit } from '~/benchmarks/phone-rows';

const visit: Visit = { lcp: 500, tbt: 0, cls: 0, shifted: [], bytes: {} };
const shiftRow = (visits: Visit[]) => pageRows('page', visits).find(({ label }) => label === 'page: layout shift');

test.each([
  ['none', 0, { figure: '0.000', met: true }],
  ['one that is shown as none', 0.0004, { figure: '0.000', met: true }],
  ['one that is shown', 0.0006, { figure: '0.001', met: false }],
])('a layout shift is judged by what the table shows: %s', (_, cls, expected) => {
  expect(shiftRow([{ ...visit, cls }])).toMatchObject(expected);
});

test('a layout shift names what moved, once', () => {
  const shifted = ['p', 'h1#title', 'p'];

  expect(
    shiftRow([
      { ...visit, cls: 0.1, shifted },
      { ...visit, shifted: ['p'] },
    ])?.details,
  ).toBe('moved: h1#title, p');
});

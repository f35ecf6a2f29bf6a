import { expect, test } from 'vitest';
import { AWKWARD_STUDIO, LISTENER, NOT_OPENED, OPERATOR, PAYING, PUBLIC, SELLER, STUDIO } from '../e2e/pages';
import { moduleAt, PAGE_MODULES, pagesBelow } from '../support/routed-pages';

const opened = new Set(
  [PUBLIC, STUDIO, AWKWARD_STUDIO, LISTENER, SELLER, PAYING, OPERATOR]
    .flat()
    .flatMap((page) => (typeof page === 'string' ? [moduleAt(page)] : [])),
);

test('a journey opens every page, or says why it does not', () => {
  expect(PAGE_MODULES.filter((module) => !opened.has(module) && !(module in NOT_OPENED))).toEqual([]);
  expect(Object.keys(NOT_OPENED).filter((module) => opened.has(module) || !PAGE_MODULES.includes(module))).toEqual([]);
});

test('a page with a parameter that has no sample is refused', () => {
  expect(() => pagesBelow('dashboard/layout', {})).toThrow('no sample for');
});

import { expect, test } from 'vitest';
import { FEATURE_ROWS, gainsOf, LIMIT_ROWS } from '~/app/features/studio/plans/plan-names';
import { PLANS } from '~/server/limits/plans';
import { isInstalled } from '~/server/policy/capabilities';

test.each([
  ['coupons', true],
  ['statistics', true],
  ['promos', true],
  ['newsletter', true],
  ['audience', true],
  ['insertions', true],
  ['recommendations', true],
  ['transcription', false],
] as const)('%s is installed: %s', (capability, expected) => {
  expect(isInstalled(capability)).toBe(expected);
});

test('plans compare only what creators can use in this build', () => {
  expect(FEATURE_ROWS).toEqual(['selling', 'coupons', 'promos', 'recommendations', 'insertions', 'pausing']);
  expect(LIMIT_ROWS).toEqual([
    'paidSubscribers',
    'paidProducts',
    'freeProducts',
    'freeEpisodes',
    'subscribers',
    'plays',
    'contacts',
    'emails',
  ]);
});

test('the gains of a larger plan leave out what is not installed', () => {
  const { limits, features } = gainsOf(PLANS.BASIC, PLANS.PRO);

  expect(features).toEqual([]);
  expect(limits).not.toContain('transcriptionMinutes');
  expect(limits).toEqual(expect.arrayContaining(['plays', 'emails']));
});

import { expect, test } from 'vitest';
import { featureRows, gainsOf, limitRows } from '~/app/features/studio/plans/plan-names';
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
  ['transcription', true],
] as const)('%s is installed: %s', (capability, expected) => {
  expect(isInstalled(capability)).toBe(expected);
});

const [NO_ENGINE, ENGINE] = [{ transcribes: false }, { transcribes: true }];

test('plans compare only what creators can use on this installation', () => {
  expect(featureRows(NO_ENGINE)).toEqual(['selling', 'coupons', 'promos', 'recommendations', 'insertions', 'pausing']);
  expect(limitRows(NO_ENGINE)).toEqual([
    'paidSubscribers',
    'paidProducts',
    'freeProducts',
    'freeEpisodes',
    'subscribers',
    'plays',
    'contacts',
    'emails',
  ]);
  expect(featureRows(ENGINE)).toContain('transcription');
  expect(limitRows(ENGINE)).toContain('transcriptionMinutes');
});

test('the gains of a larger plan leave out what is not installed', () => {
  const { limits, features } = gainsOf(PLANS.BASIC, PLANS.PRO, NO_ENGINE);

  expect(features).toEqual([]);
  expect(limits).not.toContain('transcriptionMinutes');
  expect(limits).toEqual(expect.arrayContaining(['plays', 'emails']));
});

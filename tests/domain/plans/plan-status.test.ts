import { expect, test } from 'vitest';
import { planStatus } from '~/server/domain/plans/rules';

const NOW = new Date('2026-03-20T12:00:00Z');
const inTrial = new Date('2026-03-06T12:00:01Z');
const afterTrial = new Date('2026-03-06T12:00:00Z');
const NOTHING = { plays: 0, subscribers: 0, paidSubscribers: 0 };
const facts = { plan: null, claimedAt: inTrial, bannerHiddenAt: null, usage: NOTHING };
const usage = (change: Partial<typeof NOTHING>) => ({ usage: { ...NOTHING, ...change } });

test.each([
  ['a listener', { claimedAt: null, ...usage({ plays: 9999 }) }, [], { eligible: false, complete: false }],
  ['a creator in the trial', {}, [], { eligible: true, complete: false }],
  ['a creator whose trial ends now', { claimedAt: afterTrial }, [], { eligible: true, complete: true }],
  ['a trial at the limit of PRO', usage({ plays: 50_000 }), [], { complete: false }],
  ['a trial above the limit of PRO', usage({ plays: 50_001 }), ['plays'], { complete: false }],
  ['FREE at its limit', { claimedAt: afterTrial, ...usage({ plays: 1000 }) }, [], { complete: true }],
  ['FREE above its limit', { claimedAt: afterTrial, ...usage({ plays: 1001 }) }, ['plays'], { complete: true }],
  [
    'FREE with subscribers',
    { claimedAt: afterTrial, ...usage({ subscribers: 1001, paidSubscribers: 1 }) },
    ['subscribers', 'paidSubscribers'],
    { complete: true },
  ],
  ['PLUS after the trial', { plan: 'PLUS' as const, claimedAt: afterTrial, ...usage({ plays: 250_000 }) }, [], {}],
  ['ULTRA', { plan: 'ULTRA' as const, claimedAt: afterTrial, ...usage({ plays: 9_999_999 }) }, [], {}],
])('the limits of %s', (_, change, exceeded, trial) => {
  const status = planStatus({ ...facts, ...change }, NOW);

  const found = Object.entries(status.exceeded).flatMap(([name, isExceeded]) => (isExceeded ? [name] : []));
  expect(found).toEqual(exceeded);
  expect(status.trial).toMatchObject(trial);
  expect(status.showsBanner).toBe(exceeded.length > 0);
  expect(status.isNeeded).toBe(exceeded.length > 0 && status.trial.complete);
});

test.each([
  ['2026-03-01T00:00:00Z', false],
  ['2026-02-28T23:59:59Z', true],
])('a banner that was hidden at %s shows: %s', (hiddenAt, shows) => {
  const bannerHiddenAt = new Date(hiddenAt);
  const status = planStatus({ ...facts, claimedAt: afterTrial, bannerHiddenAt, ...usage({ plays: 1001 }) }, NOW);

  expect(status.showsBanner).toBe(shows);
});

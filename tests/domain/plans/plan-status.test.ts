import { expect, test } from 'vitest';
import { commissionOn, planStatus } from '~/server/domain/plans/rules';
import { PLANS, type PlanCode } from '~/server/limits/plans';

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

test.each<[PlanCode, number, number]>([
  ['FREE', 1, 1],
  ['FREE', 30, 30],
  ['FREE', 33, 33],
  ['FREE', 34, 33],
  ['FREE', 100, 40],
  // halves are rounded up: 10.5
  ['FREE', 105, 41],
  ['FREE', 104, 40],
  ['BASIC', 100, 33],
  ['BASIC', 499, 45],
  // 3% of 50 is 1.5
  ['PRO', 50, 32],
  ['PLUS', 500_00, 15_30],
  ['OLD_PRO_PLAN', 1000_00, 30_30],
  ['ULTRA', 1_000_000_000, 30_000_030],
])('the commission of %s on %i is %i', (plan, amountMinor, expected) => {
  expect(commissionOn(PLANS[plan], amountMinor)).toBe(expected);
});

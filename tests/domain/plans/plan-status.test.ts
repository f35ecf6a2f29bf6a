import { expect, test } from 'vitest';
import {
  commissionOn,
  isUpgrade,
  lossesOf,
  planStatus,
  plansOffered,
  trialDaysLeft,
} from '~/server/domain/plans/rules';
import { PLANS, type PlanCode } from '~/server/limits/plans';

const NOW = new Date('2026-03-20T12:00:00Z');
const inTrial = new Date('2026-03-06T12:00:01Z');
const afterTrial = new Date('2026-03-06T12:00:00Z');
const NOTHING = { plays: 0, subscribers: 0, paidSubscribers: 0 };
const facts = { plan: null, endsAt: null, claimedAt: inTrial, bannerHiddenAt: null, usage: NOTHING };
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

test.each<[PlanCode, PlanCode[]]>([
  ['FREE', ['BASIC', 'PRO', 'PLUS']],
  ['BASIC', ['PRO', 'PLUS']],
  ['PRO', ['BASIC', 'PLUS']],
  ['PLUS', ['BASIC', 'PRO']],
  // an old plan, which is kept but not sold: any plan but PLUS would cost more or offer less
  ['OLD_PRO_PLAN', ['PLUS']],
  ['ULTRA', []],
])('from %s a creator can change to %j', (from, to) => {
  expect(plansOffered(from)).toEqual(to);
});

test.each<[PlanCode, PlanCode, boolean]>([
  ['FREE', 'BASIC', true],
  ['BASIC', 'PRO', true],
  ['OLD_PRO_PLAN', 'PLUS', true],
  ['PLUS', 'PRO', false],
  ['PRO', 'FREE', false],
])('%s → %s is an upgrade: %s', (from, to, expected) => {
  expect(isUpgrade(PLANS[from], PLANS[to])).toBe(expected);
});

const USE = { ...NOTHING, freeProducts: 1, paidProducts: 0, freeEpisodes: 4, contacts: 20 };

test.each<[PlanCode, PlanCode, Partial<typeof USE>, string[]]>([
  ['PRO', 'PLUS', {}, []],
  ['PRO', 'BASIC', {}, []],
  ['PRO', 'BASIC', { paidProducts: 5, freeProducts: 2 }, ['freeProducts 2/1', 'paidProducts 5/3']],
  ['PRO', 'BASIC', { plays: 10_000, paidSubscribers: 100, contacts: 1000 }, []],
  [
    'PRO',
    'BASIC',
    { plays: 10_001, paidSubscribers: 101, contacts: 1001 },
    ['plays 10001/10000', 'paidSubscribers 101/100', 'contacts 1001/1000'],
  ],
  [
    'BASIC',
    'FREE',
    { paidProducts: 1, paidSubscribers: 7, freeEpisodes: 11 },
    [
      'selling',
      'coupons',
      'insertions',
      'promos',
      'recommendations',
      'pausing',
      'paidSubscribers 7/0',
      'freeEpisodes 11/10',
      'paidProducts 1/0',
      '1000+30',
    ],
  ],
])('from %s to %s with %j, these stop: %j', (from, to, change, expected) => {
  const losses = lossesOf(PLANS[from], PLANS[to], { use: { ...USE, ...change }, transcribes: false }).map((loss) => {
    if (loss.type === 'feature') return loss.feature;
    if (loss.type === 'commission') return `${loss.basisPoints}+${loss.fixedMinor}`;
    return `${loss.limit} ${loss.used}/${loss.allowed}`;
  });

  expect(losses.sort()).toEqual(expected.sort());
});

test.each([
  ['2026-03-20T11:59:59Z', 0],
  ['2026-03-20T12:00:01Z', 1],
  ['2026-03-21T12:00:00Z', 1],
  ['2026-04-03T12:00:00Z', 14],
])('a trial until %s has %i days left', (endsAt, days) => {
  expect(trialDaysLeft(new Date(endsAt), NOW)).toBe(days);
});

test.each([
  ['a listener', { claimedAt: null }, false],
  ['a running trial', {}, false],
  ['a running trial above a limit', usage({ plays: 50_001 }), true],
  ['FREE after the trial', { claimedAt: afterTrial }, true],
  ['a plan after the trial', { claimedAt: afterTrial, plan: 'BASIC' as const }, false],
  ['a plan above its limit', { plan: 'BASIC' as const, ...usage({ plays: 10_001 }) }, false],
])('the trial-ended prompt for %s', (_, change, expected) => {
  expect(planStatus({ ...facts, ...change }, NOW).isPrompted).toBe(expected);
});

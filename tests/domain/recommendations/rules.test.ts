import { expect, test } from 'vitest';
import { END_REASONS } from '~/db/values/recommendations';
import {
  audienceStepOf,
  fromOtherSide,
  isOver,
  playsOf,
  problemOfDays,
  shownReason,
  stepsOf,
} from '~/server/domain/recommendations/rules';

test.each([
  [0, 'small'],
  [99, 'small'],
  [100, 'medium'],
  [999, 'medium'],
  [1000, 'large'],
  [9999, 'large'],
  [10_000, 'huge'],
  [5_000_000, 'huge'],
] as const)('%i plays are a %s audience', (plays, expected) => {
  expect(audienceStepOf(plays)).toBe(expected);
  const [from, below] = playsOf(expected);
  expect(plays >= from && (below === null || plays < below)).toBe(true);
});

test.each([
  ['2026-11-10', null, null],
  ['2026-11-10', '2026-11-10', null],
  ['2026-11-09', null, 'recommendation.first_day_past'],
  ['2026-11-12', '2026-11-11', 'recommendation.last_day_first'],
  ['2027-11-11', null, null],
  ['2027-11-12', null, 'recommendation.too_far_ahead'],
  ['2026-11-10', '2027-11-12', 'recommendation.too_far_ahead'],
])('from %s to %s, asked on 10 November 2026: %s', (firstDay, lastDay, expected) => {
  expect(problemOfDays({ firstDay, lastDay }, '2026-11-10')?.code ?? null).toBe(expected);
});

test.each([
  [null, '2030-01-01', false],
  ['2026-11-10', '2026-11-10', false],
  ['2026-11-10', '2026-11-11', true],
])('the last day %s is over on %s: %s', (lastDay, today, expected) => {
  expect(isOver({ lastDay }, today)).toBe(expected);
});

const ROW = { creatorId: 1, recommendedCreatorId: 2, isReturn: false };

test.each([
  ['requested', false, 1, ['withdraw']],
  ['requested', false, 2, ['accept', 'decline']],
  ['requested', true, 1, ['accept', 'decline']],
  ['requested', true, 2, ['withdraw']],
  ['accepted', false, 1, ['end']],
  ['accepted', false, 2, ['end']],
  ['declined', false, 2, []],
  ['withdrawn', false, 1, []],
  ['ended', false, 1, []],
] as const)('%s, the way back of a swap: %s, creator %i can do %j', (status, isReturn, creatorId, expected) => {
  expect(stepsOf({ ...ROW, isReturn, status }, creatorId)).toEqual(expected);
});

test.each([
  [null, null, null],
  ['recommender', 'you', 'them'],
  ['recommended', 'them', 'you'],
  ['last_day', 'last_day', 'last_day'],
  ['recommender_plan', 'your_plan', null],
  ['recommended_plan', null, 'your_plan'],
  ['recommender_show', 'your_show', 'their_show'],
  ['recommended_show', 'their_show', 'your_show'],
] as const)(
  'an end because of %s is shown as %s to the one who recommends, and as %s to the other',
  (reason, own, other) => {
    expect([shownReason(reason, true), shownReason(reason, false)]).toEqual([own, other]);
  },
);

test('the other row of a swap has the same reason from the other side', () => {
  for (const reason of END_REASONS) {
    expect(shownReason(fromOtherSide(reason), false)).toBe(shownReason(reason, true));
    expect(fromOtherSide(fromOtherSide(reason))).toBe(reason);
  }
});

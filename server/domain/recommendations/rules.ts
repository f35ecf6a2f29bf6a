import type { EndReason, RecommendationState } from '~/db/values/recommendations';
import type { AppError } from '../../base/errors';
import { dayAfter } from '../../base/time';
import { AUDIENCE_STEPS, SHOW_RECOMMENDATION_LIMITS } from '../../limits/recommendations';
import { firstDayPast, lastDayFirst, tooFarAhead } from './errors';

export type AudienceStep = keyof typeof AUDIENCE_STEPS;
export const AUDIENCE_STEP_NAMES = Object.keys(AUDIENCE_STEPS) as [AudienceStep, ...AudienceStep[]];

/** The size of an audience in coarse steps: a creator does not tell others exact figures. */
export const audienceStepOf = (plays: number): AudienceStep =>
  AUDIENCE_STEP_NAMES.findLast((step) => plays >= AUDIENCE_STEPS[step]) ?? 'small';

/** The plays of a step: from the first number on, below the second. */
export function playsOf(step: AudienceStep): [from: number, below: number | null] {
  const next = AUDIENCE_STEP_NAMES[AUDIENCE_STEP_NAMES.indexOf(step) + 1];
  return [AUDIENCE_STEPS[step], next ? AUDIENCE_STEPS[next] : null];
}

export type Days = { firstDay: string; lastDay: string | null };

/** What is wrong with the days of a request on a day, both in the recommending creator's time zone; null if nothing. */
export function problemOfDays({ firstDay, lastDay }: Days, today: string): AppError | null {
  const latest = dayAfter(today, SHOW_RECOMMENDATION_LIMITS.days);
  if (firstDay < today) return firstDayPast();
  if (lastDay !== null && lastDay < firstDay) return lastDayFirst();
  return firstDay > latest || (lastDay ?? '') > latest ? tooFarAhead({ date: latest }) : null;
}

/** Whether its last day is over. */
export const isOver = ({ lastDay }: Pick<Days, 'lastDay'>, today: string): boolean =>
  lastDay !== null && today > lastDay;

type Sides = { creatorId: number; recommendedCreatorId: number; isReturn: boolean };
/** The creator who has asked, and the one who answers. */
export const askerOf = ({ creatorId, recommendedCreatorId, isReturn }: Sides): number =>
  isReturn ? recommendedCreatorId : creatorId;
export const answererOf = ({ creatorId, recommendedCreatorId, isReturn }: Sides): number =>
  isReturn ? creatorId : recommendedCreatorId;

/** What a creator can do with a recommendation of theirs. */
export type RecommendationStep = 'accept' | 'decline' | 'withdraw' | 'end';
export function stepsOf(row: Sides & { status: RecommendationState }, creatorId: number): RecommendationStep[] {
  if (row.status === 'accepted') return ['end'];
  if (row.status !== 'requested') return [];
  return answererOf(row) === creatorId ? ['accept', 'decline'] : ['withdraw'];
}

const MIRRORED = {
  recommender: 'recommended',
  recommended: 'recommender',
  last_day: 'last_day',
  recommender_plan: 'recommended_plan',
  recommended_plan: 'recommender_plan',
  recommender_show: 'recommended_show',
  recommended_show: 'recommender_show',
} as const satisfies Record<EndReason, EndReason>;

/** The same reason for the other row of a swap, in which both shows have changed sides. */
export const fromOtherSide = (reason: EndReason): EndReason => MIRRORED[reason];

/** Why a recommendation has ended, as a creator sees it. */
export type ShownReason = 'you' | 'them' | 'last_day' | 'your_plan' | 'your_show' | 'their_show';

/** Null where it is not known, or is the business of the other side: which plan somebody has. */
export function shownReason(reason: EndReason | null, isGiven: boolean): ShownReason | null {
  if (reason === null || reason === 'last_day') return reason;
  const own = isGiven ? reason : fromOtherSide(reason);
  const shown = {
    recommender: 'you',
    recommended: 'them',
    last_day: 'last_day',
    recommender_plan: 'your_plan',
    recommended_plan: null,
    recommender_show: 'your_show',
    recommended_show: 'their_show',
  } as const;
  return shown[own];
}

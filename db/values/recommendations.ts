/** The states of a recommendation. It ends on its last day, or when one of both creators ends it. */
export const RECOMMENDATION_STATES = ['requested', 'accepted', 'declined', 'withdrawn', 'ended'] as const;
export type RecommendationState = (typeof RECOMMENDATION_STATES)[number];

/**
 * Why a recommendation has ended: one of both creators has ended it, its last day is over, or a plan no longer includes it
 * or a show is not public, each on the side of the one who recommends or the one who is recommended.
 */
export const END_REASONS = [
  'recommender',
  'recommended',
  'last_day',
  'recommender_plan',
  'recommended_plan',
  'recommender_show',
  'recommended_show',
] as const;
export type EndReason = (typeof END_REASONS)[number];

/** The episodes in which a promo plays: all, those released from its first day on, or chosen ones. */
export const RECOMMENDED_IN = ['all', 'new', 'chosen'] as const;
export type RecommendedIn = (typeof RECOMMENDED_IN)[number];

/** The states of a recommendation. It ends on its last day, or when one of both creators ends it. */
export const RECOMMENDATION_STATES = ['requested', 'accepted', 'declined', 'withdrawn', 'ended'] as const;
export type RecommendationState = (typeof RECOMMENDATION_STATES)[number];

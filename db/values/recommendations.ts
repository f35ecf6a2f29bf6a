/** The states of a recommendation. It ends on its last day, or when one of both creators ends it. */
export const RECOMMENDATION_STATES = ['requested', 'accepted', 'declined', 'withdrawn', 'ended'] as const;
export type RecommendationState = (typeof RECOMMENDATION_STATES)[number];

/** The episodes in which a promo plays: all, those released from its first day on, or chosen ones. */
export const RECOMMENDED_IN = ['all', 'new', 'chosen'] as const;
export type RecommendedIn = (typeof RECOMMENDED_IN)[number];

export const PAYOUT_FILTERS = ['requested', 'approved', 'paid', 'reversed', 'all'] as const;
export const TAKE_DOWN_TARGETS = ['episode', 'show', 'creator'] as const;

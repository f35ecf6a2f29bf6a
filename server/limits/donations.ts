/** Limits of one donation, in minor units; the same figures in every currency (spec §5). */
export const DONATION_LIMITS = { minMinor: 1_00, maxMinor: 500_00 } as const;

/** The suggested amounts on the page, in minor units. */
export const SUGGESTED_DONATIONS = [3_00, 5_00, 10_00, 25_00] as const;

/** Lengths in characters. */
export const DONATION_TEXTS = { name: 80, message: 500, goalTitle: 100, thankYou: 500 } as const;

/** In minor units. */
export const GOAL_LIMITS = { minMinor: 1_00, maxMinor: 1_000_000_00 } as const;

/** Entries of a wall of thanks: on the page for donations, and on the creator page. */
export const WALL_LIMITS = { page: 30, creatorPage: 4 } as const;

/** Donations that an export reads at a time. */
export const DONATION_EXPORT = { batch: 500 } as const;

export const DONATION_LIMITS = { minMinor: 1_00, maxMinor: 500_00 } as const;

export const PAYOUT_LIMITS = { thresholdMinor: 50_00 } as const;

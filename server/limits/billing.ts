/** In minor units; the same figures in every currency. */
export const PRICE_LIMITS = {
  monthly: { minMinor: 1_00, maxMinor: 500_00 },
  yearly: { minMinor: 10_00, maxMinor: 5_000_00 },
  oneTime: { minMinor: 1_00, maxMinor: 1_000_00 },
} as const;

export const PROMO_LIMITS = { maxSeconds: 30 } as const;

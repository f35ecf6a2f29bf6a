export const COUPON_LIMITS = {
  codeLength: 30,
  months: 36,
  redemptions: 100_000,
  /** Per creator, disabled ones included. */
  perCreator: 1000,
  /** The payment provider charges nothing below this, in minor units of either currency. */
  leastCharge: 50,
} as const;

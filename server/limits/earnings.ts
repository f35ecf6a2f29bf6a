/** The highest numbers of payments that the calculator takes, per month. */
export const EARNINGS_LIMITS = { payments: 100_000, fieldLength: 40 } as const;

/** The figures with which the calculator opens. Amounts are in minor units, the same in every currency. */
export const EXAMPLE_FIGURES = {
  plan: 'BASIC',
  subscribers: 80,
  price: { month: 5_00, year: 50_00 },
  donations: 0,
  donation: 5_00,
  sales: 0,
  salePrice: 15_00,
} as const;

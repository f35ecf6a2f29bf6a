/** The pages of the billing settings. */
export const BILLING_PARTS = ['plan', 'invoices', 'payouts'] as const;
export type BillingPart = (typeof BILLING_PARTS)[number];

/**
 * Why an account that a link has brought brings no commission: it is the affiliate's own, works in the same team, or has
 * the same address, card or payout account. `operator`: an operator has decided so.
 */
export const REFUSALS = ['own_account', 'same_team', 'same_email', 'same_card', 'same_payout', 'operator'] as const;
export type Refusal = (typeof REFUSALS)[number];

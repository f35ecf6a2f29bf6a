/**
 * The features that operators can switch off, for example during a repair. A switch is checked when the feature starts;
 * running work continues.
 */
export const SWITCHES = ['registrations', 'uploads', 'imports', 'payout_requests'] as const;
export type SwitchName = (typeof SWITCHES)[number];

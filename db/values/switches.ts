/** What operators can switch off, for example while something is repaired. Each is asked where it begins; what runs goes on. */
export const SWITCHES = ['registrations', 'uploads', 'imports', 'payout_requests'] as const;
export type SwitchName = (typeof SWITCHES)[number];

/** What operators can switch off, for example while something is repaired. Each is asked where it begins; what runs goes on. */
export const SWITCHES = ['registrations', 'uploads', 'imports', 'payout_requests'] as const;
export type SwitchName = (typeof SWITCHES)[number];

/** On what ground operators take something down. */
export const TAKE_DOWN_GROUNDS = ['law', 'terms'] as const;
export type TakeDownGround = (typeof TAKE_DOWN_GROUNDS)[number];
/** The statement of reasons for its team. `isWhole`: with everything of its creator. */
export type TakeDown = { ground: TakeDownGround; reason: string; isWhole: boolean };

/** On what ground operators take something down. */
export const TAKE_DOWN_GROUNDS = ['law', 'terms'] as const;
export type TakeDownGround = (typeof TAKE_DOWN_GROUNDS)[number];
/** The statement of reasons for its team. `isWhole`: with everything of its creator. */
export type TakeDown = { ground: TakeDownGround; reason: string; isWhole: boolean };

/** The operators' grounds for taking content down. */
export const TAKE_DOWN_GROUNDS = ['law', 'terms'] as const;
export type TakeDownGround = (typeof TAKE_DOWN_GROUNDS)[number];
/** The statement of reasons for the team. `isWhole`: taken down together with everything of its creator. */
export type TakeDown = { ground: TakeDownGround; reason: string; isWhole: boolean };

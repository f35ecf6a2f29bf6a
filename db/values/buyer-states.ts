/** A person's state as a buyer or receiver of a show. */
export const BUYER_STATES = [
  'subscribed',
  'trial',
  'past_due',
  'cancelled',
  'paused',
  'bought',
  'gift',
  'invited',
  'following',
  'giver',
  'ended',
] as const;
export type BuyerState = (typeof BUYER_STATES)[number];

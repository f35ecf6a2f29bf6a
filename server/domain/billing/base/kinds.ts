/** What somebody is to a show that they pay for, have paid for or were given. */
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

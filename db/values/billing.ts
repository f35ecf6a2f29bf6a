/**
 * Why a subscription ends. Only subscriptions that end because of a removed card resume with a new card. `refunded`: at
 * once, because its show becomes free, and the unused part is refunded; no other reason replaces it. `disputed`: at
 * once, because the bank took a payment back for good. `account_disconnected`: it runs on an account of the creator's
 * that is no longer connected. `account_suspended`: the subscriber can't log in, so the subscription is not charged.
 * `taken_down`: an operator withholds the show.
 */
export type EndReason =
  | 'subscriber'
  | 'creator'
  | 'card_removed'
  | 'unpaid'
  | 'show_becomes_free'
  | 'refunded'
  | 'account_deleted'
  | 'duplicate'
  | 'disputed'
  | 'account_disconnected'
  | 'account_suspended'
  | 'taken_down';

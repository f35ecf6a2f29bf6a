/** The host that has exported a list of subscribers, recognized by its columns. */
export type SubscriberFormat = 'altavoz' | 'stripe' | 'ghost' | 'memberful' | 'supercast' | 'patreon' | 'other';

/** `reading` and `checking`: the dry run. `ready`: its report waits for the creator. */
export type SubscriberImportStatus = 'reading' | 'checking' | 'ready' | 'running' | 'done' | 'failed' | 'cancelled';
/** The statuses in which a job works on the import. */
export const WORKING_STATUSES: SubscriberImportStatus[] = ['reading', 'checking', 'running'];
export const OPEN_IMPORT_STATUSES: SubscriberImportStatus[] = ['reading', 'checking', 'ready', 'running'];

export const LINE_FAULTS = ['bad_email', 'bad_price', 'bad_date', 'bad_interval', 'bad_id'] as const;
export type LineFault = (typeof LINE_FAULTS)[number];

/** Why a line is skipped. */
export const SKIP_REASONS = [
  ...LINE_FAULTS,
  'no_ids',
  'duplicate',
  'already_here',
  'already_subscribed',
  'other_creator',
  'other_person',
  'unknown_subscription',
  'unknown_customer',
  'several_subscriptions',
  'ended',
  'still_renews',
  'not_active',
  'no_price',
  'other_currency',
  'price_bounds',
  'no_renewal',
  'renewal_passed',
  'renewal_far',
  'no_card',
  'own_account',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/**
 * `adopt`: the subscription already runs on the account that charges. `recreate`: the customer exists there, with a
 * card.
 */
export type LineOutcome = { kind: 'adopt' } | { kind: 'recreate' } | { kind: 'skip'; reason: SkipReason };

/** `checked`: the line has an outcome. `failed`: the run could not import it. */
export type LineState = 'read' | 'checked' | 'done' | 'failed';

/**
 * State of a subscription that moves to the creator's own account. `moving`: the subscription in our account is set to
 * end; if the move fails, it continues. `stays` with the reason `stopped`: the account was disconnected.
 */
export type MoveLineState = 'waiting' | 'moving' | 'moved' | 'stays' | 'failed';
export const STAY_REASONS = [
  'ending',
  'past_due',
  'paused',
  'discounted',
  'trial',
  'no_card',
  'not_active',
  'stopped',
] as const;
export type StayReason = (typeof STAY_REASONS)[number];

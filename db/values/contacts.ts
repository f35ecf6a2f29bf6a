/** Pending: requested by a form, and not yet confirmed by a link in an email. Only active contacts get emails. */
export type ContactStatus = 'pending' | 'active' | 'inactive';

/** What made a contact inactive, or an address suppressed: it gets no emails, even after its contact was deleted. */
export const INACTIVE_STATES = ['unsubscribed', 'bounced', 'complained'] as const;
export type InactiveState = (typeof INACTIVE_STATES)[number];

/** A contact's status in full. */
export type ContactState = 'pending' | 'active' | InactiveState;

/** How a person came to a creator's list. A contact can have several sources, each once. */
export const CONTACT_SOURCES = [
  'form',
  'follow',
  'purchase',
  'subscription',
  'donation',
  'manual',
  'import',
  'recommendation',
] as const;
export type ContactSource = (typeof CONTACT_SOURCES)[number];

/** What the person of an account does, perhaps under an address that is not theirs. */
export const SOURCES_OF_ACCOUNTS = ['follow', 'purchase', 'subscription', 'donation'] as const;

/**
 * Why a contact has its status: the source that made it active, or `link`: its person used the link in an email;
 * `creator`: the creator's team ended the emails; `suppressed`: the address had left or bounced before; `bounce` and
 * `complaint`: what mail servers reported.
 */
export type ContactReason = ContactSource | 'link' | 'creator' | 'suppressed' | 'bounce' | 'complaint';

/** What the filter of the list can ask for: the statuses of the specification (§4), and the states behind them. */
export const STATUS_FILTERS = ['active', 'inactive', 'pending', ...INACTIVE_STATES] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];

export const CONTACT_ORDERS = ['newest', 'oldest', 'name', 'email'] as const;
export type ContactOrder = (typeof CONTACT_ORDERS)[number];

export const CONTACT_ACTIONS = ['tag', 'untag', 'deactivate', 'activate', 'delete'] as const;
export type ContactAction = (typeof CONTACT_ACTIONS)[number];

/** Whether a source tells that somebody pays. */
export const isBuyerSource = (source: ContactSource): boolean => source === 'purchase' || source === 'subscription';

/** A contact opened an edition, or a link in one, on a UTC day such as `2026-11-27`. */
export type Sighting = { contactId: number; on: string };

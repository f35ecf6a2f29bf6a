/** The states of an edition. `stopped`: too many addresses bounced or complained, so the rest was not sent. */
export const EDITION_STATES = ['draft', 'scheduled', 'sending', 'sent', 'cancelled', 'stopped'] as const;
export type EditionState = (typeof EDITION_STATES)[number];

/** Whom an edition is for. `of` names the show by its slug, the tag, or the segment by its id. */
export const EDITION_GROUPS = ['everyone', 'subscribers', 'buyers', 'followers', 'tag', 'segment'] as const;
export type EditionGroup = (typeof EDITION_GROUPS)[number];
export type EditionAudience = { group: EditionGroup; of?: string };

/**
 * What became of one recipient's email. `unknown`: the mail server took the whole email and did not answer, so it is
 * never sent again. `skipped`: the contact left, or its address was suppressed, before the email was sent.
 */
export const DELIVERY_STATES = [
  'waiting',
  'leased',
  'sent',
  'bounced',
  'complained',
  'failed',
  'unknown',
  'skipped',
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

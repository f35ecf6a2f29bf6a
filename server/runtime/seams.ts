/**
 * Places where a verb has read the facts for its decision, and has not written yet. A test stops a verb there and plays
 * what other requests do meanwhile (docs/decisions/0269); in production nothing waits.
 */
export type Seam =
  | 'checkout.looked'
  | 'settle.decided'
  | 'payment.fetched'
  | 'fee.fetched'
  | 'subscription.fetched'
  | 'subscription.read'
  | 'renewal.read'
  | 'overdue.read'
  | 'dispute.fetched'
  | 'refunds.listed'
  | 'warning.refunded'
  | 'end-refund.previewed'
  | 'plan-credit.stored'
  | 'gift.found'
  | 'gift-ends.listed'
  | 'archive.written'
  | 'old-feed.read'
  | 'emails.sent'
  | 'contacts.read'
  | 'enrolment.contact_found'
  | 'confirmation.read'
  | 'steps.hidden'
  | 'contacts.staged'
  | 'contacts.checked'
  | 'mail-events.read'
  | 'edition.checked'
  | 'import.found'
  | 'import.listed'
  | 'import.checked'
  | 'import.brought'
  | 'move.begun'
  | 'move.created'
  | 'move.failed'
  | 'invitation.found'
  | 'transcript.edited'
  | 'minutes.checked'
  | 'recount.locked'
  | 'sums.locked'
  | 'recount.minutes_locked'
  | 'recount.show'
  | 'statistics.shipped'
  | 'statistics.moved'
  | 'recommendation.promo_copied'
  | 'recommendation.read'
  | 'domain.looked'
  | 'lengths.computed'
  | 'clip.converted'
  | 'campaign.checked'
  | 'campaigns.unplanned';

/** Undefined unless a test waits there. */
export type Reach = (seam: Seam) => Promise<void> | undefined;

export const passSeam: Reach = () => undefined;

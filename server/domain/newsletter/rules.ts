import type { DeliveryState, EditionState } from '~/db/values/editions';
import { later, readWallClock } from '../../base/time';
import { EDITING_LIMITS, SENDING_LIMITS } from '../../limits/newsletter';

/** The fields of the settings that may not be empty (spec §5). */
export const NEWSLETTER_REQUIRED = ['name', 'category', 'language', 'senderName', 'senderEmail', 'header', 'footer'];

/** An edition that can still be changed and deleted. */
export const OPEN_STATES = ['draft', 'scheduled'] as const satisfies EditionState[];
export const isOpen = (state: EditionState): boolean => (OPEN_STATES as readonly EditionState[]).includes(state);

/** Whether a scheduled edition is so late that its creator must be asked first, for example after an outage. */
export const isTooLate = (scheduledAt: Date, now: Date): boolean =>
  now.getTime() - scheduledAt.getTime() > EDITING_LIMITS.lateAfter;

/** When a deferred email is tried again; null after the last attempt. @param attempts made so far, at least one */
export function nextAttempt(attempts: number, now: Date): Date | null {
  const delay = SENDING_LIMITS.retryDelays[attempts - 1];
  return delay === undefined ? null : later(now, delay);
}

/** The states of a recipient that a later report changes. A late delivery overwrites no bounce, and nothing a complaint. */
export const CHANGED_BY = {
  delivery: ['waiting', 'leased', 'failed', 'unknown'],
  bounce: ['waiting', 'leased', 'failed', 'unknown', 'sent'],
  complaint: ['waiting', 'leased', 'failed', 'unknown', 'sent', 'bounced'],
} as const satisfies Record<string, DeliveryState[]>;
export const REPORTED_STATE = { delivery: 'sent', bounce: 'bounced', complaint: 'complained' } as const;

export type Tally = Record<DeliveryState, number>;

/**
 * Whether sending stops: too many of the first results are hard bounces or complaints, so that the list is bad and the
 * rest would harm the reputation of everybody who sends from here.
 */
export function mustStop({ sent, bounced, complained }: Pick<Tally, 'sent' | 'bounced' | 'complained'>): boolean {
  const settled = sent + bounced + complained;
  if (settled < SENDING_LIMITS.leastWatched || settled > SENDING_LIMITS.watched) return false;
  return (
    bounced * 100 >= settled * SENDING_LIMITS.bouncedPercent ||
    complained * 1000 >= settled * SENDING_LIMITS.complainedPerMille
  );
}

/**
 * The moment of a datetime-local field in a zone; null for other texts. A time that clocks skip is the one after the
 * change, and the first of two equal ones is meant.
 */
export function readSendTime(local: string, zone: string): Date | null {
  const read = readWallClock(local, zone);
  if (!read) return null;
  if (read.kind === 'once') return read.at;
  return read.kind === 'repeated' ? read.earlier : read.later;
}

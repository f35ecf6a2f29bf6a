import { DAYS, HOURS, MINUTES, SECONDS } from '../base/time';

/**
 * Pauses between the attempts to send an email: short ones for a restart, then hours for an outage, 24 hours together.
 */
export const MAIL_LIMITS = {
  retryDelays: [
    ...[15, 30].map(SECONDS),
    ...[1, 2, 4, 8, 15, 30].map(MINUTES),
    ...Array.from({ length: 23 }, () => HOURS(1)),
  ],
  /** Failed emails that one transaction queues again. */
  resendBatch: 100,
} as const;

/**
 * Of emails that the sender of newsletters sends: `batch` are leased at a time. `lease`: until another worker may send
 * them, longer than a mail server may take to answer. `turn`: how long one job sends.
 */
export const BULK_EMAIL_LIMITS = { batch: 500, lease: MINUTES(30), turn: MINUTES(5) } as const;

export const OUTBOX_LIMITS = { retention: DAYS(30) } as const;

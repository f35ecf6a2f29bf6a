import { DAYS, MINUTES } from '../base/time';

/** Transfers in one file for the bank. */
export const TRANSFER_LIMITS = { perFile: 1000, listed: 100 } as const;
/** Entries on a page, in a part of the file, and in the PDF; the months that a page offers. */
export const STATEMENT_LIMITS = { perPage: 50, exportBatch: 2000, printed: 500, months: 120 } as const;

/** `pending`: how long a creator's share waits before it counts for payouts (decisions, 'Money'). */
export const PAYOUT_LIMITS = {
  thresholdMinor: 50_00,
  pending: DAYS(7),
  pendingShown: 31,
  listed: 12,
  accountsAtOnce: 200,
} as const;

/** The time for the round trip to the payment provider; `answerLength`: length of the provider's answer. */
export const CONNECTING_LIMITS = { attempt: MINUTES(60), answerLength: 500 } as const;

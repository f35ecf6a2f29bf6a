import { DAYS } from '../base/time';

/**
 * The rules of the affiliate programme. `shareBasisPoints`: of what a plan's payment leaves after VAT. `months`: from
 * the first payment. `pending`: until a share counts for payouts; longer than for sales, because plans are refunded
 * later.
 */
export const AFFILIATE_LIMITS = {
  shareBasisPoints: 2000,
  months: 12,
  remembered: DAYS(40),
  pending: DAYS(30),
  links: 20,
  nameLength: 80,
  codeLength: { min: 4, max: 32 },
  /** Sums of visits are kept so long; the names of browsers as long as the cookie. */
  visitMonths: 13,
  /** Payments of so many days are looked through each night, so many at once. */
  caughtUp: DAYS(7),
  atOnce: 500,
  /** Accounts that a command lists. */
  listed: 500,
} as const;

import { DAYS, HOURS, MINUTES } from '../base/time';

/** In minor units; the same figures in every currency. */
export const PRICE_LIMITS = {
  monthly: { minMinor: 1_00, maxMinor: 500_00 },
  yearly: { minMinor: 10_00, maxMinor: 5_000_00 },
  oneTime: { minMinor: 1_00, maxMinor: 1_000_00 },
} as const;

/**
 * `browser`: how long a browser is known that has begun to pay. `logsIn`: how long it is logged in after that to the
 * account that its payment has created. `passwordLink`: how long the email's link to set a password works. `codeLength`:
 * of a coupon, in characters.
 */
export const BUYING_LIMITS = {
  browser: DAYS(2),
  logsIn: HOURS(1),
  passwordLink: DAYS(2),
  codeLength: 200,
  shownLength: 100,
} as const;

/**
 * `grace`: access after a period that could not be charged (decisions, 'Money'). `checkout`: how long a payment page
 * stays open. `reopenBefore`: one that closes sooner than this is not offered again. `waitingEvents`: handled again by a
 * schedule. `erasedAtOnce`: customers of deleted accounts, in a run. `markedAtOnce`: subscriptions that end for one reason, in a transaction. `catchUp`: how far back lost events
 * are looked for; the provider keeps them for 30 days. `kept`: handled events, and checkouts that nobody paid, as the
 * privacy policy says; longer than the provider keeps events, so no late one needs them. `sweptAtOnce`: of each, in a run.
 * `feeBefore`: how long before a renewal our fee of it is set.
 */
export const BILLING_LIMITS = {
  grace: DAYS(7),
  checkout: HOURS(23),
  reopenBefore: MINUTES(30),
  waitingEvents: { olderThan: MINUTES(5), atOnce: 500 },
  catchUp: { window: HOURS(6), overlap: HOURS(1), kept: DAYS(29), atOnce: 100, pages: 500 },
  kept: DAYS(35),
  feeBefore: HOURS(26),
  sweptAtOnce: 5000,
  pendingEnds: 500,
  erasedAtOnce: 100,
  markedAtOnce: 200,
  openCheckouts: { olderThan: MINUTES(10), atOnce: 200 },
} as const;

/**
 * Refunds of what is left when a show becomes free: after a failure, the next attempt waits this long, and after the last
 * one the creator is told. `recoverAfter`: ends and refunds whose jobs ran out of attempts are queued again.
 */
export const END_REFUND_LIMITS = {
  pauses: [DAYS(1), DAYS(3)],
  recoverAfter: MINUTES(30),
  atOnce: 200,
} as const;

/**
 * `listed`: subscriptions, cards and receipts in one list. `preview`: how long the amounts of a change that was shown are
 * accepted.
 */
export const MANAGING_LIMITS = {
  leavingReason: 500,
  listed: 200,
  receiptsPerPage: 25,
  pauseMonths: 3,
  preview: MINUTES(30),
} as const;

/**
 * `months`: what podcasts are given for. `redeemable`: how long the link works after the payment. `toOneAddress`: emails
 * about gifts in a day. `listed`: gifts of one giver. `reportedAtOnce`: ended gifts that one run of the schedule tells of.
 */
export const GIFT_LIMITS = {
  months: [1, 3, 12],
  redeemable: DAYS(365),
  recipientName: 100,
  message: 500,
  token: 100,
  toOneAddress: 20,
  listed: 200,
  reportedAtOnce: 500,
} as const;

/**
 * After a failed renewal (decisions, 'Money'): on these days the subscriber gets an email, and on the last day the
 * subscription ends. `atOnce`: subscriptions that one run of the schedule looks at.
 */
export const OVERDUE_LIMITS = { reminders: [0, 3, 7, 12], end: 14, atOnce: 500 } as const;

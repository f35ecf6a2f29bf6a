import { DAYS, HOURS, MINUTES } from '../base/time';

/** In minor units; the same figures in every currency. */
export const PRICE_LIMITS = {
  monthly: { minMinor: 1_00, maxMinor: 500_00 },
  yearly: { minMinor: 10_00, maxMinor: 5_000_00 },
  oneTime: { minMinor: 1_00, maxMinor: 1_000_00 },
} as const;

/** Records of payments are kept at least so long (spec §9): nothing deletes them. */
export const PAYMENT_RECORDS = { keptYears: 10 } as const;

/**
 * `browser`: how long we know a browser that has started to pay. `logsIn`: how long afterwards it is logged in to the
 * account that its payment has created. `passwordLink`: how long the email's link to set a password works.
 * `codeLength`: length of a coupon, in characters.
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
 * stays open. `reopenBefore`: a page that closes sooner than this is not offered again; longer than the 30 minutes that
 * the provider wants at least, also when the call is slow. `waitingEvents`: events that
 * one run of the schedule handles again. `erasedAtOnce`: customers of deleted accounts in a run. `markedAtOnce`:
 * subscriptions that end for one reason, in a transaction. `catchUp`: how far back we look for lost events; the
 * provider keeps them for 30 days. `kept`: how long we keep handled events and unpaid checkouts, as the privacy policy
 * says; longer than the provider keeps events, so no late event needs them. `sweptAtOnce`: rows of each kind that a run
 * deletes. `feeBefore`: how long before a renewal we set our fee for it. `lateSale`: from then on, the plan of its
 * seller may have changed without our knowledge.
 */
export const BILLING_LIMITS = {
  grace: DAYS(7),
  checkout: HOURS(23),
  reopenBefore: MINUTES(35),
  waitingEvents: { olderThan: MINUTES(5), atOnce: 500 },
  catchUp: { window: HOURS(6), overlap: HOURS(1), kept: DAYS(29), atOnce: 100, pages: 500 },
  kept: DAYS(35),
  feeBefore: HOURS(26),
  lateSale: MINUTES(1),
  sweptAtOnce: 5000,
  pendingEnds: 500,
  erasedAtOnce: 100,
  markedAtOnce: 200,
  openCheckouts: { olderThan: MINUTES(10), atOnce: 200 },
} as const;

/**
 * Refunds of the unused time when a show becomes free: after a failure, the next attempt waits this long, and after the
 * last one we email the creator. `recoverAfter`: ends and refunds whose jobs ran out of attempts are queued again.
 * `plannedFor`: how long the return of a plan's credit is queued again. `shown`: how long the computed amounts are shown
 * after the question.
 */
export const END_REFUND_LIMITS = {
  pauses: [DAYS(1), DAYS(3)],
  recoverAfter: MINUTES(30),
  plannedFor: DAYS(7),
  shown: MINUTES(15),
  atOnce: 200,
} as const;

/**
 * `listed`: subscriptions, cards and receipts in one list. `preview`: how long the displayed amounts of a change are
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
 * `months`: the durations of gifts of podcasts. `redeemable`: how long the link works after the payment.
 * `toOneAddress`: emails about gifts in a day. `listed`: gifts of one giver. `reportedAtOnce`: ended gifts about which
 * one run of the schedule sends emails.
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
 * subscription ends. `atOnce`: subscriptions that one run of the schedule processes.
 */
export const OVERDUE_LIMITS = { reminders: [0, 3, 7, 12], end: 14, atOnce: 500 } as const;

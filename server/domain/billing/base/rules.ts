import type { subscriptions } from '~/db/schema/billing';
import type { CouponDuration } from '~/db/schema/coupons';
import type { products } from '~/db/schema/products';
import type { Dispute, Payment, Subscription } from '../../../adapters/payments/objects';
import { DAYS, later, monthsLater } from '../../../base/time';
import { BILLING_LIMITS, OVERDUE_LIMITS, PRICE_LIMITS } from '../../../limits/billing';
import type { PlanCode } from '../../../limits/plans';
import { KINDS } from '../../products/kinds';

export type SubscriptionRow = typeof subscriptions.$inferSelect;

/** `renews`: the subscription will be paid again at `endsAt`. */
export type Access = { endsAt: Date; renews: boolean };
type AccessFacts = Pick<
  SubscriptionRow,
  'status' | 'periodEnd' | 'endsAt' | 'endedAt' | 'pausedUntil' | 'pausedFrom' | 'pastDueSince'
>;

/**
 * Access lasts until the end of the paid time: the scheduled end, or the period and the days in which a failed renewal
 * is retried (decisions, 'Money'). These days also cover a late webhook. Null leaves access unchanged, because nothing
 * was paid yet. A pause begins where the paid time ends.
 */
export function accessOf(facts: AccessFacts): Access | null {
  const { status, periodEnd, endsAt, endedAt, pausedUntil, pausedFrom, pastDueSince } = facts;
  if (endedAt) return { endsAt: endedAt, renews: false };
  if (status === 'incomplete' || status === 'expired') return null;
  if (pausedUntil) return pausedFrom ? { endsAt: pausedFrom, renews: false } : null;
  if (pastDueSince) return { endsAt: later(pastDueSince, BILLING_LIMITS.grace), renews: false };
  if (endsAt) return { endsAt, renews: false };
  return { endsAt: later(periodEnd, BILLING_LIMITS.grace), renews: true };
}

/** Ends that the subscriber has chosen, here or at the payment provider, which gives no reason. */
const CHOSEN_ENDS: readonly SubscriptionRow['endReason'][] = [null, 'subscriber', 'card_removed'];
type LeavingFacts = Pick<SubscriptionRow, 'purpose' | 'productId' | 'endsAt' | 'endedAt' | 'endReason' | 'status'>;

/**
 * Whether a subscriber leaves a show with this change: the subscription had no end `before`. An end for another reason, for
 * example because the show becomes free, is not theirs.
 */
export function isLeft<Row extends LeavingFacts>(
  row: Row,
  before: Pick<LeavingFacts, 'endsAt' | 'endedAt'> | null,
): row is Row & { productId: number } {
  if (row.purpose !== 'show' || row.productId === null || before === null) return false;
  if (row.status === 'incomplete' || row.status === 'expired') return false;
  const ends = row.endsAt !== null || row.endedAt !== null;
  return ends && before.endsAt === null && before.endedAt === null && CHOSEN_ENDS.includes(row.endReason);
}

/** The subscription was never paid, and only the customer could pay it. */
export const isUnpaidAttempt = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'incomplete' || status === 'expired';

/** Whether the last renewal could not be charged. */
export const isOverdue = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'past_due' || status === 'unpaid';

/** Whether the bank asks the payer to confirm, instead of declining the card. */
export const isUnconfirmed = ({ status, failure }: Pick<Payment, 'status' | 'failure'>): boolean =>
  status === 'needs_authentication' || (status === 'needs_card' && failure?.reason === 'authentication_failed');

/** Billing intervals of a show: monthly, yearly, or a single payment. */
export const SALE_INTERVALS = ['month', 'year', 'once'] as const;
export type SaleInterval = (typeof SALE_INTERVALS)[number];
export type SaleFacts = Pick<
  typeof products.$inferSelect,
  'kind' | 'priceMinor' | 'annualPriceMinor' | 'freeConversion' | 'archivedAt' | 'takenDownAt' | 'retiredAt'
>;
export type Price = { interval: SaleInterval; minor: number };

/**
 * The show's prices, the usual interval first. Empty if the show is not for sale: free, archived, taken down, or
 * becoming free.
 */
export function pricesOnSale(show: SaleFacts): Price[] {
  const { kind, priceMinor, annualPriceMinor, freeConversion, archivedAt, takenDownAt, retiredAt } = show;
  if (priceMinor === null || freeConversion !== null) return [];
  if (archivedAt !== null || takenDownAt !== null || retiredAt !== null) return [];
  if (KINDS[kind].sale === 'purchase') return [{ interval: 'once', minor: priceMinor }];
  const monthly = { interval: 'month' as const, minor: priceMinor };
  return annualPriceMinor === null ? [monthly] : [monthly, { interval: 'year', minor: annualPriceMinor }];
}

/** Whether the show stays available to people who pay for it or have begun to pay, even if it is archived. */
export const goesOnSelling = (show: Pick<SaleFacts, 'priceMinor' | 'freeConversion' | 'takenDownAt'>): boolean =>
  show.priceMinor !== null && show.freeConversion === null && show.takenDownAt === null;

/** A gift: `months` of a podcast; null for an audio series, which has no end. */
export type GiftPrice = { months: number | null; minor: number };

/** The gifts on offer, at the prices of the show. Empty if the show is not for sale. */
export function giftsOnSale(show: SaleFacts): GiftPrice[] {
  return pricesOnSale(show).flatMap(({ interval, minor }): GiftPrice[] => {
    if (interval === 'once') return [{ months: null, minor }];
    if (interval === 'year') return [{ months: 12, minor }];
    return [
      { months: 1, minor },
      { months: 3, minor: 3 * minor },
    ];
  });
}

/** The prices of all gifts on a page, as its form sends them back. */
export const giftTermsShown = (prices: GiftPrice[], currency: string): string =>
  [...prices.map(({ months, minor }) => `${months ?? 'once'}:${minor}`), currency].join(' ');

type Held = { endsAt: Date | null };
export type GiftTime = { from: Date; until: Date | null };

/**
 * Start and end of a gift's access, which follows all access that its receiver already has. Null if that access has no
 * end.
 */
export function giftTime(months: number | null, held: readonly Held[], now: Date): GiftTime | null {
  const ends = held.map(({ endsAt }) => endsAt);
  if (ends.includes(null)) return null;
  if (months === null) return { from: now, until: null };
  const from = ends.reduce<Date>((last, end) => (end && end > last ? end : last), now);
  return { from, until: monthsLater(from, months) };
}

const BOUNDS_OF = { month: 'monthly', year: 'yearly', once: 'oneTime' } as const;

/** The highest amount that buyers can choose. */
export const highestPrice = (interval: SaleInterval): number => PRICE_LIMITS[BOUNDS_OF[interval]].maxMinor;

/**
 * The terms of all intervals on a page, as its form sends them back: the sale must not differ from the terms that the
 * buyer has seen.
 */
export const termsShown = (terms: { prices: Price[]; currency: string; trialDays: number }): string =>
  [...terms.prices.map(({ interval, minor }) => `${interval}:${minor}`), terms.currency, terms.trialDays].join(' ');

export type Bill = {
  interval: SaleInterval;
  /** Before and after the coupon. */
  amountMinor: number;
  reducedMinor: number;
  coupon: { duration: CouponDuration; months: number | null } | null;
  trialDays: number;
};
type Charge = { minor: number; at: Date };
/**
 * Amounts and dates of the charges. `first`: the first payment after a trial. `renewal`: the payment after the first.
 * `regular`: the first payment without the coupon, if it is later.
 */
export type Charges = { todayMinor: number; first: Charge | null; renewal: Charge | null; regular: Charge | null };

export function chargesOf(bill: Bill, now: Date): Charges {
  const { interval, amountMinor, reducedMinor, trialDays } = bill;
  if (interval === 'once') return { todayMinor: reducedMinor, first: null, renewal: null, regular: null };
  const start = later(now, DAYS(trialDays));
  const paymentAt = (index: number) => monthsLater(start, index * MONTHS_OF[interval]);
  const reduced = reducedPayments(bill, now, paymentAt);
  const charge = (index: number) => ({ minor: index < reduced ? reducedMinor : amountMinor, at: paymentAt(index) });
  return {
    todayMinor: trialDays > 0 ? 0 : charge(0).minor,
    first: trialDays > 0 ? charge(0) : null,
    renewal: charge(1),
    regular: reduced > 1 && Number.isFinite(reduced) ? charge(reduced) : null,
  };
}

/** The first payment that costs more than the one before it, because a coupon has ended; null if there is none. */
export function priceRise({ todayMinor, first, renewal, regular }: Charges): Charge | null {
  if (regular || !renewal) return regular;
  return renewal.minor > (first?.minor ?? todayMinor) ? renewal : null;
}

const MONTHS_OF = { month: 1, year: 12 } as const;

/** How many payments a coupon reduces. The months of a repeating coupon begin at once, even during a trial. */
function reducedPayments({ coupon }: Bill, now: Date, paymentAt: (index: number) => Date): number {
  if (coupon === null) return 0;
  if (coupon.duration !== 'repeating') return coupon.duration === 'once' ? 1 : Number.POSITIVE_INFINITY;
  const end = monthsLater(now, coupon.months ?? 1);
  let count = 0;
  while (paymentAt(count) < end) count += 1;
  return count;
}

/** The plan of a subscription and its beginning, which the provider keeps: our own news of the change may be lost. */
export const planReference = (plan: PlanCode, at: Date) => ({ plan, planSince: at.toISOString() });

/** `A-000123`. Each legal entity has its own count. */
export const receiptNumberOf = (count: number): string => `A-${String(count).padStart(6, '0')}`;

/** `R-000123`, the series of corrective invoices. Each legal entity has its own count. */
export const creditNoteNumberOf = (count: number): string => `R-${String(count).padStart(6, '0')}`;

/**
 * The step that is due for a failed renewal: the end, or the last reminder whose day has come; null if that reminder
 * was sent.
 */
export function overdueStep(
  { pastDueSince, reminderSent }: Pick<SubscriptionRow, 'pastDueSince' | 'reminderSent'>,
  now: Date,
): { end: true } | { end: false; day: number } | null {
  if (!pastDueSince) return null;
  if (now >= later(pastDueSince, DAYS(OVERDUE_LIMITS.end))) return { end: true };
  const day = OVERDUE_LIMITS.reminders.findLast((count) => now >= later(pastDueSince, DAYS(count)));
  return day === undefined || (reminderSent !== null && reminderSent >= day) ? null : { end: false, day };
}

/** What follows a failed renewal until it is paid. `reminderAt`: null after the last reminder. */
export type OverdueDates = { reminderAt: Date | null; accessUntil: Date; hasAccess: boolean; endsAt: Date };

export function overdueDates(pastDueSince: Date, now: Date): OverdueDates {
  const reminders = OVERDUE_LIMITS.reminders.map((count) => later(pastDueSince, DAYS(count)));
  const accessUntil = later(pastDueSince, BILLING_LIMITS.grace);
  return {
    reminderAt: reminders.find((at) => at > now) ?? null,
    accessUntil,
    hasAccess: now < accessUntil,
    endsAt: later(pastDueSince, DAYS(OVERDUE_LIMITS.end)),
  };
}

/**
 * `inquiry`: the bank asks, and takes nothing, even after it closes the inquiry. `open`: the bank has taken the payment
 * back, and decides. `won`: the bank has returned it. `lost`: the bank keeps it.
 */
export type DisputeState = 'inquiry' | 'open' | 'won' | 'lost';

export function disputeState({ status }: Pick<Dispute, 'status'>): DisputeState {
  if (status === 'won' || status === 'lost') return status;
  return status === 'needs_answer' || status === 'under_review' ? 'open' : 'inquiry';
}

const DISPUTE_RANKS: Record<Dispute['status'], number> = {
  warning: 0,
  warning_under_review: 1,
  needs_answer: 2,
  under_review: 3,
  ...{ won: 4, lost: 4, closed: 4 },
};

/** Whether a status is later than the stored one. A decision is final. */
export const isLaterDispute = (status: Dispute['status'], before: Dispute['status'] | null): boolean =>
  before === null || DISPUTE_RANKS[status] > DISPUTE_RANKS[before];

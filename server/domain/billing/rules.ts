import type { subscriptions } from '~/db/schema/billing';
import type { Subscription } from '../../adapters/payments/objects';
import { BILLING_LIMITS } from '../../limits/billing';
import { later } from '../../time';

export type SubscriptionRow = typeof subscriptions.$inferSelect;

/** Until when a subscription gives access, and whether it will be paid again then. */
export type Access = { endsAt: Date; renews: boolean };
type AccessFacts = Pick<
  SubscriptionRow,
  'status' | 'periodEnd' | 'endsAt' | 'endedAt' | 'pausedUntil' | 'pastDueSince'
>;

/**
 * Access lasts until the end of what is paid: the scheduled end, or the period and the days in which a failed renewal is
 * retried (decisions, 'Money'). These days also cover a webhook that arrives late. Null: it leaves access as it is,
 * because nothing was paid yet or its collection is paused.
 */
export function accessOf(facts: AccessFacts): Access | null {
  const { status, periodEnd, endsAt, endedAt, pausedUntil, pastDueSince } = facts;
  if (endedAt) return { endsAt: endedAt, renews: false };
  if (status === 'incomplete' || status === 'expired' || pausedUntil) return null;
  if (pastDueSince) return { endsAt: later(pastDueSince, BILLING_LIMITS.grace), renews: false };
  if (endsAt) return { endsAt, renews: false };
  return { endsAt: later(periodEnd, BILLING_LIMITS.grace), renews: true };
}

/** Nothing has been paid, and nothing will be without the customer. */
export const isUnpaidAttempt = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'incomplete' || status === 'expired';

/** Whether the last renewal could not be charged. */
export const isOverdue = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'past_due' || status === 'unpaid';

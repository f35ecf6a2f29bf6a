import type { StayReason } from '~/db/values/subscriber-imports';
import type { Subscription } from '../../../adapters/payments/objects';
import { earlier, later } from '../../../base/time';
import { MOVE_LIMITS } from '../../../limits/moving';

type Facts = Pick<Subscription, 'status' | 'endsAt' | 'endedAt' | 'paused' | 'discounted'> & { hasCard: boolean };

/**
 * Why a subscription stays in our account; null if it can move. Only a subscription that renews at its price can be
 * restarted in another account without a difference: a discount or a pause would be lost, and a failed renewal would be
 * charged there again.
 */
export function stayReason({ status, endsAt, endedAt, paused, discounted, hasCard }: Facts): StayReason | null {
  if (endedAt) return 'not_active';
  if (endsAt) return 'ending';
  if (paused) return 'paused';
  if (status === 'trialing') return 'trial';
  if (status === 'past_due' || status === 'unpaid') return 'past_due';
  if (status !== 'active') return 'not_active';
  if (discounted) return 'discounted';
  return hasCard ? null : 'no_card';
}

/** When a subscription with this period can be moved: at once, or after its renewal. */
export function movableAt(
  { periodStart, periodEnd }: Pick<Subscription, 'periodStart' | 'periodEnd'>,
  now: Date,
): Date {
  const { aroundRenewal } = MOVE_LIMITS;
  const settled = later(periodStart, aroundRenewal);
  if (now < settled) return settled;
  return now < earlier(periodEnd, aroundRenewal) ? now : later(periodEnd, aroundRenewal);
}

/**
 * The first charge of the moved subscription. If its period ended while the move was interrupted, it is charged soon.
 */
export const firstCharge = (periodEnd: Date, now: Date): Date =>
  periodEnd > now ? periodEnd : later(now, MOVE_LIMITS.late);

import type Stripe from 'stripe';
import type { Hidden, Kind, Kinds } from '../wire/objects';
import { DAY, HOUR } from './time';

/** Stripe warns three days before a trial ends. */
export const TRIAL_WARNING = 3 * DAY;
/** A first payment can be completed for 23 hours. */
export const INCOMPLETE_LIMIT = 23 * HOUR;
/** An inquiry that has not become a chargeback by then is closed ("How disputes work"). */
const INQUIRY_TIME = 120 * DAY;

/** When an object next needs processing, in seconds; null for never. */
export function dueAt<K extends Kind>(object: Kinds[K], hidden: Hidden): number | null {
  const typed = object as Kinds[Kind];
  switch (typed.object) {
    case 'subscription':
      return subscriptionDue(typed, hidden);
    case 'invoice':
      if (typed.status === 'draft') return typed.automatically_finalizes_at;
      return typed.status === 'open' ? typed.next_payment_attempt : null;
    case 'checkout.session':
      return typed.status === 'open' ? typed.expires_at : null;
    case 'balance_settings':
      return payoutDue(typed, hidden);
    case 'payout':
      return typed.status === 'pending' ? typed.arrival_date : null;
    case 'charge':
      return hidden.captures ?? null;
    case 'refund':
      return hidden.settles?.at ?? null;
    case 'dispute':
      return disputeDue(typed);
    default:
      return null;
  }
}

function disputeDue({ status, created, evidence_details: { due_by } }: Stripe.Dispute): number | null {
  if (status === 'warning_needs_response' || status === 'warning_under_review') return created + INQUIRY_TIME;
  return status === 'needs_response' ? due_by : null;
}

function payoutDue({ payments }: Stripe.BalanceSettings, { nextPayout }: Hidden): number | null {
  const { schedule, status } = payments.payouts ?? {};
  return schedule?.interval === 'daily' && status === 'enabled' ? (nextPayout ?? null) : null;
}

function subscriptionDue(subscription: Stripe.Subscription, hidden: Hidden): number | null {
  const { status, trial_end, cancel_at, pause_collection, items, created } = subscription;
  if (status === 'incomplete') return created + INCOMPLETE_LIMIT;
  if (['canceled', 'incomplete_expired', 'paused'].includes(status)) return null;
  const moments = [items.data[0]?.current_period_end ?? null, cancel_at, pause_collection?.resumes_at ?? null];
  if (status === 'trialing' && trial_end !== null) {
    moments.push(trial_end);
    if (!hidden.warned) moments.push(trial_end - TRIAL_WARNING);
  }
  const known = moments.filter((moment) => moment !== null);
  return known.length === 0 ? null : Math.min(...known);
}

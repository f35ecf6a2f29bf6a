import type { Money } from '../../../base/money';
import type { ProductView } from '../../products/views';
import type { SubscriptionRow } from './rules';

/**
 * The states of the specification (§4): subscribed, unsubscribed, unsubscribed with access until a date; and special
 * states of running subscriptions. `at`: the time of the next charge, of the end of access, trial or pause, or of the
 * past end.
 */
export type SubscriptionState = {
  status: 'subscribed' | 'unsubscribed' | 'unsubscribed_until';
  phase: 'trial' | 'past_due' | 'paused' | null;
  at: Date;
};
type StateFacts = Pick<
  SubscriptionRow,
  'status' | 'periodEnd' | 'trialEnd' | 'endsAt' | 'endedAt' | 'pausedUntil' | 'pastDueSince'
>;

/** @param graceEnds when access ends after a failed renewal */
export function stateOf(facts: StateFacts, now: Date, graceEnds: (since: Date) => Date): SubscriptionState {
  const { status, periodEnd, trialEnd, endsAt, endedAt, pausedUntil, pastDueSince } = facts;
  const ended = endedAt ?? (endsAt && endsAt <= now ? endsAt : null);
  if (ended) return { status: 'unsubscribed', phase: null, at: ended };
  if (pastDueSince) return { status: 'subscribed', phase: 'past_due', at: graceEnds(pastDueSince) };
  if (endsAt) return { status: 'unsubscribed_until', phase: status === 'trialing' ? 'trial' : null, at: endsAt };
  if (pausedUntil) return { status: 'subscribed', phase: 'paused', at: pausedUntil };
  if (status === 'trialing') return { status: 'subscribed', phase: 'trial', at: trialEnd ?? periodEnd };
  return { status: 'subscribed', phase: null, at: periodEnd };
}

export type CardView = {
  id: string;
  brand: string;
  last4: string;
  expiresMonth: number;
  expiresYear: number;
  isExpired: boolean;
  isDefault: boolean;
};

export type ShowView = Pick<ProductView, 'id' | 'kind' | 'name' | 'slug' | 'language' | 'cover' | 'creator'>;

/** A subscription, as its subscriber sees it. */
export type SubscriptionView = SubscriptionState & {
  id: number;
  show: ShowView;
  price: Money;
  every: SubscriptionRow['every'];
  endReason: SubscriptionRow['endReason'];
  card: CardView | null;
  /** Where the subscriber confirms a failed renewal to the bank. */
  confirmationUrl: string | null;
  mayCancel: boolean;
  mayRenew: boolean;
  /** Whether the show has a yearly price. */
  mayGoYearly: boolean;
};

export const toShowView = ({ id, kind, name, slug, language, cover, creator }: ProductView): ShowView => ({
  id,
  kind,
  name,
  slug,
  language,
  cover,
  creator,
});

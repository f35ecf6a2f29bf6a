import type { LineOutcome, SkipReason } from '~/db/values/subscriber-imports';
import type { Subscription } from '../../../adapters/payments/objects';
import { later } from '../../../base/time';
import { PRICE_LIMITS } from '../../../limits/billing';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../../limits/moving';
import type { SubscriberLine } from './kinds';

/** Facts for the check of a line. */
export type LineFacts = {
  /** The show's currency. */
  currency: string;
  /** An earlier line of the file has the same address or ids. */
  isDuplicate: boolean;
  /** The address is the creator's own. */
  isOwner: boolean;
  /** The payee of the named subscription, if we know it. */
  knownSubscription: 'own' | 'other' | null;
  /** Whether the address already subscribes to the show. */
  isSubscribed: boolean;
  /** `other`: a customer of our account, or copied for another creator. */
  customerOf: 'creator' | 'other';
  customer: { email: string | null; deleted: boolean; hasCard: boolean } | null;
  /** The subscriptions of the line's customer, or the named one, on the account that charges. */
  subscriptions: Subscription[];
};

const skip = (reason: SkipReason): LineOutcome => ({ kind: 'skip', reason });

/** Decides the outcome of a line. */
export function outcomeOf(line: SubscriberLine, facts: LineFacts, now: Date): LineOutcome {
  const reason = reasonByFile(line, facts) ?? reasonByCustomer(line, facts);
  if (reason) return skip(reason);
  const named = facts.subscriptions.filter(({ id }) => line.subscriptionId === null || id === line.subscriptionId);
  const running = named.filter(({ endedAt }) => endedAt === null);
  if (running.length > 1) return skip('several_subscriptions');
  const [found] = running;
  if (found) return adoption(found, facts);
  if (named.length > 0) return skip('ended');
  if (facts.subscriptions.some(({ endedAt }) => endedAt === null)) return skip('still_renews');
  // it does not run on this account, so it may run elsewhere: the creator states that it does not
  return recreation(line, facts, now);
}

function reasonByFile(line: SubscriberLine, facts: LineFacts): SkipReason | null {
  if (line.fault) return line.fault;
  if (!line.customerId && !line.subscriptionId) return 'no_ids';
  if (facts.isDuplicate) return 'duplicate';
  if (facts.knownSubscription) return facts.knownSubscription === 'own' ? 'already_here' : 'other_creator';
  if (facts.isOwner) return 'own_account';
  return facts.isSubscribed ? 'already_subscribed' : null;
}

function reasonByCustomer({ email, customerId, hasEnded }: SubscriberLine, facts: LineFacts): SkipReason | null {
  const { customer, customerOf } = facts;
  if (!customer || customer.deleted) {
    if (hasEnded) return 'ended';
    return customerId === null ? 'unknown_subscription' : 'unknown_customer';
  }
  if (customerOf === 'other') return 'other_creator';
  // the payer must be the person who gets the account, because the account shows the card
  return customer.email !== null && customer.email.toLowerCase() !== email ? 'other_person' : null;
}

/** The subscription continues unchanged, so we must be able to run it. */
function adoption({ status, price }: Subscription, { currency }: LineFacts): LineOutcome {
  if (!['trialing', 'active', 'past_due'].includes(status)) return skip('not_active');
  if (price.currency !== currency) return skip('other_currency');
  return price.minor > 0 ? { kind: 'adopt' } : skip('no_price');
}

function recreation(line: SubscriberLine, facts: LineFacts, now: Date): LineOutcome {
  const { priceMinor, every, renewsAt } = line;
  if (line.hasEnded) return skip('ended');
  if (!priceMinor || !every || line.currency === null) return skip('no_price');
  if (line.currency !== facts.currency) return skip('other_currency');
  const bounds = PRICE_LIMITS[every === 'month' ? 'monthly' : 'yearly'];
  if (priceMinor < bounds.minMinor || priceMinor > bounds.maxMinor) return skip('price_bounds');
  if (!renewsAt) return skip('no_renewal');
  if (renewsAt <= later(now, SUBSCRIBER_IMPORT_LIMITS.soonest)) return skip('renewal_passed');
  if (renewsAt > later(now, SUBSCRIBER_IMPORT_LIMITS.furthest)) return skip('renewal_far');
  return facts.customer?.hasCard ? { kind: 'recreate' } : skip('no_card');
}

import type { Currency } from '../../base/money';

export const RHYTHMS = ['once', 'month'] as const;

export type Goal = { title: string; goalMinor: number; givenMinor: number; percent: number; currency: Currency };

/** Rounded down, so that only the whole amount gives 100%, which is also the maximum. */
export function goalOf(
  { title, goalMinor, currency }: Pick<Goal, 'title' | 'goalMinor' | 'currency'>,
  givenMinor: number,
): Goal {
  const percent = Math.min(100, Math.max(0, Math.floor((100 * givenMinor) / goalMinor)));
  return { title, goalMinor, givenMinor, percent, currency };
}

export type DonationState = 'once' | 'active' | 'overdue' | 'unconfirmed' | 'ended';
/** `endReason`: the reason of an end that may not be reported to the payment provider yet. */
type Subscription = {
  endedAt: Date | null;
  pastDueSince: Date | null;
  endReason: string | null;
  /** Set if the donor's bank wants the last payment confirmed. */
  confirmationUrl: string | null;
};

/** @param subscription of a monthly donation; null until the payment provider has confirmed it */
export function stateOf(every: 'month' | null, subscription: Subscription | null): DonationState {
  if (every === null) return 'once';
  if (subscription?.endedAt || subscription?.endReason) return 'ended';
  if (!subscription?.pastDueSince) return 'active';
  return subscription.confirmationUrl ? 'unconfirmed' : 'overdue';
}

/** The name on the page; null for anonymous donors. */
export const shownName = ({ name, isAnonymous }: { name: string; isAnonymous: boolean }): string | null =>
  isAnonymous || name === '' ? null : name;

import type { PayoutMethod } from '~/db/schema/payouts';
import type { AppError } from '../../base/errors';
import type { Currency } from '../../base/money';
import { later, utcMonth } from '../../base/time';
import { PAYOUT_LIMITS, STATEMENT_LIMITS } from '../../limits/payouts';
import { addressMissing, alreadyRequested, belowThreshold } from './errors';

/** Parts of a payment in minor units: the charged amount, the VAT in it, and the commission of Altavoz. */
export type Charge = { amountMinor: number; vatMinor: number; commissionMinor: number };
/** The owners' parts of an amount, which add up to the amount. */
export type Parts = { vatMinor: number; commissionMinor: number; shareMinor: number };

/** The creator's share is the rest of the charge after VAT and the commission (docs/decisions/0232). */
export const partsOf = ({ amountMinor, vatMinor, commissionMinor }: Charge): Parts => ({
  vatMinor,
  commissionMinor,
  shareMinor: amountMinor - vatMinor - commissionMinor,
});

/**
 * The returned parts when a total amount of the charge was returned: each in proportion, rounded. More than the charge
 * is returned if a bank takes all of it after a partial refund: the excess comes from the creator.
 */
export function returnedParts(charge: Charge, returnedMinor: number): Parts {
  const counted = Math.min(returnedMinor, charge.amountMinor);
  const part = (minor: number) => Math.round((minor * counted) / charge.amountMinor);
  return partsOf({
    amountMinor: returnedMinor,
    vatMinor: part(charge.vatMinor),
    commissionMinor: part(charge.commissionMinor),
  });
}

/**
 * The parts of a refund: from the creator, from the commission and from VAT. They are computed from the total returned
 * amount, so that several refunds add up to the whole.
 */
export function refundSplit(charge: Charge & { refundedMinor: number }, minor: number): Parts {
  const [before, after] = [charge.refundedMinor, charge.refundedMinor + minor].map((total) =>
    returnedParts(charge, total),
  ) as [Parts, Parts];
  return {
    vatMinor: after.vatMinor - before.vatMinor,
    commissionMinor: after.commissionMinor - before.commissionMinor,
    shareMinor: after.shareMinor - before.shareMinor,
  };
}

/** A day that stands for one that the provider has not named yet. */
export const UNKNOWN_DAY = new Date('9999-12-31T00:00:00Z');

/** `availableAt`: when the provider makes the money available. It names that day together with its fee. */
export type Settling = { paidAt: Date; availableAt: Date | null; providerFeeMinor: number | null };

/**
 * Time from which a creator's share is available for payouts (decisions, 'Money'), and never before the money is. A fee
 * without a day was recorded before days were.
 */
export function payableFrom({ paidAt, availableAt, providerFeeMinor }: Settling): Date {
  const usual = later(paidAt, PAYOUT_LIMITS.pending);
  if (availableAt === null) return providerFeeMinor === null ? UNKNOWN_DAY : usual;
  return availableAt > usual ? availableAt : usual;
}

/** Returns reduce the pending part while their sale is pending, and afterwards the available part at once. */
export function takenAt(sale: Settling, at: Date): Date {
  const from = payableFrom(sale);
  return from > at ? from : at;
}

type PayoutFacts = {
  availableMinor: number;
  /** Whether a request was made in this calendar month (UTC), unless it was reversed. */
  hasRequested: boolean;
  hasAddress: boolean;
};

/** Why a creator cannot request a payout now; null if they can (decisions, 'Money'). */
export function payoutProblem({ availableMinor, hasRequested, hasAddress }: PayoutFacts): AppError | null {
  if (hasRequested) return alreadyRequested();
  if (availableMinor <= PAYOUT_LIMITS.thresholdMinor) return belowThreshold();
  return hasAddress ? null : addressMissing();
}

type Addresses = { iban: string | null; paypalEmail: string | null };
export type Destination = { method: PayoutMethod; destination: string };

/** Transfers between banks are made in euros (SEPA), so dollars go to PayPal if both addresses are known. */
export function destinationOf({ iban, paypalEmail }: Addresses, currency: Currency): Destination | null {
  const byBank: Destination | null = iban === null ? null : { method: 'iban', destination: iban };
  const byPaypal: Destination | null = paypalEmail === null ? null : { method: 'paypal', destination: paypalEmail };
  return currency === 'eur' ? (byBank ?? byPaypal) : (byPaypal ?? byBank);
}

/** The masked form of an address that pages show: `ES91 … 1332`, `l…@mail.example`. */
export function maskedDestination({ method, destination }: Destination): string {
  if (method === 'iban') return `${destination.slice(0, 4)} … ${destination.slice(-4)}`;
  return destination.replace(/^(.)[^@]*/u, '$1…');
}

/** The first moment of the month after a moment (UTC). */
export const nextMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));

/** The first moment of a month such as `2026-11`, and of the next month (UTC). */
export function boundsOf(month: string): { from: Date; to: Date } {
  const from = new Date(`${month}-01T00:00:00Z`);
  return { from, to: nextMonth(from) };
}

/** The number of a paper in its creator's series: `17-0003`. */
export const paperNumber = ({ creatorId, number }: { creatorId: number; number: number }): string =>
  `${creatorId}-${String(number).padStart(4, '0')}`;

/** The months between two months, the latest first; if there are too many, only the latest. */
export function monthsBetween(first: string, last: string): string[] {
  const months = [last];
  while (months.at(-1)! > first && months.length < STATEMENT_LIMITS.months)
    months.push(utcMonth(later(boundsOf(months.at(-1)!).from, -1)));
  return months;
}

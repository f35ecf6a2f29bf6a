import { earlier, later, monthsLater, utcDay } from '../../base/time';
import { AFFILIATE_LIMITS } from '../../limits/affiliates';

/** A payment in minor units, and the VAT in it. */
export type Paid = { amountMinor: number; vatMinor: number };

const { shareBasisPoints, months, pending, codeLength } = AFFILIATE_LIMITS;

/** The affiliate's share of what is left after VAT, rounded down. */
export const shareOf = ({ amountMinor, vatMinor }: Paid): number =>
  Math.floor((Math.max(0, amountMinor - vatMinor) * shareBasisPoints) / 10_000);

/**
 * The share that remains when a part of the payment was returned: of the rest, so that any number of refunds and
 * disputes ends at 0 and never takes more than was booked. A bank may take more than the payment.
 */
export function shareLeft(paid: Paid, returned: Paid): number {
  const left = { amountMinor: paid.amountMinor - returned.amountMinor, vatMinor: paid.vatMinor - returned.vatMinor };
  return Math.min(shareOf(paid), shareOf(left));
}

/**
 * Whether a payment is in the time that brings a share: before the day (UTC) on which the creator's first payment for a
 * plan was so many months ago. Renewals come on that day, earlier or later than the first payment.
 */
export const isInTime = (paidAt: Date, firstPaidAt: Date): boolean =>
  utcDay(paidAt) < utcDay(monthsLater(firstPaidAt, months));

/** When a share counts for payouts. */
export const shareAvailableAt = (paidAt: Date): Date => later(paidAt, pending);

/** A return takes from where the share is: pending, or counted. */
export const returnAvailableAt = (paidAt: Date, at: Date): Date =>
  new Date(Math.max(shareAvailableAt(paidAt).getTime(), at.getTime()));

const CODE = new RegExp(`^[a-z0-9-]{${codeLength.min},${codeLength.max}}$`);

/** A code as links have it; null for a text that can't be one. Capital letters and spaces around it are forgiven. */
export function linkCode(text: string): string | null {
  const code = text.trim().toLowerCase();
  return CODE.test(code) ? code : null;
}

/** The first code of a creator: their domain, with a number if another link has it. `taken`: codes that begin like it. */
export function defaultCode(domain: string, taken: ReadonlySet<string>): string {
  const base = codeBase(domain);
  const numbered = (count: number) => (count === 1 && base.length >= codeLength.min ? base : `${base}-${count + 100}`);
  let count = 1;
  while (taken.has(numbered(count))) count++;
  return numbered(count);
}

/** The beginning of a creator's first code, with room for a number. */
export const codeBase = (domain: string): string =>
  domain
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '-')
    .slice(0, codeLength.max - NUMBER_LENGTH);
const NUMBER_LENGTH = 8;

const GOOGLE = new Set(['gmail.com', 'googlemail.com']);

/** The mailbox of an address: without `+tag`, and without dots where Google ignores them. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const host = email.slice(at + 1).toLowerCase();
  const name = email.slice(0, at).toLowerCase().replace(/\+.*$/, '');
  return GOOGLE.has(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`;
}

/** The first day (UTC) whose browsers and whose sums are kept. */
export const keptFrom = (now: Date) => ({
  visits: earlier(now, AFFILIATE_LIMITS.remembered),
  sums: monthsLater(now, -AFFILIATE_LIMITS.visitMonths),
});

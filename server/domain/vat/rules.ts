import type { LocationEvidence, VatBasis } from '~/db/schema/billing';
import { isDuring, type Period } from '../../base/time';
import { isInEu, rateAt } from './kinds';
import type { SellingParty } from './seller';

/**
 * The buyer's country: the country that two pieces of evidence name (Art. 24b(d) and 24f of Implementing Regulation (EU)
 * 282/2011); of two such countries, the one with the piece that is harder to fake, in the order of `KINDS`. A single
 * piece counts. Null without evidence, and if all pieces differ: the operator has to find out (`listUnconfirmed`).
 */
export function locationOf(evidence: readonly LocationEvidence[]): { country: string | null; isConfirmed: boolean } {
  const sorted = KINDS.flatMap((kind) => evidence.filter((piece) => piece.kind === kind));
  const agreed = sorted.find(({ country }) => sorted.filter((other) => other.country === country).length > 1);
  const only = sorted.length === 1 ? sorted[0] : undefined;
  return { country: (agreed ?? only)?.country ?? null, isConfirmed: agreed !== undefined };
}
const KINDS: LocationEvidence['kind'][] = ['card_country', 'billing_country', 'ip_country', 'declared_country'];

/**
 * The operator's country and VAT number; without a number, it charges no VAT. `vatAtHome`: when consumers in other
 * countries of the Union pay the VAT of the operator's country, because its sales to them are below 10,000 €
 * (Art. 59c of Directive 2006/112/EC).
 */
export type VatSeller = { country: string; vatNumber: string | null; vatAtHome: readonly Period[] };
export type VatFacts = {
  seller: SellingParty;
  operator: VatSeller;
  isDonation: boolean;
  /** Null if unknown. */
  country: string | null;
  /** Whether the buyer is in a region of the country that is outside its VAT area. */
  isOutsideArea: boolean;
  /** Whether the buyer has a VAT number that is valid in the country. */
  isBusiness: boolean;
  at: Date;
};
export type VatDecision = { basis: VatBasis; country: string | null; basisPoints: number };

/**
 * The VAT in a payment, and its reason. A buyer without a known country counts as a buyer in the operator's country.
 */
export function vatDecision({
  seller,
  operator,
  isDonation,
  country,
  isOutsideArea,
  isBusiness,
  at,
}: VatFacts): VatDecision {
  const none = (basis: VatBasis): VatDecision => ({ basis, country, basisPoints: 0 });
  if (seller === 'creator') return none('seller_is_creator');
  // a donation buys nothing
  if (isDonation) return none('donation');
  if (operator.vatNumber === null) return none('not_registered');
  const place = country ?? operator.country;
  const basisPoints = rateAt(place, at);
  if (basisPoints === null || isOutsideArea) return none('outside_eu');
  if (isBusiness && place !== operator.country) return none('reverse_charge');
  const homeRate = rateAt(operator.country, at);
  if (place !== operator.country && homeRate !== null && isDuring(operator.vatAtHome, at))
    return { basis: 'charged_at_home', country: operator.country, basisPoints: homeRate };
  return { basis: 'charged', country: place, basisPoints };
}

/** The VAT in a price, in minor units, rounded half up. */
export const vatContained = (grossMinor: number, basisPoints: number): number =>
  Math.round((grossMinor * basisPoints) / (10_000 + basisPoints));

/** A VAT number in the format of the register of the European Union (VIES). */
export type EuVatNumber = { country: string; number: string };

/** Greece has a special prefix. Null for a country outside the European Union. */
export function euVatNumber(country: string | null, taxNumber: string | null): EuVatNumber | null {
  if (country === null || taxNumber === null || !isInEu(country)) return null;
  const prefix = country === 'GR' ? 'EL' : country;
  const plain = taxNumber.toUpperCase().replace(/[^A-Z0-9+*]/g, '');
  const number = plain.startsWith(prefix) ? plain.slice(prefix.length) : plain;
  return /^[A-Z0-9+*]{2,12}$/.test(number) ? { country: prefix, number } : null;
}

const QUARTER = /^(20\d{2})-Q([1-4])$/;

/**
 * A quarter such as `2026-Q3`, with its first moment and the first moment of the next quarter (UTC); null for other
 * texts.
 */
export function quarterOf(text: string): { from: Date; to: Date } | null {
  const [, year, number] = QUARTER.exec(text) ?? [];
  if (!year || !number) return null;
  const month = (Number(number) - 1) * 3;
  return { from: new Date(Date.UTC(Number(year), month, 1)), to: new Date(Date.UTC(Number(year), month + 3, 1)) };
}

/** The quarter of a moment (UTC), such as `2026-Q3`. */
export const quarterAt = (at: Date): string => `${at.getUTCFullYear()}-Q${Math.floor(at.getUTCMonth() / 3) + 1}`;

/**
 * Whether a return may still correct an earlier quarter: within three years of the due date of that quarter's return,
 * the last day of the following month (Art. 369f and 369g(4) of Directive 2006/112/EC).
 */
export function mayCorrect(returned: { to: Date }, corrected: { to: Date }): boolean {
  const { to } = corrected;
  return returned.to < new Date(Date.UTC(to.getUTCFullYear() + 3, to.getUTCMonth() + 1, 1));
}

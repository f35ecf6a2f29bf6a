import type { PaperFacts, SelfBillingBasis } from '~/db/schema/payouts';
import { isInEu, rateAt } from '../vat/kinds';
import { type VatSeller, vatContained } from '../vat/rules';

/**
 * The VAT in an invoice that the operator writes in a creator's name (docs/decisions/0239). A tax adviser must confirm
 * this file: whether a tax number proves a business, whether donations are part of the creator's supplies, and whether
 * the operator must withhold income tax.
 */
type Parties = {
  /** The country of the creator's account; null if unknown. */
  country: string | null;
  taxNumber: string | null;
  operator: Omit<VatSeller, 'vatAtHome'>;
  at: Date;
};

export function selfBillingBasis({ country, taxNumber, operator }: Omit<Parties, 'at'>): SelfBillingBasis {
  if (country !== null && !isInEu(country)) return 'outside_eu';
  if (country === null || taxNumber === null || operator.vatNumber === null) return 'not_registered';
  return country === operator.country ? 'charged' : 'reverse_charge';
}

/** Splits the payout into its parts: nothing is added to it. */
export function selfBillingParts(
  totalMinor: number,
  parties: Parties,
): Pick<PaperFacts, 'netMinor' | 'vatMinor' | 'basisPoints' | 'basis'> {
  const basis = selfBillingBasis(parties);
  const basisPoints = basis === 'charged' ? (rateAt(parties.operator.country, parties.at) ?? 0) : 0;
  const vatMinor = vatContained(totalMinor, basisPoints);
  return { netMinor: totalMinor - vatMinor, vatMinor, basisPoints, basis };
}

import type { LocationEvidence } from '~/db/schema/billing';
import type { Ctx } from '../../runtime/ctx';
import { isBusiness as isBusinessIn } from './check-tax-number';
import { isOutsideVatArea } from './places';
import { locationOf, vatContained, vatDecision } from './rules';
import { sellerOf } from './seller';

/**
 * A payment whose VAT is computed. `evidence`: evidence of the buyer's country. `countsDeclared`: the declared country is
 * an address that the buyer has given for invoices, and counts before all other evidence.
 */
export type Paid = {
  amountMinor: number;
  isDonation: boolean;
  connectedAccount: string | null;
  taxNumber: string | null;
  evidence: LocationEvidence[];
  countsDeclared: boolean;
  at: Date;
};

/** The VAT facts that are stored with the sale. */
export async function vatOfSale(ctx: Ctx, paid: Paid) {
  const { amountMinor, evidence, at, isDonation, connectedAccount } = paid;
  const { country, isBusiness } = await placeOf(ctx, paid);
  const decision = vatDecision({
    seller: sellerOf({ connectedAccount }),
    operator: ctx.settings.operator,
    isDonation,
    country,
    isOutsideArea: country !== null && isOutsideVatArea(country, evidence),
    isBusiness,
    at,
  });
  return {
    vatMinor: vatContained(amountMinor, decision.basisPoints),
    vatBasisPoints: decision.basisPoints,
    vatCountry: decision.country,
    vatBasis: decision.basis,
    vatEvidence: evidence,
  };
}

/**
 * A business with a valid VAT number is where it says that it is, wherever its card comes from (Art. 44 of Directive
 * 2006/112/EC, Art. 18 of Implementing Regulation (EU) 282/2011).
 */
async function placeOf(ctx: Ctx, { evidence, taxNumber, countsDeclared }: Paid) {
  const declared = evidence.find(({ kind }) => kind === 'declared_country')?.country ?? null;
  const isBusiness = await isBusinessIn(ctx, declared, taxNumber);
  const country = isBusiness || (countsDeclared && declared !== null) ? declared : locationOf(evidence).country;
  return { country, isBusiness };
}
